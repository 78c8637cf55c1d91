import { isAllocated, palletsEnding, palletsMeant, readIdentifier } from '../../../../core/lib/identifier.ts';
import { pageUser } from './page-user.js';
import { t } from './words.js';

const held = () => document.getElementById('held').dataset;

/** Read the identifier of a pallet, also in the URIs of this organization. */
export const readOnPage = (text) => readIdentifier(text, held().organization);

/** The pallets of the loads in progress, as the page has them. */
function heldList() {
  const { open, aboard, whole, markers } = held();
  const pallets = [...JSON.parse(open), ...JSON.parse(aboard)].map(([wmsId, markerCode, record]) => ({
    ...{ wmsId, markerCode, record },
  }));
  return { pallets, isWhole: whole !== undefined, markers: JSON.parse(markers) };
}

/** The badges that the page knows, as `[hash, name of the worker]`. */
export const heldBadges = () => JSON.parse(held().badges ?? '[]');

/** Whether a reading is an SSCC or a marker of the organization. */
export function isPallet({ sscc, marker }) {
  const [first, last] = heldList().markers;
  return sscc !== undefined || (marker !== null && isAllocated(marker, { first, last }));
}

/**
 * Whether a reading is on the list that the page has: a key of `STANDINGS`. With it the pallet and its record, if the
 * list has them.
 */
export function standingOf(reading) {
  const { pallets, isWhole } = heldList();
  const [pallet, ...others] = palletsMeant(reading, pallets).pallets;
  if (pallet && others.length === 0) {
    const { wmsId: name, record } = pallet;
    return { name, record, standing: record ? 'LISTED' : 'ABOARD' };
  }
  // Where tablets ask for badges, a text that is no pallet may be the badge of the next worker.
  const isKnown = !pallet && isWhole && (pageUser().asks !== 'BADGE' || isPallet(reading));
  return { name: reading.sscc ?? reading.text, standing: isKnown ? 'NOT_LISTED' : 'UNCHECKED' };
}

/** The question which pallet of the list a reading means that is only the end of an id. Undefined for any other reading. */
export function questionOf(reading) {
  const { pallets } = heldList();
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
