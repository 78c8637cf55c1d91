import { readingsOf } from '../../../../pallet/identifier.ts';
import { isTypingOutside } from './board-parts.js';
import { closeQuestion, focusQuestionInput } from './dialog.js';
import { badgeField, needsWorker } from './page-user.js';

/** The input for scans, or for the badge or PIN of the worker that the page asks for; null if the user may not scan. */
export const scanBox = () => (needsWorker() && badgeField()) || document.getElementById('scan');

/**
 * Focus the input for scans. An open dialog or popover keeps the focus. So does a field outside of the sent form, because
 * the user may type in it.
 */
export function focusScanBox(sent) {
  const box = scanBox();
  moveReading(box);
  if (document.querySelector('dialog[open], :popover-open') || isTypingOutside(sent)) return;
  box?.focus({ preventScroll: true });
}

/**
 * A scanner types while the input for badges and the input for scans change places. Move the first half of its reading to
 * the input that gets the second half. A PIN, which is typed by hand, is not shown in another input.
 */
function moveReading(box) {
  const former = ['scan', 'badge'].map((id) => document.getElementById(id)).find((one) => one && one !== box);
  if (!box || !former?.value || former.type === 'password') return;
  box.value = former.value + box.value;
  former.value = '';
}

// After a question the browser would return the focus to the button, which may be gone.
let isQuestionOver = false;
document.addEventListener(
  'close',
  () => {
    isQuestionOver = true;
    focusScanBox();
  },
  true,
);
// A finger that has confirmed the question is lifted over the page, and takes the focus to it.
document.addEventListener('click', ({ pointerType }) => {
  if (isQuestionOver && pointerType === 'touch' && document.activeElement.tabIndex < 0) focusScanBox();
  isQuestionOver = false;
});

// A hand scanner types into the focused element. Move the focus to the input, so that its Enter presses no
// button.
document.addEventListener(
  'keydown',
  (event) => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input:not([type="radio"], [type="checkbox"]), textarea, select')) return;
    // A text that a question asks for is no pallet.
    if (focusQuestionInput()) return;
    closeQuestion();
    document.querySelector(':popover-open')?.hidePopover();
    focusScanBox();
  },
  true,
);
// On touch screens the keyboard would cover the page. Show it only after a tap on the input.
if (matchMedia('(pointer: coarse)').matches) {
  for (const box of document.querySelectorAll('#scan, #badge')) box.setAttribute('inputmode', 'none');
  document.addEventListener('pointerdown', (event) => {
    if (event.target === scanBox()) scanBox().removeAttribute('inputmode');
  });
}

const LINE_ENDS = /[\t\r\n]/;

/** Send each reading of a text by itself. */
export function submitReadings(text) {
  const box = scanBox();
  for (const reading of readingsOf(text)) {
    box.value = reading;
    box.form.requestSubmit();
  }
}

// Some scanners type two line ends. The browser would cover the answer with its message about the empty input.
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (key === 'Enter' && target === scanBox() && target.value.trim() === '') event.preventDefault();
});

// Some scanners type Tab after each text. In an empty input, Tab moves the focus as usual.
document.addEventListener('keydown', (event) => {
  const { target, key, shiftKey } = event;
  if (key !== 'Tab' || shiftKey || target !== scanBox() || target.value.trim() === '') return;
  event.preventDefault();
  submitReadings(target.value);
});

/** A program puts several readings into the input at once. Browsers would join their lines. */
function inserted(event, text) {
  if (event.target !== scanBox() || !LINE_ENDS.test(text)) return;
  event.preventDefault();
  submitReadings(event.target.value + text);
}
document.addEventListener('paste', (event) => inserted(event, event.clipboardData.getData('text')));
document.addEventListener('beforeinput', (event) => inserted(event, event.data ?? ''));
