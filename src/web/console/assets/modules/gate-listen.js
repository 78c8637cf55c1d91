import { closeQuestion } from './dialog.js';

/** The box that takes scans; null where the user may not scan. */
export const box = () => document.getElementById('scan');

/** Give the box the focus, unless a dialog or popover is open. */
export function listen() {
  if (document.querySelector('dialog[open], :popover-open')) return;
  box()?.focus({ preventScroll: true });
}

// A hand scanner types wherever the focus is: its text goes to the box, and its Enter presses no button.
document.addEventListener(
  'keydown',
  (event) => {
    if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.('input:not([type="radio"], [type="checkbox"]), textarea, select')) return;
    closeQuestion();
    document.querySelector(':popover-open')?.hidePopover();
    listen();
  },
  true,
);
// Who scans with gloves does not type: no keyboard covers the screen until somebody taps the box for it.
if (matchMedia('(pointer: coarse)').matches) {
  box()?.setAttribute('inputmode', 'none');
  document.addEventListener('pointerdown', (event) => {
    if (event.target === box()) box().removeAttribute('inputmode');
  });
}
