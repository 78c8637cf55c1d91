import { morph } from './modules/morph.js';
import { t } from './modules/words.js';

// Filters act at once: what they leave comes into the place of what was there, and the focus stays where it is. Without
// this script, or where the service does not answer, the form is sent as forms are.
document.documentElement.classList.add('scripted');

const main = document.getElementById('main');
let wanted = null;

/** The address that a form of filters leads to, without what it does not ask for. */
function addressOf(form) {
  const asked = [...new FormData(form)].filter(([, value]) => value !== '');
  const query = new URLSearchParams(asked).toString();
  return form.getAttribute('action').replace(/#.*/, '') + (query && `?${query}`);
}

async function filter(form) {
  const address = addressOf(form);
  if (address === wanted) return;
  wanted = address;
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (wanted !== address) return;
    // Led elsewhere, such as to the sign-in, or refused: the service says why.
    if (!answer.ok || answer.redirected) throw new Error(`no list: ${answer.status}`);
    history.pushState(null, '', address);
    morph(main, page.getElementById('main'));
    chosen();
  } catch {
    location.assign(address);
  }
}

const filtersOf = (target) => target.closest?.('search form[data-list]');

document.addEventListener('change', ({ target }) => {
  const form = filtersOf(target);
  if (form) filter(form);
  if (target.name === 'row') chosen();
});
document.addEventListener('submit', (event) => {
  const form = filtersOf(event.target);
  if (!form) return;
  event.preventDefault();
  filter(form);
});
addEventListener('popstate', () => location.reload());

/** Say how many rows are chosen, and their pallets. */
function chosen() {
  const bar = document.getElementById('chosen');
  if (!bar) return;
  const rows = [...document.querySelectorAll('.pick input:checked')];
  const pallets = rows.reduce((sum, { dataset }) => sum + Number(dataset.pallets ?? 0), 0);
  bar.textContent = t('list.selected', { count: rows.length, pallets });
}
chosen();
