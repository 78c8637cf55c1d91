import { live, STAYS_MS } from './board-parts.js';
import { UNDO_GUARD_MS } from './double-tap.js';
import { undoButton } from './undo-button.js';

/** Lists whose rows the user works on. */
const LISTS = 'tbody:has(> [data-row]), .groups';

/** The list that was touched last, and when. */
let touched = { list: null, date: 0 };
/** The row whose form was sent last: its key, the form and the form's place. A mark also has the word for its new state. */
let sent = null;

const keyOf = (row) => row.dataset.row || (row.localName === 'details' ? row.id : '');
const rowsOf = (list) => [...list.children].filter(keyOf);
const listsIn = (element) => [...element.querySelectorAll(LISTS)];

/** Whether the user works in a list: the pointer or the focus is there, or a finger was. */
const isWorkedIn = (list) =>
  list.matches(':hover') ||
  list.contains(document.activeElement) ||
  (touched.list === list && Date.now() - touched.date < STAYS_MS);

// The undo button of a notice belongs to the list that was touched before.
document.addEventListener('pointerdown', ({ target }) => {
  const list = target.closest?.('form.undo') ? touched.list : (target.closest?.(LISTS) ?? null);
  touched = { list, date: Date.now() };
});

document.addEventListener('submit', ({ target, submitter }) => {
  const row = target.closest('[data-row]');
  if (!row) return;
  const isMark = target.querySelector('[name=action]')?.value === 'load';
  sent = {
    form: target,
    key: keyOf(row),
    index: [...row.querySelectorAll('.actions > *')].indexOf(target),
    width: submitter?.offsetWidth ?? 0,
    state: isMark ? submitter?.textContent : null,
    name: nameOf(row),
    date: Date.now(),
  };
});

const nameOf = (row) => row.querySelector('th')?.textContent ?? '';

/** The same list in the new HTML of the page, found by its closest element with an id. */
function counterpart(list, next) {
  const home = list.closest('[id]');
  const same = home === live() ? next : next.querySelector(`#${CSS.escape(home.id)}`);
  return home === list ? same : same && listsIn(same)[listsIn(home).indexOf(list)];
}

/** A row that the new page does not have: it stays at its place for a while, without its actions. */
function left(row) {
  const kept = row.cloneNode(true);
  // Its undo button comes again with `offerUndo`. A copy would do nothing.
  kept.querySelector('[data-undo]')?.remove();
  if (row.matches('.stays')) return kept;
  kept.classList.add('stays');
  if (kept.localName === 'details') kept.inert = true;
  const actions = [...(kept.querySelector('.actions')?.children ?? [])];
  for (const one of actions) one.inert = true;
  if (sent?.key === keyOf(row)) actions[sent.index]?.remove();
  for (const box of kept.querySelectorAll('input')) box.disabled = true;
  const badge = kept.querySelector('.badge');
  if (badge && sent?.state && sent.key === keyOf(row))
    badge.replaceWith(
      Object.assign(document.createElement('b'), { className: 'badge ok', textContent: sent.state }),
    );
  return kept;
}

/** Call before the page is updated: rows of lists in which the user works keep their places in `next`, the new HTML. */
export function keepRows(next) {
  for (const list of listsIn(live())) {
    const other = isWorkedIn(list) && counterpart(list, next);
    if (!other) continue;
    const rows = new Map(rowsOf(other).map((row) => [keyOf(row), row]));
    const kept = rowsOf(list).map((row) => rows.get(keyOf(row)) ?? left(row));
    // A list that shows some of its rows has further rows now. They appear when the rows that stay are gone.
    const fresh = [...rows.values()].filter((row) => !kept.includes(row));
    const order = [...kept, ...fresh.slice(kept.filter((row) => row.matches('.stays')).length)];
    if (order.every((row, index) => row === [...rows.values()][index])) continue;
    for (const row of fresh) row.remove();
    const place = document.createComment('');
    (rowsOf(other)[0] ?? other.lastChild).before(place);
    place.replaceWith(...order);
    other.dataset.kept = '';
  }
}

/** The form of the notice that takes back what was done last. */
const undoForm = () => document.querySelector('#main > .notice form.undo');

/** Show the undo button in the row that was sent last, where the pressed button was. */
export function offerUndo() {
  const form = undoForm();
  if (!sent || !form) return;
  const row = live().querySelector(`[data-row="${CSS.escape(sent.key)}"]`);
  const place = row?.querySelector('.actions');
  if (!place || place.querySelector('[data-undo]')) return;
  const { date } = sent;
  const press = () => Date.now() - date >= UNDO_GUARD_MS && undoForm()?.requestSubmit();
  const button = undoButton(sent.name, press, form.textContent.trim());
  button.style.minWidth = `${sent.width}px`;
  place.insertBefore(button, place.children[sent.index] ?? null);
  if (document.activeElement === document.body) button.focus({ preventScroll: true });
}

/** Call often: ends the offer to undo, and lets the rows go to their places when nobody works in their list. */
export function settleRows(update) {
  if (sent && !sent.form.ariaBusy && !undoForm()) {
    sent = null;
    for (const button of live().querySelectorAll('[data-row] [data-undo]')) button.remove();
  }
  if (listsIn(live()).some((list) => list.dataset.kept !== undefined && !isWorkedIn(list))) update();
}
