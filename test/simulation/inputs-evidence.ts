import type { Draw, Drawings, Seen } from './draw.ts';

const KINDS = ['DAMAGE', 'DAMAGE', 'LOAD', 'SEAL', 'OTHER'] as const;
const IMAGE = {
  contentType: 'image/jpeg',
  sizeBytes: 1_000,
  thumbnailBytes: 0,
  sha256: 'a'.repeat(64),
  width: 4,
  height: 3,
} as const;

const reference = (draw: Draw) =>
  draw.of([
    { type: 'TRACK', identifier: draw.wmsId() },
    { type: 'TRACK', identifier: draw.wmsId() },
    { type: 'MANIFEST', identifier: draw.manifest() },
    { type: 'SHIPMENT', identifier: draw.shipment() },
  ] as const);

const signature = (draw: Draw) => ({
  role: draw.of(['DRIVER', 'DRIVER', 'LOADER', 'CONSIGNEE'] as const),
  name: `Signer ${draw.between(1, 9)}`,
  strokes: [[[1, 2] as [number, number]]],
  signDate: draw.of([null, Date.now()]),
});

/** The uuid of the only signature that a link adds. A load has two links. */
const linked = (draw: Draw, load: string): string => `${load.slice(0, -1)}${draw.of(['x', 'y'])}`;

/** One of the last loads. They are few, so that some links are opened twice. */
const latest = async (draw: Draw, seen: Seen, kind: 'manifest' | 'shipment') =>
  draw.random.pick((await seen.latest(kind, 'deleted_date IS NULL')).slice(0, 3))?.['uuid'] as
    | string
    | undefined;

/** A signature on a load: by name, or by a link that several people may open. */
async function signed(draw: Draw, seen: Seen, kind: 'manifest' | 'shipment') {
  const load = draw.chance(40) ? await latest(draw, seen, kind) : undefined;
  if (load === undefined) return { identifier: draw[kind](), signature: signature(draw) };
  return { identifier: load, signature: { ...signature(draw), uuid: linked(draw, load) } };
}

/** Commands about photos and signatures. */
export const EVIDENCE: Drawings = [
  [
    14,
    (draw) => ({
      name: 'addPhoto',
      // Each attempt has its own object, which `upload` names.
      input: {
        uuid: '',
        kind: draw.of(KINDS),
        reference: reference(draw),
        takenDate: draw.of([null, Date.now()]),
        gateIdentifier: draw.chance(30) ? draw.gate() : null,
        image: IMAGE,
      },
    }),
  ],
  [
    3,
    async (draw, seen) => {
      const uuid = await seen.any(draw, 'photo');
      return uuid && { name: 'deletePhoto', input: { uuid } };
    },
  ],
  [8, async (draw, seen) => ({ name: 'signShipment', input: await signed(draw, seen, 'shipment') })],
  [6, async (draw, seen) => ({ name: 'signManifest', input: await signed(draw, seen, 'manifest') })],
];
