import { gluedIn } from '../../../../pallet/identifier.ts';
import { withoutTypedEnd } from '../../../../pallet/reading-ends.ts';
import { showAnswer } from './gate-answer.js';
import { readOnPage } from './gate-list.js';
import { scanBox, submitReadings } from './scan-box.js';
import { t } from './words.js';

/** A scanner types a character in at most this time, on average. People type more slowly. */
const CHARACTER_MS = 50;
/** After this time without a further character, the text of a scanner is complete. */
const PAUSE_MS = 500;
/** The shortest text that is recognized as a scan by its speed. */
const LENGTH_MINIMUM = 6;

/** When the first character came into the empty input. */
let began = 0;
/** Whether a person has pasted or dropped a part of the text. */
let isPasted = false;
let timer;

document.addEventListener('beforeinput', ({ target, inputType, timeStamp }) => {
  if (target !== scanBox()) return;
  if (target.value === '') [began, isPasted] = [timeStamp, false];
  isPasted ||= /^insertFrom(?:Paste|Drop)/.test(inputType);
});

// Some scanners send no Enter. A text that they type at once is complete after a pause.
document.addEventListener('input', ({ target, timeStamp }) => {
  if (target !== scanBox()) return;
  clearTimeout(timer);
  const { value } = target;
  const isQuick = timeStamp - began <= value.length * CHARACTER_MS;
  if (isQuick && !isPasted && value.length >= LENGTH_MINIMUM)
    timer = setTimeout(() => target.value === value && end(value), PAUSE_MS);
});

/** Send a text that is an SSCC, several of them, or has a typed end. Any other text could be incomplete. */
function end(text) {
  const reading = readOnPage(text);
  const isComplete =
    reading.sscc !== undefined || gluedIn(reading).length > 0 || withoutTypedEnd(text.trim()) !== text.trim();
  if (isComplete) submitReadings(text);
  else showAnswer('doubt', t('tablet.noEnter'), '', { more: t('tablet.setEnter') });
}
