/** A press on an undo button within this time after it appeared is the second half of a double tap. */
export const UNDO_GUARD_MS = 700;
/** So long, a second press with the same fields is part of the first. */
const SAME_MS = 1_000;
/** So long, any other press is part of the first, too. An update may have given the form to another pallet under the finger. */
const OTHER_MS = 500;

const presses = new WeakMap();

/** Whether a press of a form, with these fields at this time, is the second half of a double tap. */
export function isSecondTap(form, fields, now = Date.now()) {
  const text = JSON.stringify(fields);
  const last = presses.get(form);
  if (last && now - last.at < (last.text === text ? SAME_MS : OTHER_MS)) return true;
  presses.set(form, { text, at: now });
  return false;
}
