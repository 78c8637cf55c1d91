import { hooks } from './live.js';
import { t } from './modules/words.js';

/** Each page of gates is shown this long, where there are more than fit. */
const PAGE_MS = 10_000;
/** Gates on one screen. */
const ROWS = 8;

const clock = document.getElementById('clock');
const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: clock.dataset.zone,
});
let page = 0;

/** Show a time on tiles, one for each digit. */
function flap(element, text) {
  const tiles = [...text].map((sign) =>
    Object.assign(document.createElement('i'), { textContent: sign, className: sign === ':' ? 'colon' : '' }),
  );
  element.replaceChildren(...tiles);
}

const flaps = (root) => {
  for (const element of root.querySelectorAll('time.flap')) flap(element, element.textContent.trim());
};

/** Show a page of the gates; those with a wrong pallet are on every page. */
function turn() {
  const rows = [...document.querySelectorAll('.wall-rows > li')];
  const wrong = rows.filter(({ dataset }) => dataset.state === 'WRONG').slice(0, ROWS - 1);
  const others = rows.filter((row) => !wrong.includes(row));
  const room = ROWS - wrong.length;
  const pages = Math.max(1, Math.ceil(others.length / room));
  page %= pages;
  for (const row of rows) row.hidden = true;
  for (const row of [...wrong, ...others.slice(page * room, (page + 1) * room)]) row.hidden = false;
  document.getElementById('pages').textContent = pages > 1 ? t('wall.page', { page: page + 1, pages }) : '';
}

hooks.showing = flaps;
hooks.shown = turn;

flaps(document);
turn();
setInterval(() => {
  page += 1;
  turn();
}, PAGE_MS);

/** Move the site's clock on, and mark departures that have become late. */
function tick() {
  flap(clock, time.format(new Date()));
  for (const departs of document.querySelectorAll('.flap[data-planned]')) {
    departs.classList.toggle('late', Number(departs.dataset.planned) < Date.now());
  }
}
tick();
setInterval(tick, 1_000);
