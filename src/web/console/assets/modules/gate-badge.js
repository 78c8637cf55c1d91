import { badgeKey, badgeProof, listedBadge } from '../../../../dispatch/tablet/badge-rules.ts';
import { heldBadges, isPallet, readOnPage, standingOf } from './gate-list.js';
import { newKey } from './net.js';
import { badgeField, needsWorker, pageUser } from './page-user.js';
import { focusScanBox } from './scan-box.js';
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
export const takeRemembered = () => (needsWorker() ? [] : remembered.splice(0));

const isLost = () => document.body.dataset.feed === 'lost';

/**
 * Whether a pallet was scanned in place of a badge or PIN, as far as the page knows. Then the text must not be sent. An
 * SSCC is no badge. Other pallets are recognized by the server, or without a connection by the list of the page.
 */
function isPalletInstead(reading) {
  if (reading.sscc !== undefined) return true;
  if (!isLost()) return false;
  const isListed = ['LISTED', 'ABOARD'].includes(standingOf(reading).standing);
  return isListed || (pageUser().asks === 'BADGE' && isPallet(reading));
}

/** Keep the text that was sent as a badge, if the server's answer says that it is a pallet. */
export function rememberIfPallet(page) {
  if (typedSecret !== undefined && page.getElementById('answer')?.dataset.code === 'workerRequired')
    remember(typedSecret);
  typedSecret = undefined;
}

/**
 * The worker whose badge a text is, according to the list of the page, with the proof for the service. On plain http
 * browsers have no functions for that.
 */
async function workerOf(text) {
  const badges = heldBadges();
  if (badges.length === 0 || !crypto.subtle) return undefined;
  const { organization } = document.getElementById('held').dataset;
  const proof = await badgeProof(await badgeKey(organization, text), pageUser().owner);
  const hash = await listedBadge(proof);
  const [, name] = badges.find(([listed]) => listed === hash) ?? [];
  return name === undefined ? undefined : { name, proof };
}

/** The comparison that is under way. */
let comparing;

/**
 * Call `begin` with the worker if a reading is a badge that the page knows, and `otherwise` with any other reading. A
 * badge is compared slowly. Later readings wait for that, because they belong to its worker.
 */
export function compareBadge(text, begin, otherwise) {
  const mayBe = heldBadges().length > 0 && standingOf(readOnPage(text)).standing === 'UNCHECKED';
  if (!comparing && !mayBe) {
    otherwise(text);
    return;
  }
  const own = Promise.resolve(comparing).then(async () => {
    const worker = mayBe ? await workerOf(text) : undefined;
    if (comparing === own) comparing = undefined;
    if (worker) begin(worker);
    else otherwise(text);
  });
  comparing = own;
}

/** Forms that the page has compared, and that the server checks now. */
const compared = new WeakSet();

/**
 * Take the badge or PIN of a form. The field is emptied at once. Without a connection, only a badge
 * that the page knows is accepted. Returns false for the server to check the text.
 */
export function takesBadge(form, text, { begin, refuse }) {
  if (compared.delete(form)) return false;
  const box = badgeField();
  box.value = '';
  const reading = readOnPage(text);
  if (isPalletInstead(reading)) {
    remember(text);
    refuse(t('tablet.badgeFirst', { asks: pageUser().asks }), reading.sscc ?? reading.text);
  } else compareBadge(text, begin, () => setTimeout(() => sendBadge(form, text, refuse)));
  focusScanBox();
  return true;
}

function sendBadge(form, text, refuse) {
  if (isLost()) {
    refuse(t(pageUser().asks === 'PIN' ? 'tablet.pinOffline' : 'tablet.unknownBadge'));
    return;
  }
  typedSecret = text;
  compared.add(form);
  // The answer to another badge must not come again.
  form.elements.key.value = newKey();
  badgeField().value = text;
  form.requestSubmit();
  badgeField().value = '';
}
