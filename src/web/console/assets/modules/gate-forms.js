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

/** The action of a form, and its fields except token and key. */
export function readForm(form) {
  const { token: _, key: __, action, ...fields } = Object.fromEntries(new FormData(form));
  return { action, fields };
}
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);

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
