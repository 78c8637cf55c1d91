import { undoableKey } from './gate-answer.js';
import { lastFour, palletName } from './pallet-name.js';
import { STANDINGS } from './scan-outcomes.js';
import { undoButton } from './undo-button.js';
import { t } from './words.js';

/** The list of waiting scans without a row in the list of pallets. The camera page has a list of all readings. */
const list = document.getElementById('aside');
/** The button that opens the list. It has the number of scans. */
const opener = document.getElementById('open-aside');

/** Whether an item waits and is not on the list of the page. */
export const isAside = ({ standing }) => standing === 'NOT_LISTED' || standing === 'UNCHECKED';

/** Show these queued items, newest first, each with an undo button. The answer shows the last scan itself. */
export function drawAside(items, takeBack) {
  if (!list) return;
  const shown = items.filter((item) => isAside(item) && item.key !== undoableKey()).reverse();
  const drawn = [...list.children].map(({ dataset }) => dataset.key).join();
  if (drawn === shown.map(({ key }) => key).join()) return;
  list.replaceChildren(...shown.map((item) => rowOf(item, takeBack)));
  opener.hidden = shown.length === 0;
  opener.querySelector('b').textContent = shown.length;
  if (opener.hidden) list.closest('[popover]').hidePopover();
}

function rowOf(item, takeBack) {
  const { key, name, standing } = item;
  const row = Object.assign(document.createElement('li'), { className: STANDINGS[standing].line });
  row.dataset.key = key;
  const text = Object.assign(document.createElement('p'), { className: 'm' });
  text.append(
    Object.assign(document.createElement('b'), { textContent: t(STANDINGS[standing].text) }),
    document.createElement('br'),
    palletName(name),
  );
  row.append(
    Object.assign(document.createElement('b'), { className: 'd4', textContent: lastFour(name) }),
    text,
    undoButton(name, () => takeBack(item)),
  );
  return row;
}
