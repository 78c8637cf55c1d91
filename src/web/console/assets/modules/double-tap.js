/** A second press with the same fields within this time is part of the first. */
const SAME_MS = 1_000;
/** An update may give a form to another pallet under the finger. A press within this time is the second half of a double tap. */
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
