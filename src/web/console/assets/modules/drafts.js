/**
 * Keeps the input of long forms in this tab, by user and page. So it is there again after a reload, and after a sign-in if the
 * session has ended. It is forgotten when the form was accepted.
 */
const PREFIX = 'draft ';
/** Inputs that are not kept. */
const UNKEPT = ['hidden', 'password', 'file', 'submit', 'button', 'fieldset'];
const SECRET = /password|secret|headerValue/i;

const keyOf = (form) => `${PREFIX}${form.dataset.draft} ${location.pathname}`;
const isTick = ({ type }) => type === 'checkbox' || type === 'radio';
const inputsOf = (form) =>
  [...form.elements].filter(({ name, type }) => name && !UNKEPT.includes(type) && !SECRET.test(name));

function save(form, isSent = false) {
  const ticked = inputsOf(form).filter((input) => !isTick(input) || input.checked);
  const values = ticked.map(({ name, value }) => [name, value]);
  try {
    sessionStorage.setItem(keyOf(form), JSON.stringify({ values, isSent }));
  } catch {
    // The browser stores nothing, or the input is too long.
  }
}

const hasOption = (input, value) => !input.options || [...input.options].some((one) => one.value === value);

/** Fill in the values, as pairs of name and value. */
function restore(form, values) {
  const left = [...values];
  for (const input of inputsOf(form)) {
    const at = left.findIndex(
      ([name, value]) => name === input.name && (!isTick(input) || value === input.value),
    );
    const [kept] = at < 0 ? [] : left.splice(at, 1);
    if (isTick(input)) input.checked = kept !== undefined;
    else if (kept && hasOption(input, kept[1])) input.value = kept[1];
  }
  for (const [name, value] of left) tickAgain(form, name, value);
}

/** Add a box that was ticked but is not on the page, such as a manifest that another search had found. */
function tickAgain(form, name, value) {
  const box = inputsOf(form).find((input) => input.name === name && input.type === 'checkbox');
  const label = box?.closest('label').cloneNode(true);
  if (!label) return;
  const input = label.querySelector('input');
  Object.assign(input, { value, checked: true });
  label.replaceChildren(input, ` ${value}`);
  box.closest('label').before(label);
}

/** Forget drafts that were sent, on a page with a success. A page for guests means that they were not sent. */
function settle() {
  const isAccepted = document.querySelector('#main > .notice[role="status"]') !== null;
  const isGuest = document.body.classList.contains('guest');
  for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX))) {
    const { values, isSent } = JSON.parse(sessionStorage.getItem(key));
    if (!isSent) continue;
    if (isAccepted) sessionStorage.removeItem(key);
    else if (isGuest) sessionStorage.setItem(key, JSON.stringify({ values, isSent: false }));
  }
}

function start() {
  settle();
  const form = document.querySelector('form[data-draft]');
  if (!form) return;
  const kept = JSON.parse(sessionStorage.getItem(keyOf(form)));
  // A form that the server shows again has newer values.
  if (form.dataset.typed !== undefined) save(form);
  else if (kept) {
    restore(form, kept.values);
    form.querySelector('.draft').hidden = false;
  }
}

try {
  start();
} catch {
  // The browser stores nothing.
}

document.addEventListener('input', ({ target }) => {
  if (target.form?.dataset.draft !== undefined) save(target.form);
});
document.addEventListener('submit', ({ target }) => {
  if (target.dataset.draft !== undefined) save(target, true);
});
document.addEventListener('click', ({ target }) => {
  const form = target.closest?.('.draft button')?.form;
  if (!form) return;
  form.reset();
  form.querySelector('.draft').hidden = true;
  sessionStorage.removeItem(keyOf(form));
});
