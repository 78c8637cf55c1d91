// Forms of custom fields. They also work without this script.

const zone = document.body.dataset.zone;
const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;

/** A picker's value for an instant. The local time is written as if it were UTC. */
const pickerText = (localMs) => new Date(localMs).toISOString().slice(0, 16);

/** The local time of the site, to the next five minutes, as if it were UTC. */
function siteNow() {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const local = format.format(Math.ceil(Date.now() / STEP_MS) * STEP_MS);
  return Date.parse(`${local.replace(' ', 'T')}Z`);
}

// A button moves a departure to later.
document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-later]');
  const input = button?.form.elements.namedItem(button.dataset.later);
  // A browser without pickers shows a text box. The server reads its text.
  if (input?.type !== 'datetime-local') return;
  event.preventDefault();
  const before = input.value === '' ? siteNow() : Date.parse(`${input.value}Z`);
  input.value = pickerText(before + Number(button.dataset.minutes) * MINUTE_MS);
});

// Say that a name is not in the list of known names. An incomplete list shows no such hint.
document.addEventListener('input', ({ target }) => {
  const hint = target.list && target.form?.querySelector(`[data-new="${target.list.id}"]`);
  if (!hint || target.list.dataset.whole === undefined) return;
  const typed = target.value.trim();
  hint.hidden = typed === '' || [...target.list.options].some(({ value }) => value === typed);
});

// Make the form behind a pencil ready for typing. The event `toggle` would come late: a letter typed before it would be
// selected and overwritten.
document.addEventListener('click', (event) => {
  const pencil = event.target.closest?.('.pencil > summary')?.parentElement;
  if (!pencil || pencil.open) return;
  event.preventDefault();
  pencil.open = true;
  const input = pencil.querySelector('input:not([type="hidden"]), select');
  input?.focus();
  if (input?.type === 'text') input.select();
});
