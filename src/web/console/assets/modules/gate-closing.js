import { closeQuestion, questionInputs } from './dialog.js';
import { keep } from './gate-finish.js';
import { isPallet, readOnPage, standingOf } from './gate-list.js';
import { lastFour } from './pallet-name.js';
import { submitReadings } from './scan-box.js';
import { t } from './words.js';

/** The pallet that the label of a text has, as far as the page knows. Undefined for other texts. */
function palletOf(text) {
  const reading = readOnPage(text);
  const found = standingOf(reading);
  return isPallet(reading) || ['LISTED', 'ABOARD'].includes(found.standing) ? found : undefined;
}

/** A button that loads a pallet of the truck that is still missing. The question is asked again with its inputs. */
function loadButton(form, text, pallet) {
  const button = Object.assign(document.createElement('button'), {
    ...{ type: 'button', className: 'button' },
    textContent: t('tablet.loadMissing', { pallet: lastFour(pallet) }),
  });
  button.onclick = () => {
    keep(form);
    closeQuestion();
    submitReadings(text);
  };
  return button;
}

/**
 * Put the last accepted text back into an input that contains the label of a pallet, and show why. If the truck expects the
 * pallet, offer to load it. Returns whether the input contained one.
 */
function refusePallet(box) {
  const field = box.closest('[data-scanned]');
  field.querySelector('.error')?.remove();
  field.querySelector('.button')?.remove();
  const text = box.value;
  const found = text.trim() === '' ? undefined : palletOf(text);
  box.ariaInvalid = found ? 'true' : null;
  if (!found) {
    box.defaultValue = text;
    return false;
  }
  box.value = box.defaultValue;
  const error = Object.assign(document.createElement('p'), {
    ...{ className: 'error', id: `${box.id}-error`, role: 'alert' },
    textContent: t('tablet.isPallet', { field: field.querySelector('label').textContent }),
  });
  box.setAttribute('aria-describedby', error.id);
  box.closest('.field').append(error);
  if (found.standing === 'LISTED') field.append(loadButton(box.form, text, found.name));
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
document.addEventListener('change', ({ target }) => {
  // The accepted text is back in the input, and the offer to load the refused pallet stays.
  if (questionInputs().includes(target) && target.value !== target.defaultValue) refusePallet(target);
});
