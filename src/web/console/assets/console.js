import './modules/dialog.js';
import { t } from './modules/words.js';

/** How long until or since, as the server words it. */
function distance(milliseconds) {
  const all = Math.round(Math.abs(milliseconds) / 60_000);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours >= 48) return t('when.days', { count: Math.round(hours / 24) });
  if (hours === 0) return t('when.minutes', { minutes });
  return minutes === 0 ? t('when.hours', { hours }) : t('when.hoursMinutes', { hours, minutes });
}

/** Show a text in an element, unless it shows it already. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Time goes on while a page stands open.
setInterval(() => {
  const now = Date.now();
  for (const clock of document.querySelectorAll('[data-clock]')) {
    const format = { timeZone: clock.dataset.clock, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
    say(clock, new Intl.DateTimeFormat('en-GB', format).format(now));
  }
  for (const departure of document.querySelectorAll('[data-departs]')) {
    const left = Number(departure.dataset.departs) - now;
    const said = departure.querySelector('small');
    said.className = left < 0 ? 'late' : '';
    say(said, t(left < 0 ? 'when.late' : 'when.in', { distance: distance(left) }));
  }
  for (const said of document.querySelectorAll('[data-away]')) {
    const left = Number(said.dataset.away) - now;
    if (Math.abs(left) >= 60_000)
      say(said, t(left > 0 ? 'when.in' : 'when.ago', { distance: distance(left) }));
  }
}, 15_000);

/** What a scanner's text begins with: a digit, or what stands before an application identifier. */
const SCANNED = /^[\d(\]]$/;

// `/` leads to the one box, and so does what a scanner types where no field would take it: the character follows the focus.
document.addEventListener('keydown', (event) => {
  const box = document.getElementById('search');
  if (!box || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { target } = event;
  if (target.closest('input, textarea, select, dialog, [contenteditable]')) return;
  if (event.key === '/') {
    event.preventDefault();
    box.focus();
    box.select();
  } else if (SCANNED.test(event.key)) {
    box.value = '';
    box.focus();
  }
});
