import './modules/aside.js';
import './modules/dialog.js';
import './modules/drafts.js';
import { t } from './modules/words.js';

/** The messages about a duration from now. The word for days has another case in each of them. */
const WITH_DAYS = { 'when.in': 'when.inDays', 'when.ago': 'when.daysAgo', 'when.late': 'when.daysLate' };

/** A duration from now, or a delay, in words. The server uses the same words (`src/messages/duration.ts`). */
function when(key, milliseconds) {
  const all = Math.round(Math.abs(milliseconds) / 60_000);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours >= 48) return t(WITH_DAYS[key], { count: Math.round(hours / 24) });
  if (hours === 0) return t(key, { distance: t('when.minutes', { minutes }) });
  const distance = minutes === 0 ? t('when.hours', { hours }) : t('when.hoursMinutes', { hours, minutes });
  return t(key, { distance });
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Update the clocks and distances in time while the page is open.
setInterval(() => {
  const now = Date.now();
  for (const clock of document.querySelectorAll('[data-clock]')) {
    const format = { timeZone: clock.dataset.clock, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    setText(clock, new Intl.DateTimeFormat('en-GB', format).format(now));
  }
  for (const departure of document.querySelectorAll('.departure[data-departs]')) {
    const left = Number(departure.dataset.departs) - now;
    const text = departure.querySelector('small');
    text.className = left < 0 ? 'late' : '';
    setText(text, when(left < 0 ? 'when.late' : 'when.in', left));
  }
  for (const text of document.querySelectorAll('[data-away]')) {
    const left = Number(text.dataset.away) - now;
    if (Math.abs(left) >= 60_000) setText(text, when(left > 0 ? 'when.in' : 'when.ago', left));
  }
}, 15_000);

/** Between two characters of a scanner pass at most this many milliseconds. People type more slowly. */
const SCANNER_GAP_MS = 50;
/** The shortest text that is recognized as a scan by its speed. */
const SCAN_LENGTH_MINIMUM = 6;
/** The number of characters that were typed into the search box at the speed of a scanner, and when the last one was. */
let quick = { count: 0, date: 0 };

// Some scanners type Tab after each text. In the search box it starts the search, as Enter does. A Tab that a person
// presses moves the focus.
document.addEventListener('keydown', (event) => {
  const { target, key, shiftKey, ctrlKey, metaKey, altKey, timeStamp } = event;
  if (target.id !== 'search' || ctrlKey || metaKey || altKey) return;
  const isQuick = timeStamp - quick.date <= SCANNER_GAP_MS;
  if (key.length === 1) quick = { count: isQuick ? quick.count + 1 : 1, date: timeStamp };
  if (key !== 'Tab' || shiftKey || !isQuick || quick.count < SCAN_LENGTH_MINIMUM) return;
  event.preventDefault();
  target.form.requestSubmit();
});

/** The first character of a scan: a digit, or the start of an application or symbology identifier. */
const SCAN_START = /^[\d(\]]$/;

/**
 * The text that a user types while the palette loads. Without this it would be lost, and Enter would press what has the
 * focus.
 */
let typedAhead;
document.addEventListener(
  'keydown',
  (event) => {
    if (typedAhead === undefined || event.ctrlKey || event.metaKey) return;
    const isCharacter = event.key.length === 1;
    // Other keys, such as Tab, work as always.
    if (!isCharacter && event.key !== 'Backspace' && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Backspace') typedAhead = typedAhead.slice(0, -1);
    else if (isCharacter) typedAhead += event.key;
  },
  true,
);

// Ctrl+K or ⌘K opens the command palette, and `?` the list of keys. Both are for signed-in users.
document.addEventListener('keydown', async (event) => {
  if (event.altKey || event.isComposing || !document.getElementById('search')) return;
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
    event.preventDefault();
    typedAhead = '';
    try {
      const { togglePalette } = await import('./modules/palette.js');
      await togglePalette(() => typedAhead);
    } finally {
      typedAhead = undefined;
    }
  } else if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) {
    event.preventDefault();
    const { showKeys } = await import('./modules/palette.js');
    await showKeys();
  }
});

const isTyping = (target) => target.closest('input, textarea, select, dialog, [contenteditable]') !== null;

// `/` focuses the search box. So does a scan while no field has the focus: its first character lands in the
// box.
document.addEventListener('keydown', (event) => {
  const box = document.getElementById('search');
  if (!box || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target)) return;
  if (event.key === '/') {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (SCAN_START.test(event.key)) {
    box.value = '';
    box.focus();
  }
});
