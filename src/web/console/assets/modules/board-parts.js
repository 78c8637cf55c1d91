import { t } from './words.js';

/** The element that is kept up to date. */
export const live = () => document.getElementById('live');
/** Whether the page came from the cache of this device, and nothing newer has arrived. */
export const isCached = () => live().dataset.cached !== undefined;
export const main = document.getElementById('main');

/** Whether a field outside of `form` has the focus. Then the focus must stay there. */
export function isTypingOutside(form) {
  const field = document.activeElement?.closest(
    'input:not([type="radio"], [type="checkbox"]), textarea, select',
  );
  return field?.checkVisibility() === true && !form?.contains(field);
}

/** Update the number of gates in each state, and the link to the first. */
export function countGates() {
  for (const link of live().querySelectorAll('[data-count]')) {
    const { count } = link.dataset;
    const gates = [
      ...live().querySelectorAll(count === 'LATE' ? '.gate[data-late]' : `.gate[data-state="${count}"]`),
    ];
    const number =
      count === 'WRONG' ? gates.reduce((sum, { dataset }) => sum + Number(dataset.wrong), 0) : gates.length;
    link.querySelector('b').textContent = number;
    const words = { LATE: 'board.gatesLate', WRONG: 'board.wrongPallets' }[count];
    if (words) link.querySelector('span').textContent = t(words, { count: number });
    link.dataset.some = gates.length > 0 ? 'yes' : 'no';
    if (gates.length > 0) link.href = `#${gates[0].id}`;
    else link.removeAttribute('href');
  }
}

/** Focus an element that normally cannot have the focus. */
export function focusOn(element) {
  if (!element.hasAttribute('tabindex')) element.setAttribute('tabindex', '-1');
  element.focus({ preventScroll: true });
}

/** How long a notice about a success and an undo stay, in milliseconds. */
export const STAYS_MS = 10_000;
let shownAt = Date.now();

/** Show the notices of a form's answer. A refusal stays until the next answer. */
export function showNotices(page) {
  clearNotices();
  shownAt = Date.now();
  const notices = [...page.querySelectorAll('#main > .notice')].map((notice) => document.adoptNode(notice));
  live().before(...notices);
  const refused = live().querySelector('.refused') ?? notices.find((notice) => notice.matches('.bad'));
  refused?.scrollIntoView({ block: 'center' });
}

/** Show why an action failed, in front of an element. */
export function refuse(text, before = live()) {
  clearNotices();
  const notice = Object.assign(document.createElement('p'), {
    className: 'notice bad',
    role: 'alert',
    textContent: text,
  });
  before.before(notice);
  notice.scrollIntoView({ block: 'center' });
}

/** Remove a notice about a success after its time, unless the user is about to press its button. */
export function endNotice() {
  const notice = document.querySelector('#main:has(> :is(.holder, .board)) > .notice.good');
  if (notice && Date.now() - shownAt >= STAYS_MS && !notice.matches(':hover, :focus-within')) notice.remove();
}

function clearNotices() {
  for (const notice of document.querySelectorAll('#main > .notice, dialog .notice')) notice.remove();
}
