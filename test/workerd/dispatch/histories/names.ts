import fc from 'fast-check';
import type { Model } from './model/state.ts';

/** Something that nothing is named by. */
const NOBODY = 'nobody';

/** Mostly what is likely to be there. */
const mostly = <T>(usual: fc.Arbitrary<T>, rest: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: rest, weight: 1 });

/** A name, or with `@` the uuid of the last thing that had it, deleted or not. */
export const manifestName = mostly(
  fc.oneof(
    { arbitrary: fc.constantFrom('M', 'N', 'O', 'L'), weight: 5 },
    { arbitrary: fc.constantFrom('M@', 'N@', 'O@'), weight: 1 },
  ),
  fc.constant(NOBODY),
);
export const newManifestName = fc.constantFrom('M', 'N', 'O', 'O', 'L', 'L');
/** M is a shipment as well as a manifest: the two do not share their names. */
export const shipmentName = mostly(
  fc.constantFrom('S', 'S', 'S', 'S', 'S', 'S', 'S@', 'M', 'M@'),
  fc.constant(NOBODY),
  20,
);
export const newShipmentName = fc.constantFrom('S', 'M', 'M');
export const gateName = mostly(fc.constantFrom('G', 'G', 'G', 'H'), fc.constant(NOBODY));
export const wmsId = fc.constantFrom('P', 'P', 'Q', 'Q', 'R', 'X');
export const markerCode = mostly(fc.integer({ min: 1, max: 6 }), fc.constant(999));
/** A WMS id, or with `#` the uuid of the track that had it first, second or third. */
export const trackName = fc.oneof(
  { arbitrary: wmsId, weight: 6 },
  { arbitrary: fc.constantFrom('P#0', 'P#1', 'Q#0', 'Q#1', 'X#0'), weight: 4 },
  { arbitrary: fc.constant(NOBODY), weight: 1 },
);

/** What a manifest's name stands for in a path. */
export const manifestId = (model: Model, name: string): string => idOf(model.manifests, name);
export const shipmentId = (model: Model, name: string): string => idOf(model.shipments, name);

function idOf(items: { id: string; uuid: { value: string | undefined } }[], name: string): string {
  if (!name.endsWith('@')) return name;
  return items.findLast(({ id }) => id === name.slice(0, -1))?.uuid.value ?? NOBODY;
}

export function trackId(model: Model, name: string): string {
  const [id, index] = name.split('#');
  if (index === undefined) return name;
  return model.tracks.filter((track) => track.wmsId === id)[Number(index)]?.uuid.value ?? NOBODY;
}
