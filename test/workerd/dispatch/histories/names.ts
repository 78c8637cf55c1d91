import fc from 'fast-check';
import { type Manifest, type Model, type Shipment, STATUSES } from './model/state.ts';

/** A name that no thing has. */
const UNKNOWN = 'nobody';

/** Chooses mostly names of existing things. */
const mostly = <T>(usual: fc.Arbitrary<T>, rest: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight }, { arbitrary: rest, weight: 1 });

/** A name, or with `@` the uuid of the last manifest with this name, also a deleted one. */
export const manifestName = mostly(
  fc.oneof(
    { arbitrary: fc.constantFrom('M', 'N', 'O', 'L'), weight: 5 },
    { arbitrary: fc.constantFrom('M@', 'N@', 'O@'), weight: 1 },
  ),
  fc.constant(UNKNOWN),
);
/** Often a status instead of a name, because closed manifests in no shipment are few. */
export const manifestNameOrClosed = fc.oneof(
  { arbitrary: manifestName, weight: 1 },
  { arbitrary: fc.constantFrom('COMPLETED', 'CANCELLED'), weight: 1 },
);
export const newManifestName = fc.constantFrom('M', 'N', 'O', 'O', 'L', 'L');
/** M is also the name of a manifest, but shipments and manifests have separate names. */
export const shipmentName = mostly(
  fc.constantFrom('S', 'S', 'S', 'S', 'S', 'S', 'S@', 'M', 'M@'),
  fc.constant(UNKNOWN),
  20,
);
export const shipmentNameOrClosed = fc.oneof(
  { arbitrary: shipmentName, weight: 2 },
  { arbitrary: fc.constantFrom('COMPLETED', 'CANCELLED'), weight: 1 },
);
export const newShipmentName = fc.constantFrom('S', 'M', 'M');
export const gateName = mostly(fc.constantFrom('G', 'G', 'G', 'H'), fc.constant(UNKNOWN));
export const wmsId = fc.constantFrom('P', 'P', 'Q', 'Q', 'R', 'X');
export const markerCode = mostly(fc.integer({ min: 1, max: 6 }), fc.constant(999));
/** A WMS id. With `#`, the uuid of the first, second or third track with this WMS id. */
export const trackName = fc.oneof(
  { arbitrary: wmsId, weight: 6 },
  { arbitrary: fc.constantFrom('P#0', 'P#1', 'Q#0', 'Q#1', 'X#0'), weight: 4 },
  { arbitrary: fc.constant(UNKNOWN), weight: 1 },
);

/** The identifier for the path: the name itself, or a uuid for a name with `@`. */
export const manifestId = (model: Model, name: string): string =>
  isStatus(name) ? lastOf(model.manifests, name) : idOf(model.manifests, name);
export const shipmentId = (model: Model, name: string): string =>
  isStatus(name) ? lastOf(model.shipments, name) : idOf(model.shipments, name);

/** Whether a name means the last thing that has this status and is in no shipment. */
export const isStatus = (name: string): boolean => (STATUSES as readonly string[]).includes(name);

function lastOf(items: (Manifest | Shipment)[], status: string): string {
  const isMember = (item: Manifest | Shipment) => 'shipment' in item && item.shipment !== null;
  const last = items.findLast((item) => item.status === status && !item.deleted && !isMember(item));
  return last?.id ?? UNKNOWN;
}

function idOf(items: { id: string; uuid: { value: string | undefined } }[], name: string): string {
  if (!name.endsWith('@')) return name;
  return items.findLast(({ id }) => id === name.slice(0, -1))?.uuid.value ?? UNKNOWN;
}

export function trackId(model: Model, name: string): string {
  const [id, index] = name.split('#');
  if (index === undefined) return name;
  return model.tracks.filter((track) => track.wmsId === id)[Number(index)]?.uuid.value ?? UNKNOWN;
}
