import {
  gluedIn,
  isAllocated,
  palletsEnding,
  palletsMeant,
  readIdentifier,
} from '../../../../pallet/identifier.ts';
import { isCached } from './board-parts.js';
import { pageUser } from './page-user.js';
import { t } from './words.js';

const held = () => document.getElementById('held').dataset;

/** Read the identifier of a pallet, also in the URIs of this organization. */
export const readOnPage = (text) => readIdentifier(text, held().organization);

/** The pallets of the loads in progress, and of the loads that are ready, as the page has them. */
function heldList() {
  const { open, aboard, ready, whole, markers } = held();
  const rows = (text) =>
    JSON.parse(text).map(([wmsId, markerCode, record, load]) => ({ wmsId, markerCode, record, load }));
  return {
    pallets: [...rows(open), ...rows(aboard)],
    ready: rows(ready),
    isWhole: whole !== undefined,
    markers: JSON.parse(markers),
  };
}

/** The badges that the page knows, as `[hash, name of the worker]`. */
export const heldBadges = () => JSON.parse(held().badges ?? '[]');

/** Whether a reading is an SSCC or a marker of the organization. */
export function isPallet({ sscc, marker }) {
  const [first, last] = heldList().markers;
  return sscc !== undefined || (marker !== null && isAllocated(marker, { first, last }));
}

/** The numbers of several pallets that a scanner without Enter has typed as one text. Empty for any other text. */
export function gluedOnPage(reading) {
  const { pallets, markers } = heldList();
  const [first, last] = markers;
  return palletsMeant(reading, pallets).way === 'ID' ? [] : gluedIn(reading, { first, last });
}

/**
 * The standing of a pallet of a load that is ready. If Start was pressed and waits (`items`), the pallet is on the list. A
 * cached page does not know whether the loading has begun.
 */
function standingBeforeStart(load, items) {
  const isStarted = items.some(({ action, fields }) => action === 'start' && fields.thing === load);
  return isStarted ? 'LISTED' : isCached() ? 'UNCHECKED' : 'READY';
}

/**
 * Whether a reading is on the list that the page has: a key of `STANDINGS`. With it the pallet and its record, if the list has
 * them. `items` are the queued items.
 */
export function standingOf(reading, items = []) {
  const { pallets, ready, isWhole } = heldList();
  const [pallet, ...others] = palletsMeant(reading, [...pallets, ...ready]).pallets;
  if (pallet && others.length === 0) {
    const { wmsId, record, load } = pallet;
    const standing = load ? standingBeforeStart(load, items) : record ? 'LISTED' : 'ABOARD';
    return { name: wmsId, pallet: wmsId, record, standing };
  }
  // Where tablets ask for badges, a text that is no pallet may be the badge of the next worker.
  const isKnown = !pallet && isWhole && (pageUser().asks !== 'BADGE' || isPallet(reading));
  return { name: reading.sscc ?? reading.text, standing: isKnown ? 'NOT_LISTED' : 'UNCHECKED' };
}

/** The question which pallet of the list a reading means that is only the end of an id. Undefined for any other reading. */
export function questionOf(reading) {
  const held = heldList();
  const pallets = [...held.pallets, ...held.ready];
  if (isPallet(reading) || palletsMeant(reading, pallets).pallets.length > 0) return undefined;
  const ending = palletsEnding(reading, pallets);
  return ending.length === 0
    ? undefined
    : {
        question: t('tablet.ending', { text: reading.text }),
        said: '',
        choices: ending.map(({ wmsId, markerCode }) => ({ pallet: wmsId, note: String(markerCode ?? '') })),
      };
}
