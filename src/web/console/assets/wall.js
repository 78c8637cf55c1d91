import { hooks } from './live.js';
import { t } from './modules/words.js';

/** How long each page is shown, if not all gates fit on one. */
const PAGE_MS = 10_000;
/** Gates on one page. */
const ROWS = 8;

const clock = document.getElementById('clock');
const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: clock.dataset.zone,
});
let page = 0;

/** Show a time on tiles, one for each character. */
function showTime(element, text) {
  const tiles = [...text].map((sign) =>
    Object.assign(document.createElement('i'), { textContent: sign, className: sign === ':' ? 'colon' : '' }),
  );
  element.replaceChildren(...tiles);
}

const showTimes = (root) => {
  for (const element of root.querySelectorAll('time.flap')) showTime(element, element.textContent.trim());
};

/**
 * Show the current page of gates. Gates with a wrong pallet or a late departure are on every page. If there are several
 * pages, each of these gates is one line, half as high as a row, so that the other gates come soon.
 */
function showRows() {
  const rows = [...document.querySelectorAll('.wall-rows > li')];
  const isPaged = rows.length > ROWS;
  // The first rows of the wall. A quarter of the wall is left for the other gates.
  const urgent = rows
    .filter(({ dataset }) => dataset.state === 'WRONG' || dataset.late !== undefined)
    .slice(0, ROWS * (isPaged ? 1.5 : 1));
  const others = rows.filter((row) => !urgent.includes(row));
  for (const row of rows) row.classList.toggle('brief', isPaged && urgent.includes(row));
  const room = ROWS - Math.ceil(urgent.length / (isPaged ? 2 : 1));
  const pages = Math.max(1, Math.ceil(others.length / room));
  page %= pages;
  for (const row of rows) row.hidden = true;
  for (const row of [...urgent, ...others.slice(page * room, (page + 1) * room)]) row.hidden = false;
  document.getElementById('pages').textContent = pages > 1 ? t('wall.page', { page: page + 1, pages }) : '';
}

hooks.beforeUpdate = showTimes;
hooks.afterUpdate = showRows;

showTimes(document);
showRows();
setInterval(() => {
  page += 1;
  showRows();
}, PAGE_MS);

/** Update the clock, and mark departures that are late. */
function tick() {
  showTime(clock, time.format(new Date()));
  for (const departs of document.querySelectorAll('.flap[data-planned]')) {
    departs.classList.toggle('late', Number(departs.dataset.planned) < Date.now());
  }
}
tick();
setInterval(tick, 1_000);
