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
  if (target.name === 'row') showSelection();
});
document.addEventListener('submit', (event) => {
  const form = filtersOf(event.target);
  if (!form) return;
  event.preventDefault();
  filter(form);
});
addEventListener('popstate', () => location.reload());

/** Show how many rows are selected, and the number of their pallets. */
function showSelection() {
  const bar = document.getElementById('chosen');
  if (!bar) return;
  const rows = [...document.querySelectorAll('.pick input:checked')];
  const pallets = rows.reduce((sum, { dataset }) => sum + Number(dataset.pallets ?? 0), 0);
  bar.textContent = t('list.selected', { count: rows.length, pallets });
}
showSelection();
