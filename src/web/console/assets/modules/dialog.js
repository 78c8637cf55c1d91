import { REQUEST_MS } from './net.js';
import { t } from './words.js';

/** How long a finger must hold a button whose action cannot be undone. */
const HOLD_MS = 800;

let dialog = null;

/** Show the confirmation of a page in a dialog. Returns false if the page has no confirmation. */
export function showQuestion(page) {
  const asked = page.getElementById('asked');
  if (!asked) return false;
  const title = Object.assign(document.createElement('h2'), {
    id: 'question-title',
    textContent: page.querySelector('h1')?.textContent ?? page.title,
  });
  open(title, document.adoptNode(asked));
  dialog.setAttribute('aria-labelledby', title.id);
  // A scanner sends Enter after its text. That must not confirm anything.
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && event.target.localName === 'input') event.preventDefault();
  });
  // On touch screens the keyboard would cover the question. Show it only after a tap on an input.
  if (matchMedia('(pointer: coarse)').matches)
    for (const input of questionInputs()) input.setAttribute('inputmode', 'none');
  if (!focusQuestionInput()) dialog.querySelector('[data-back]')?.focus();
  document.dispatchEvent(new Event('asked'));
  return true;
}

/** The last input of a question that had the focus. */
let last = null;

/**
 * Move the focus to the input of the question that takes the next scan: a refused one, the first empty one, or else the
 * last used one. Returns false if no question with such an input is open.
 */
export function focusQuestionInput() {
  const inputs = questionInputs();
  const next =
    inputs.find(({ ariaInvalid }) => ariaInvalid === 'true') ??
    inputs.find(({ value }) => value === '') ??
    inputs.find((input) => input === last) ??
    inputs[0];
  next?.focus();
  // A dialog that opens at a refused input has given it the focus already.
  next?.select();
  return next !== undefined;
}

/** The inputs of the open question for texts that a scanner may type. */
export const questionInputs = () => [...(dialog?.querySelectorAll('[data-scanned] input') ?? [])];

document.addEventListener('pointerdown', ({ target }) => {
  if (questionInputs().includes(target)) target.removeAttribute('inputmode');
});

document.addEventListener('focusin', ({ target }) => {
  if (!questionInputs().includes(target)) return;
  last = target;
  // A scan replaces the text instead of extending it.
  target.select();
});

function open(...content) {
  closeQuestion();
  const own = document.createElement('dialog');
  own.className = 'question';
  own.append(...content);
  own.addEventListener('close', () => own.remove());
  document.body.append(own);
  own.showModal();
  dialog = own;
}

export function closeQuestion() {
  dialog?.close();
  dialog = null;
}

/** Whether a form is in the open dialog. */
export const isQuestion = (form) => dialog?.contains(form) ?? false;

/** The texts of the page about items that wait to be sent. */
const waitingTexts = () =>
  [...document.querySelectorAll('#offline:not([hidden]), #photos:not([hidden]) > p')].map(
    ({ textContent }) => textContent,
  );

/** The reason why nothing can be confirmed without a connection, with the items that wait. */
export const offlineText = () => [t('dialog.offline'), ...waitingTexts()].join(' ');

/** Show in a dialog why the confirmation could not be loaded. */
function showRefusal(text) {
  const message = Object.assign(document.createElement('p'), { textContent: text, role: 'alert' });
  const back = Object.assign(document.createElement('button'), {
    className: 'button quiet',
    textContent: t('dialog.back'),
  });
  back.dataset.back = '';
  open(message, back);
}

document.addEventListener('click', async (event) => {
  const back = event.target.closest?.('dialog.question [data-back]');
  if (back) {
    event.preventDefault();
    closeQuestion();
    return;
  }
  const link = event.target.closest?.('a[data-ask]');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.getAttribute('aria-busy') === 'true') return;
  link.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(link.href, {
      headers: { Accept: 'text/html' },
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!showQuestion(page)) location.assign(link.href);
  } catch {
    showRefusal(offlineText());
  }
  link.removeAttribute('aria-busy');
});

// --- hold to confirm: a glove that touches a button by accident does not hold it ---------------------------

let held = null;

document.addEventListener('pointerdown', (event) => {
  const button = event.target.closest?.('[data-hold]');
  if (!button || event.pointerType !== 'touch') return;
  button.classList.add('holding');
  held = { button, done: false, timer: setTimeout(() => finish(button), HOLD_MS) };
});

function finish(button) {
  held.done = true;
  button.classList.remove('holding');
  navigator.vibrate?.(60);
  button.form.requestSubmit(button);
}

/** Say after a short tap that the button must be held. If a reason is missing, the browser asks for it. */
function tellToHold(button) {
  if (!button.form.reportValidity()) return;
  document.querySelector('.hold-told')?.remove();
  const told = Object.assign(document.createElement('p'), {
    className: 'hold-told',
    role: 'status',
    textContent: t('dialog.hold'),
  });
  button.parentElement.prepend(told);
}

for (const name of ['pointerup', 'pointercancel', 'pointerleave']) {
  document.addEventListener(name, () => {
    if (!held || held.done) return;
    clearTimeout(held.timer);
    held.button.classList.remove('holding');
    held = null;
  });
}

// The click of a finger is ignored: it must hold. A click by mouse, keyboard or screen reader confirms.
document.addEventListener(
  'click',
  (event) => {
    const button = event.target.closest?.('[data-hold]');
    if (!button || event.pointerType !== 'touch') return;
    event.preventDefault();
    if (!held?.done) tellToHold(button);
    held = null;
  },
  true,
);
document.addEventListener('contextmenu', (event) => {
  if (event.target.closest?.('[data-hold]')) event.preventDefault();
});
