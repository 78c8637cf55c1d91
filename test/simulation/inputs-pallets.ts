import type { Draw, Drawings, Seen } from './draw.ts';

const coupling = (draw: Draw) => ({
  wmsId: draw.wmsId(),
  customFields: draw.chance(20) ? draw.fields() : [],
  clientId: draw.chance(15) ? draw.client() : null,
});

/** Mostly a code that was issued recently. */
const code = (draw: Draw, { nextCode }: Seen) => Math.max(1, nextCode + 1 - draw.between(0, 20));

const requestId = '';

/** Commands about markers, tracks, clients and printing batches. */
export const PALLETS: Drawings = [
  [14, (draw) => ({ name: 'allocateMarkers', input: { quantity: draw.of([1, 1, 1, 2, 5, 30]) } })],
  [12, (draw) => ({ name: 'allocateAndCouple', input: coupling(draw) })],
  [6, (draw, seen) => ({ name: 'coupleTrack', input: { ...coupling(draw), markerCode: code(draw, seen) } })],
  [
    3,
    (draw, seen) => ({
      name: 'acceptCoupling',
      input: { ...coupling(draw), markerCode: code(draw, seen), requestId },
    }),
  ],
  [3, (draw) => ({ name: 'acceptAllocateAndCouple', input: { ...coupling(draw), requestId } })],
  [4, (draw) => ({ name: 'retireTrack', input: { identifier: draw.wmsId(), force: draw.chance(30) } })],
  [2, (draw) => ({ name: 'revertRetirement', input: { identifier: draw.wmsId() } })],
  [4, (draw) => ({ name: 'deleteTrack', input: { identifier: draw.wmsId() } })],
  [
    2,
    (draw) => ({
      name: 'flagTrack',
      input: {
        identifier: draw.wmsId(),
        damaged: draw.of([null, true, false]),
        reason: draw.of([null, 'torn']),
      },
    }),
  ],
  [2, (draw) => ({ name: 'unflagTrack', input: { identifier: draw.wmsId() } })],
  [
    2,
    (draw) => ({
      name: 'commentTrack',
      input: { identifier: draw.wmsId(), additionalInfo: `Note ${draw.between(1, 99)}`, attachments: [] },
    }),
  ],
  [8, (draw) => ({ name: 'claimName', input: { name: draw.client() } })],
  [2, (draw) => ({ name: 'createClient', input: { displayName: draw.client(), externalId: draw.client() } })],
  [
    5,
    (draw) => ({
      name: 'updateClient',
      input: {
        identifier: draw.client(),
        ifMatch: null,
        displayName: draw.client(),
        externalId: draw.client(),
      },
    }),
  ],
  [4, (draw) => ({ name: 'deleteClient', input: { identifier: draw.client(), ifMatch: null } })],
  [
    3,
    async (draw, seen) => {
      const scannerUuid = await seen.any(draw, 'device');
      if (!scannerUuid) return undefined;
      const externalIdentifier = draw.chance(50) ? `B${draw.between(1, 4)}` : null;
      const labelFormat = draw.of(['PNG', 'PDF', 'ZPL'] as const);
      const input = { scannerUuid, quantity: draw.between(1, 5), externalIdentifier, labelFormat };
      return { name: 'createPrintingBatch', input };
    },
  ],
  [
    4,
    async (draw, seen) => {
      const row = draw.random.pick(await seen.latest('printing_batch'));
      if (!row) return undefined;
      const names = { scannerUuid: row['scanner_uuid'] as string, batchUuid: row['uuid'] as string };
      if (draw.chance(20)) return { name: 'deletePrintingBatch', input: names };
      const status = draw.of(['IN_PROGRESS', 'COMPLETED', 'CANCELLED'] as const);
      return { name: 'changePrintingBatchStatus', input: { ...names, status } };
    },
  ],
];
