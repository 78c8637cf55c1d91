import { lastFour, palletName } from './pallet-name.js';
import { undoButton } from './undo-button.js';
import { t } from './words.js';

const element = document.getElementById('answer');

/** The key of the queued item that the answer is about, if the answer has an undo button. */
let undoable;
export const undoableKey = () => undoable;

/**
 * Show the result of the last scan or press by a colour, a text, and the last digits of the pallet. `undo` adds a button.
 * It has the key of the queued item, and the function to call. `start` adds the button that starts a load: its text, the
 * name of the load, and the function to call.
 */
export function showAnswer(tone, title, name = '', { more = '', undo, start } = {}) {
  const words = document.createElement('div');
  words.append(Object.assign(document.createElement('b'), { textContent: title }), palletName(name));
  if (more) words.append(Object.assign(document.createElement('span'), { textContent: more }));
  const last = Object.assign(document.createElement('b'), {
    className: 'last',
    textContent: lastFour(name),
    ariaHidden: 'true',
  });
  undoable = undo?.key;
  element.className = `ans ${tone}`;
  element.removeAttribute('data-code');
  element.replaceChildren(
    words,
    ...(undo ? [undoButton(name, undo.press)] : []),
    ...(start ? [startButton(start)] : []),
    last,
  );
  alsoShow(tone, title, name, undo);
}

function startButton({ text, name, press }) {
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button' });
  button.dataset.start = '';
  button.append(
    `${text} `,
    Object.assign(document.createElement('span'), { className: 'of', textContent: name }),
  );
  button.onclick = () => press(button);
  return button;
}

/** End the offer to start a load: another one is being loaded now. */
export const endStart = () => element.querySelector('[data-start]')?.remove();

/** End the offer to undo the queued item with a key, if the answer still shows it. */
export function endUndo(key) {
  if (undoable !== key) return;
  undoable = undefined;
  element.querySelector('[data-undo]')?.remove();
  const also = document.getElementById('also');
  if (also) also.hidden = true;
}

/** Scroll the result of a scan into view. On a phone it must not be behind the buttons at the bottom. */
export function revealAnswer() {
  const buttons = document.querySelector('.gfoot');
  document.documentElement.style.scrollPaddingBottom = `${buttons?.offsetHeight ?? 0}px`;
  element.scrollIntoView({ block: 'nearest' });
}

/** While a warning covers the page, pallets are loaded and taken off. Show that in the warning, too. */
function alsoShow(tone, title, name, undo) {
  const also = document.getElementById('also');
  if (!also) return;
  also.hidden = tone !== 'ok' && !undo;
  if (also.hidden) return;
  also.textContent = name ? t('text.labelled', { label: title, value: name }) : title;
  if (undo) also.append(' ', undoButton(name, undo.press));
}

/** Show the result from the page that answered a form. */
export function showAnsweredPage(page) {
  const answered = page.getElementById('answer');
  undoable = undefined;
  element.className = answered.className;
  element.replaceChildren(...document.adoptNode(answered).childNodes);
}
