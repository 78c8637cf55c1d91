import './dialog.js';

/** How long until or since, as the server words it. */
function distance(milliseconds) {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours >= 48) return `${Math.round(hours / 24)} days`;
  return hours === 0 ? `${rest} min` : `${hours} h${rest === 0 ? '' : ` ${rest}`}`;
}

/** Put something in the place of a text that is not true any more. */
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
    say(said, left < 0 ? `${distance(left)} late` : `in ${distance(left)}`);
  }
  for (const said of document.querySelectorAll('[data-away]')) {
    const left = Number(said.dataset.away) - now;
    if (Math.abs(left) >= 60_000) say(said, left > 0 ? `in ${distance(left)}` : `${distance(left)} ago`);
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
