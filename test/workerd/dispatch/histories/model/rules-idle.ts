import { type Alert, assetsOf, type Gate, type Manifest, type Model, type Track } from './state.ts';
import { Unknown } from './values.ts';

/** A pallet or marker as the code on it names it. */
interface Named {
  wmsId: string | null;
  code: number | null;
}

const isIdle = ({ type, resolved }: Alert): boolean =>
  type === 'SCAN_WITHOUT_ACTIVE_MANIFEST' && resolved === null;
const isSame = (one: Named, other: Named): boolean =>
  (one.wmsId !== null && one.wmsId === other.wmsId) || (one.code !== null && one.code === other.code);

/** Counts a reading at a gate without work in the open alert of the gate, or raises that alert. */
export function readWithoutWork(model: Model, gate: Gate, track: Track | undefined, code: number): void {
  const read = { wmsId: track?.wmsId ?? null, code };
  const open = model.alerts.find((alert) => isIdle(alert) && alert.gate === gate);
  if (open) {
    if (open.covers.some((one) => isSame(one, read))) return;
    open.covers.push(read);
    open.count += 1;
    open.counted = model.now;
    return;
  }
  model.alerts.push({
    uuid: new Unknown(),
    type: 'SCAN_WITHOUT_ACTIVE_MANIFEST',
    gate,
    ...read,
    manifest: null,
    shipment: null,
    record: null,
    count: 1,
    covers: [read],
    raised: model.now,
    resolved: null,
  });
}

const ON_A_LOAD = ['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING'];

/**
 * These pallets were read, or marked by hand. A pallet at a gate without work is settled if it is LOADED. A pallet that was
 * left aboard is settled if it is read on a load, or taken off. An alert that covers no other pallet is resolved.
 */
export function settleRead(model: Model, read: Named[], direction: string, outcome: string): void {
  for (const alert of model.alerts.filter(({ resolved }) => resolved === null)) {
    const isSettling =
      alert.type === 'PALLETS_ABOARD'
        ? outcome !== 'SUPERSEDED' && (direction !== 'LOAD' || ON_A_LOAD.includes(outcome))
        : isIdle(alert) && outcome === 'LOADED';
    if (!isSettling) continue;
    const left = alert.covers.filter((one) => !read.some((other) => isSame(one, other)));
    if (left.length === 0) alert.resolved = model.now;
    alert.covers = left;
  }
}

/** A load starts at a gate. Its alert is resolved if the load expects one of the pallets that were read there. */
export function settleStarted(model: Model, gate: Gate, manifests: Manifest[]): void {
  const expected = new Set(manifests.flatMap((manifest) => assetsOf(manifest).map(({ wmsId }) => wmsId)));
  for (const alert of model.alerts.filter(isIdle))
    if (alert.gate === gate && alert.covers.some(({ wmsId }) => wmsId !== null && expected.has(wmsId)))
      alert.resolved = model.now;
}
