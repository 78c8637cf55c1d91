import './dialog.js';

/** Show instants in the viewer's zone; without this script they stand there in UTC. */
export function showLocalTimes(root) {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time[datetime]:not([data-site])')) {
    time.title = time.dateTime;
    time.textContent = form.format(new Date(time.dateTime));
  }
}

showLocalTimes(document);

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
