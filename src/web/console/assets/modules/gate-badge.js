import { isPallet, readOnPage, standingOf } from './gate-list.js';
import { clearBadgeField, needsWorker, pageUser } from './page-user.js';
import { focusScanBox, scanBox } from './scan-box.js';
import { t } from './words.js';

/** Readings that wait until a worker is signed in. */
const remembered = [];
const REMEMBERED_MAXIMUM = 20;
/** The badge or PIN that is being sent. */
let typedSecret;

/** Keep readings until a worker is signed in. */
export function remember(...readings) {
  for (const reading of readings) remembered.push(reading);
  remembered.splice(0, remembered.length - REMEMBERED_MAXIMUM);
}

/** Returns the kept readings once a worker is signed in, each once. */
export const takeRemembered = () => (needsWorker() || scanBox()?.name !== 'scan' ? [] : remembered.splice(0));

/**
 * Whether a pallet was scanned in place of a badge or PIN, as far as the page knows. Then the text must not be sent,
 * and `refuse(text, name)` shows why. An SSCC is no badge. Other pallets are recognized by the server, or without a
 * connection by the list of the page.
 */
export function isPalletInstead(text, refuse) {
  typedSecret = text;
  const { asks } = pageUser();
  const reading = readOnPage(text);
  const isLost = document.body.dataset.feed === 'lost' && asks === 'BADGE';
  const isListed = () => isPallet(reading) || standingOf(reading).standing !== 'UNCHECKED';
  if (reading.sscc === undefined && !(isLost && isListed())) return false;
  remember(text);
  clearBadgeField();
  refuse(t('tablet.badgeFirst', { asks }), reading.sscc ?? reading.text);
  focusScanBox();
  return true;
}

/** Keep the text that was sent as a badge, if the server's answer says that it is a pallet. */
export function rememberIfPallet(page) {
  if (typedSecret !== undefined && page.getElementById('answer')?.dataset.code === 'workerRequired')
    remember(typedSecret);
  typedSecret = undefined;
}
