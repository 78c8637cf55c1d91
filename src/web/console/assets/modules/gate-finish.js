import { signaturePad } from '../../../pages/assets/sign-pad.js';
import { refuse } from './board-parts.js';
import { isQuestion, offlineText } from './dialog.js';
import { showAnswer } from './gate-answer.js';
import { t } from './words.js';

/** An action that is not queued waits for this long until the queues are empty. */
const WAIT_MS = 60_000;
/** The form that waits, and the time until which it may be sent. */
let waiting;

/**
 * Whether an action that is not queued must wait, because scans, presses or photos are not sent. With a connection it is
 * sent when the queues are empty. Without one it is refused, because its answer comes from the service. The page says so.
 */
export function mustWait(form, { isLost, items, photos }, showRefused) {
  const isAsked = isQuestion(form);
  if (isLost && isAsked) {
    refuse(offlineText(), form);
    return true;
  }
  if (items.length + photos.length === 0) return false;
  const reason = t(items.length === 0 ? 'tablet.photoFirst' : 'tablet.first');
  if (isAsked || items.length === 0) refuse(reason, form);
  else if (isLost) showRefused(reason);
  else showAnswer('hold', t('tablet.waiting'));
  if (!isLost) waiting = { form, isAsked, until: Date.now() + WAIT_MS };
  return true;
}

/** Send the form that waits, if nothing is queued and the page still shows it. A photo that was refused keeps it open. */
export function sendAfterQueue(senders) {
  if (!waiting || senders.some(({ items }) => items.length > 0)) return;
  const { form, isAsked, until } = waiting;
  waiting = undefined;
  if (form.isConnected && isAsked === isQuestion(form) && Date.now() < until) form.requestSubmit();
}

/** The place in the storage of the tab for the inputs of a question, while the tab shows another page. */
const keptOf = (form) => `finish ${form.elements.thing.value}`;

/** The question is left for a signature on a phone, or for a pallet. Its inputs are kept, except a name without lines. */
export function keep(form) {
  const { vehicle, seal, why, whyNote, signerName, strokes } = Object.fromEntries(new FormData(form));
  const signed = JSON.parse(strokes || '[]').length > 0 && { signerName, strokes };
  sessionStorage.setItem(keptOf(form), JSON.stringify({ vehicle, seal, why, whyNote, ...signed }));
}

/** Fill in the inputs that were kept, once. */
function restore(form) {
  const kept = JSON.parse(sessionStorage.getItem(keptOf(form)) ?? '{}');
  sessionStorage.removeItem(keptOf(form));
  for (const [name, value] of Object.entries(kept))
    if (form.elements[name]) form.elements[name].value = value;
}

// The question before a truck leaves has a field for the signature of the driver, unless the driver has signed. Its lines
// are sent with the form.
document.addEventListener('asked', () => {
  const form = document.querySelector('dialog[open] [data-finish]')?.closest('form');
  if (!form) return;
  restore(form);
  const canvas = form.querySelector('canvas');
  if (!canvas) return;
  form.querySelector('.signs a').addEventListener('click', () => keep(form));
  const said = form.querySelector('[data-said]');
  const { full, ...box } = canvas.dataset;
  const numbers = Object.fromEntries(Object.entries(box).map(([key, value]) => [key, Number(value)]));
  const say = (text) => {
    said.textContent = text;
  };
  const pad = signaturePad(canvas, numbers, { drawn: () => say(''), full: () => say(full) });
  // The question is shown again: the drawing stays.
  const drawn = form.elements.strokes.value;
  if (drawn) pad.strokes = JSON.parse(drawn);
  form.querySelector('[data-clear]').onclick = () => {
    pad.strokes = [];
    say('');
  };
  form.addEventListener('formdata', ({ formData }) => formData.set('strokes', JSON.stringify(pad.strokes)));
});
