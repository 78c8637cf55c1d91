import './dialog.js';
import { t } from './words.js';

// Show instants in the viewer's zone; without this script they stand there in UTC.
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time[datetime]:not([data-site])')) {
  time.title = time.dateTime;
  time.textContent = local.format(new Date(time.dateTime));
}

/** How long until or since, as the server words it. */
function distance(milliseconds) {
  const all = Math.round(Math.abs(milliseconds) / 60_000);
  const [hours, minutes] = [Math.floor(all / 60), all % 60];
  if (hours >= 48) return t('when.days', { count: Math.round(hours / 24) });
  if (hours === 0) return t('when.minutes', { minutes });
  return minutes === 0 ? t('when.hours', { hours }) : t('when.hoursMinutes', { hours, minutes });
}

// A departure comes nearer while a page stands open.
setInterval(() => {
  for (const departure of document.querySelectorAll('[data-departs]')) {
    const away = Number(departure.dataset.departs) - Date.now();
    const said = departure.querySelector('small');
    said.className = away < 0 ? 'late' : '';
    said.textContent = t(away < 0 ? 'when.late' : 'when.in', { distance: distance(away) });
  }
}, 30_000);

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
