import './modules/drop.js';
import { morph } from './modules/morph.js';
import { t } from './modules/words.js';

// Filters act at once: the new list replaces the old one, and the focus stays. Without this script, or if the
// server does not answer, the browser submits the form.
document.documentElement.classList.add('scripted');

const main = document.getElementById('main');
let latest = null;

/** The URL that a filter form leads to, without empty fields. */
function addressOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(filled).toString();
  return form.getAttribute('action').replace(/#.*/, '') + (query && `?${query}`);
}

async function filter(form) {
  const address = addressOf(form);
  if (address === latest) return;
  latest = address;
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (latest !== address) return;
    // Redirected, for example to the sign-in, or refused. Navigate there, so that the user sees the reason.
    if (!answer.ok || answer.redirected) throw new Error(`no list: ${answer.status}`);
    history.pushState(null, '', address);
    morph(main, page.getElementById('main'));
    showSelection();
  } catch {
    location.assign(address);
  }
}

const filtersOf = (target) => target.closest?.('search form[data-list]');

document.addEventListener('change', ({ target }) => {
  const form = filtersOf(target);
  if (form) filter(form);
  if (target.id === 'choose-page') for (const box of rows()) box.checked = target.checked;
  if (target.closest?.('.pick, .all-rows')) showSelection();
});
document.addEventListener('submit', (event) => {
  const form = filtersOf(event.target);
  if (!form) return;
  event.preventDefault();
  filter(form);
});
// Other pages only show the selection. Their addresses change with links to a part of the page.
addEventListener('popstate', () => document.querySelector('search form[data-list]') && location.reload());

const rows = () => [...document.querySelectorAll('.pick input[name=row]')];
/** The checkbox that selects all rows of the filter, if they are more than the page has. */
const allBox = () => document.querySelector('.all-rows input');

/** Show how many rows are selected, and the number of their pallets. */
function showSelection() {
  const bar = document.getElementById('chosen');
  if (!bar) return;
  const boxes = rows();
  const selected = boxes.filter(({ checked }) => checked);
  const isPage = selected.length > 0 && selected.length === boxes.length;
  const pageBox = document.getElementById('choose-page');
  // An empty list has no header.
  if (pageBox) {
    pageBox.checked = isPage;
    pageBox.indeterminate = selected.length > 0 && !isPage;
  }
  const all = allBox();
  if (all && !isPage) all.checked = false;
  for (const part of document.querySelectorAll('.all-rows')) part.hidden = !isPage;
  const pallets = selected.reduce((sum, { dataset }) => sum + Number(dataset.pallets ?? 0), 0);
  bar.textContent = all?.checked
    ? t('list.selected', { count: Number(all.value), pallets: 0 })
    : t('list.selected', { count: selected.length, pallets });
}

// Shift with a click or with the space key selects all rows from the last selected row to this one.
let last = null;
document.addEventListener('click', ({ target, shiftKey }) => {
  if (target.name !== 'row') return;
  const boxes = rows();
  const range = [boxes.indexOf(last), boxes.indexOf(target)].sort((one, other) => one - other);
  if (shiftKey && range[0] >= 0) {
    for (const box of boxes.slice(range[0], range[1] + 1)) box.checked = target.checked;
    getSelection()?.removeAllRanges();
  }
  last = target;
  showSelection();
});
// A live update may remove selected rows.
document.addEventListener('updated', showSelection);
showSelection();
