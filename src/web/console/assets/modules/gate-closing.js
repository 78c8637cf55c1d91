import { questionInputs } from './dialog.js';
import { isPallet, readOnPage, standingOf } from './gate-list.js';
import { t } from './words.js';

/** Whether a text is the label of a pallet, as far as the page knows. */
function isOfPallet(text) {
  const reading = readOnPage(text);
  return isPallet(reading) || ['LISTED', 'ABOARD'].includes(standingOf(reading).standing);
}

/**
 * Put the last accepted text back into an input that contains the label of a pallet, and show why. Returns whether it
 * contained one.
 */
function refusePallet(box) {
  const field = box.closest('[data-scanned]');
  field.querySelector('.error')?.remove();
  const isRefused = box.value.trim() !== '' && isOfPallet(box.value);
  box.ariaInvalid = isRefused ? 'true' : null;
  if (!isRefused) {
    box.defaultValue = box.value;
    return false;
  }
  box.value = box.defaultValue;
  const error = Object.assign(document.createElement('p'), {
    ...{ className: 'error', id: `${box.id}-error`, role: 'alert' },
    textContent: t('tablet.isPallet', { field: field.querySelector('label').textContent }),
  });
  box.setAttribute('aria-describedby', error.id);
  box.closest('.field').append(error);
  return true;
}

// A scanner ends its text with Enter or Tab. The next text belongs to the next input.
document.addEventListener('keydown', (event) => {
  const { target: box, key, shiftKey } = event;
  if (!(key === 'Enter' || key === 'Tab') || shiftKey || !questionInputs().includes(box)) return;
  const next = refusePallet(box) ? box : (questionInputs()[questionInputs().indexOf(box) + 1] ?? box);
  if (key === 'Tab' && next === box && box.ariaInvalid !== 'true') return;
  event.preventDefault();
  next.focus();
  next.select();
});
document.addEventListener(
  'change',
  ({ target }) => questionInputs().includes(target) && refusePallet(target),
);
