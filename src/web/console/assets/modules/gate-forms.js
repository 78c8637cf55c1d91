import { isCached } from './board-parts.js';
import { isLate } from './gate-late.js';
import { NOTES } from './gate-notes.js';
import { t } from './words.js';

/**
 * Actions that are queued on the device. All other actions ask for confirmation. The numbers in that question come from
 * the server.
 */
export const QUEUED = ['scan', 'mark', 'start', 'remove', 'resolve', 'assign', ...NOTES];

/** Actions that sign a worker in or out. */
export const WORKER_ACTIONS = ['work', 'workEnd'];

/** A second tap within this time is part of the first. */
const DOUBLE_TAP_MS = 1_000;

/** The action of a form, and its fields except token and key. */
export function readForm(form) {
  const { token: _, key: __, action, ...fields } = Object.fromEntries(new FormData(form));
  return { action, fields };
}
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const pressed = new WeakSet();

/** Whether the form was sent just before. */
export function isSecondTap(form) {
  if (pressed.has(form)) return true;
  pressed.add(form);
  setTimeout(() => pressed.delete(form), DOUBLE_TAP_MS);
  return false;
}

/** Show on each button whether its press is still queued. */
export function drawPendingButtons(items) {
  for (const form of document.querySelectorAll('#live form[method="post"]')) {
    const { action, fields } = readForm(form);
    if (WORKER_ACTIONS.includes(action)) continue;
    const item = items.find((one) => one.action === action && isSame(one.fields, fields));
    form.setAttribute('aria-busy', String(item !== undefined));
    const button = form.querySelector('button');
    if (item && isLate(item)) button.textContent = t('tablet.waiting');
    // A cached page does not know whether the loading has begun.
    if (action === 'start') button.disabled = isCached();
  }
}
