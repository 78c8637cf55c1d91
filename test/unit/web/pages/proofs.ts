import type { ProofLinks, Telling } from '../../../../src/web/pages/proof-columns.ts';
import type { ProofData } from '../../../../src/web/pages/proof-data.ts';
import { plainWordsIn } from '../../../messages.ts';

const ORIGIN = 'https://dispatch.example.com';

/** The links of the golden document. */
export const GOLDEN_LINKS: ProofLinks = {
  summary: `${ORIGIN}/public/shipment-summary/AbCdEfGhIjKlMnOpQrStUvWxYz012345`,
  document: `${ORIGIN}/public/proof-of-shipment/AbCdEfGhIjKlMnOpQrStUvWxYz012345.pdf`,
  data: `${ORIGIN}/public/proof-of-shipment/AbCdEfGhIjKlMnOpQrStUvWxYz012345.json`,
};

/** The language and time zone of the golden document. */
export const GOLDEN_TELLING: Telling = {
  words: plainWordsIn('en'),
  timeZone: 'Europe/Berlin',
  paper: 'A4',
};

/** A loading record of a pallet. */
export const record = (
  trackIdentifier: string | null,
  markerCode: number | null,
  loadingStatus: ProofData['manifests'][number]['records'][number]['loadingStatus'] = 'LOADED',
) => ({
  trackIdentifier,
  markerCode,
  loadingStatus,
  loadingDate: loadingStatus === 'NOT_LOADED' ? null : '2026-11-21T08:15:30.123Z',
});

const OF_SHIPMENT = { manifestExternalId: null, trackIdentifier: null, markerCode: null, photoKind: null };

/** Data of a proof of shipment with some of everything. */
export const GOLDEN_DATA: ProofData = {
  kind: 'SHIPMENT',
  organizationName: 'Großhandel Müller & Söhne',
  externalIdentifier: 'SHIP-1',
  status: 'COMPLETED',
  gate: { externalIdentifier: 'GATE-1', name: 'Tor 1, Nordhof' },
  createDate: '2026-11-21T06:00:00.000Z',
  activateDate: '2026-11-21T08:00:00.000Z',
  closeDate: '2026-11-21T08:30:00.000Z',
  revision: 4,
  part: 1,
  parts: 1,
  counts: {
    totalAssetsCount: 4,
    loadedAssetsCount: 2,
    notLoadedAssetsCount: 1,
    unloadedAssetsCount: 1,
    offloadedAssetsCount: 0,
    wronglyLoadedCount: 1,
    unknownLoadingCount: 1,
    cancelledLoadedCount: 0,
  },
  manifests: [
    {
      manifestExternalId: 'ORDER-1',
      manifestStatus: 'COMPLETED',
      records: [record('340123450000000017', 1_000_000_000), record('Ω-Ж-ế', 1_000_000_001, 'NOT_LOADED')],
    },
    {
      manifestExternalId: 'ORDER-2 <b>&amp;',
      manifestStatus: 'COMPLETED',
      records: [
        record('מגש 7', 1_000_000_002, 'UNLOADED'),
        record('ﬁve', Number.MAX_SAFE_INTEGER),
        record('stray', 1_000_000_003, 'WRONGLY_LOADED'),
        record(null, 4_711, 'UNKNOWN_LOADING'),
      ],
    },
    { manifestExternalId: 'ORDER-3', manifestStatus: 'CANCELLED', records: [] },
  ],
  corrections: [
    {
      revision: 1,
      date: '2026-11-21T09:00:00.000Z',
      actorType: 'API_KEY',
      field: 'loadingStatus',
      manifestExternalId: 'ORDER-1',
      trackIdentifier: 'Ω-Ж-ế',
      markerCode: 1_000_000_001,
      photoKind: null,
      oldValue: 'LOADED',
      newValue: 'NOT_LOADED',
    },
    {
      revision: 2,
      date: '2026-11-21T09:30:00.000Z',
      actorType: 'USER',
      field: 'loadingStatus',
      manifestExternalId: 'ORDER-2 <b>&amp;',
      trackIdentifier: null,
      markerCode: 99,
      photoKind: null,
      oldValue: 'UNKNOWN_LOADING',
      newValue: null,
    },
    {
      ...OF_SHIPMENT,
      revision: 3,
      date: '2026-11-21T10:00:00.000Z',
      actorType: 'USER',
      field: 'seal',
      oldValue: 'SL-4711',
      newValue: 'מגש 7',
    },
    {
      ...OF_SHIPMENT,
      revision: 3,
      date: '2026-11-21T10:00:00.000Z',
      actorType: 'USER',
      field: 'plannedDepartureDate',
      oldValue: null,
      newValue: '2026-11-21T08:45:00.000Z',
    },
    {
      ...OF_SHIPMENT,
      revision: 4,
      date: '2026-11-21T10:05:00.000Z',
      actorType: 'API_KEY',
      field: 'photo',
      photoKind: 'SEAL',
      oldValue: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      newValue: null,
    },
  ],
};

/**
 * SHA-256 of the golden document. If it changes, raise `DRAWING` in `proof-routes.ts`, because caches hold
 * the old document.
 */
export const GOLDEN_PDF = '0839206edc7199537af9f30348e9eca06e9acb6422535befe2586708e47833e9';

/** All bytes of a document. */
export async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for await (const part of parts) read.push(part);
  return new Uint8Array(Buffer.concat(read));
}
