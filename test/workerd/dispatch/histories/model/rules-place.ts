import { resolveAlerts } from './rules-alert.ts';
import {
  isAsset,
  isOpen,
  type Loading,
  type Manifest,
  type Model,
  type Shipment,
  type Track,
} from './state.ts';
import { ANY, compareMoments, Unknown } from './values.ts';

/** A load: a shipment, or a manifest in no shipment. */
export type Load = Shipment | Manifest;

export const loadOf = (manifest: Manifest): Load => manifest.shipment ?? manifest;

/** The manifests of a load. A cancelled member is not part of its shipment. */
const membersOf = (load: Load): Manifest[] =>
  'members' in load ? load.members.filter(({ status }) => status !== 'CANCELLED') : [load];

/** The earliest record first. A record that became a wrong pallet counts from then on. */
const byCreation =
  ({ records }: Model) =>
  (one: Loading, two: Loading): number =>
    one.created.order - two.created.order || records.indexOf(one) - records.indexOf(two);

const trackOf = (model: Model, { track, wmsId }: Loading): Track | undefined => track ?? model.linked(wmsId);

/** Loads in progress that have the pallet as LOADED, and all invalid records of it. */
const placesOf = (model: Model, wmsId: string): Loading[] =>
  model.manifests
    .filter(({ deleted }) => !deleted)
    .flatMap(({ records }) => records)
    .filter((record) => record.wmsId === wmsId)
    .filter(
      (record) =>
        !isAsset(record) || (record.status === 'LOADED' && record.manifest.status === 'IN_PROGRESS'),
    )
    .sort(byCreation(model));

function noteRecord(model: Model, record: Loading, type: string, manifest = record.manifest): void {
  model.note(trackOf(model, record) ?? record.wmsId, type, {
    gate: record.gate,
    manifest: manifest.id,
    shipment: manifest.shipment?.id ?? null,
    details: ANY,
  });
}

/** Removes invalid records of pallets that are off the truck, still aboard it, or belong there now. */
function clear(
  model: Model,
  records: Loading[],
  whereabouts: (record: Loading) => 'OFF' | 'ABOARD' | 'LOADED',
): void {
  for (const record of records) {
    const { manifest } = record;
    manifest.records = manifest.records.filter((other) => other !== record);
    model.touch(manifest);
    const where = whereabouts(record);
    if (where === 'OFF') model.catch(manifest);
    model.audits.push({
      action: 'UNAUTHORIZED_LOADING_RESOLVED',
      record,
      afterClose: !isOpen(manifest),
    });
    if (where !== 'LOADED') noteRecord(model, record, where === 'OFF' ? 'UNLOADED' : 'DETACHED');
  }
  resolveAlerts(model, records);
}

function becomes(model: Model, record: Loading, status: Loading['status']): void {
  Object.assign(record, { status, touched: model.now });
  model.touch(record.manifest);
  model.audits.push({ action: 'ASSET_LOADING_STATUS_CHANGED', record, afterClose: false });
  noteRecord(model, record, status);
}

/** A pallet became LOADED on a load in progress, so it is nowhere else. Returns how many other records changed. */
export function takeFromOthers(model: Model, wmsId: string, load: Load, spared: Loading[] = []): number {
  const places = placesOf(model, wmsId).filter((record) => !spared.includes(record));
  const elsewhere = places.filter((record) => isAsset(record) && loadOf(record.manifest) !== load);
  const invalid = places.filter((record) => !isAsset(record) && record.manifest.status !== 'CANCELLED');
  for (const record of elsewhere) becomes(model, record, 'UNLOADED');
  clear(model, invalid, ({ manifest }) => (loadOf(manifest) === load ? 'LOADED' : 'OFF'));
  return elsewhere.length + invalid.length;
}

/** Assets that come to a load in progress, before they count as part of it. */
export function comeAboard(model: Model, coming: Loading[], load: Load): void {
  for (const wmsId of new Set(coming.map((record) => record.wmsId!))) {
    const own = coming.filter((record) => record.wmsId === wmsId);
    const marked = own.filter(({ status }) => status === 'LOADED');
    const others = placesOf(model, wmsId).filter((record) => !own.includes(record));
    const here = others.find(({ manifest }) => loadOf(manifest) === load);
    const isLater = ({ loaded }: Loading): boolean =>
      marked.every((mark) => compareMoments(loaded!, mark.loaded!) > 0);
    const later = others.some(
      (record) => isAsset(record) && loadOf(record.manifest) !== load && isLater(record),
    );
    if (here && marked.length === 0)
      for (const record of own) {
        Object.assign(record, { gate: here.gate, loaded: here.loaded });
        becomes(model, record, 'LOADED');
      }
    else if (later && !here) for (const record of marked) becomes(model, record, 'UNLOADED');
    if (here || (marked.length > 0 && !later)) takeFromOthers(model, wmsId, load, own);
  }
}

const isAboard = (record: Loading): boolean => record.status === 'LOADED' || !isAsset(record);

/** The records of pallets that are aboard and that nothing of the load expects after these records leave it. */
function lostWith(model: Model, load: Load, leaving: Loading[], coming: Manifest[] = []): Loading[] {
  const staying = [...membersOf(load), ...coming]
    .flatMap(({ records }) => records)
    .filter((record) => !leaving.includes(record) && record.status === 'LOADED');
  const known = new Set(staying.map(({ wmsId }) => wmsId));
  return leaving
    .filter(isAboard)
    .sort(byCreation(model))
    .filter((record) => {
      if (record.wmsId === null) return true;
      const isLost = !known.has(record.wmsId);
      known.add(record.wmsId);
      return isLost;
    });
}

/** Assets are taken from a manifest. Returns the records of pallets that are still aboard. They are wrong pallets now. */
export function strand(model: Model, manifest: Manifest, taken: Loading[]): Loading[] {
  if (manifest.status !== 'IN_PROGRESS') return [];
  const stranded = lostWith(model, loadOf(manifest), taken);
  for (const record of stranded) {
    Object.assign(record, {
      status: 'WRONGLY_LOADED',
      track: trackOf(model, record) ?? null,
      code: trackOf(model, record)?.code ?? null,
      gate: manifest.gate,
      created: model.now,
      touched: model.now,
    });
    holds(model, record);
  }
  manifest.records.sort(byCreation(model));
  return stranded;
}

/** A manifest got the record of a wrong pallet that is still aboard. */
function holds(model: Model, record: Loading): void {
  const { manifest } = record;
  model.touch(manifest);
  model.audits.push({ action: 'UNAUTHORIZED_LOADING_ADDED', record, afterClose: ANY });
  noteRecord(model, record, 'DETACHED');
  model.alerts.push({
    uuid: new Unknown(),
    type: 'WRONGLY_LOADED',
    gate: record.gate!,
    wmsId: record.wmsId,
    code: record.code,
    manifest: manifest.id,
    shipment: manifest.shipment?.id ?? null,
    record,
    count: 1,
    covers: [],
    raised: model.now,
    resolved: null,
  });
}

/** One alert names the pallets that are aboard a load that is not in progress any more. */
function raiseAboard(model: Model, load: Load, aboard: Loading[], gate = load.gate): void {
  const named = aboard.map((record) => ({
    wmsId: record.wmsId,
    code: record.code ?? trackOf(model, record)?.code ?? null,
  }));
  const covers = [...new Map(named.map((one) => [one.wmsId ?? one.code, one])).values()];
  if (covers.length === 0) return;
  const isShipment = 'members' in load;
  model.alerts.push({
    uuid: new Unknown(),
    type: 'PALLETS_ABOARD',
    gate: gate!,
    wmsId: null,
    code: null,
    manifest: isShipment ? null : load.id,
    shipment: isShipment ? load.id : null,
    record: null,
    load,
    count: 1,
    covers,
    raised: model.now,
    resolved: null,
  });
}

/** A load ends as a whole and keeps its records. */
export function endLoad(model: Model, load: Load): void {
  if (load.status !== 'IN_PROGRESS') return;
  const records = membersOf(load).flatMap((member) => member.records);
  raiseAboard(model, load, records.filter(isAboard).sort(byCreation(model)));
}

/**
 * Manifests leave a shipment, before their state changes. They start again, and the last activated manifest of the shipment
 * holds the pallets that are aboard. Manifests that come are activated now. If none is in progress, an alert names the pallets.
 */
export function leaveShipment(
  model: Model,
  shipment: Shipment,
  leaving: Manifest[],
  { ends = false, gate = shipment.gate, coming = [] as Manifest[] } = {},
): void {
  const remaining = ends
    ? []
    : shipment.members.filter((member) => !leaving.includes(member) && member.status === 'IN_PROGRESS');
  const latest = shipment.status === 'IN_PROGRESS' && coming.length > 0 ? coming : remaining;
  const [holder] = latest.toSorted(
    (one, two) =>
      (latest === coming ? 0 : compareMoments(two.activated!, one.activated!)) ||
      (two.uuid.value! > one.uuid.value! ? 1 : -1),
  );
  const records = membersOf(shipment)
    .filter((member) => leaving.includes(member))
    .flatMap((member) => member.records)
    .sort(byCreation(model));
  const lost = shipment.status === 'IN_PROGRESS' ? lostWith(model, shipment, records, coming) : [];
  const invalid = records.filter((record) => !isAsset(record));
  if (holder)
    for (const record of invalid) {
      record.manifest.records = record.manifest.records.filter((other) => other !== record);
      model.touch(record.manifest);
      Object.assign(record, { manifest: holder, touched: model.now });
      holder.records.push(record);
      model.touch(holder);
      model.audits.push({ action: 'ASSET_LOADING_STATUS_CHANGED', record, afterClose: false });
    }
  else {
    raiseAboard(model, shipment, lost, gate);
    clear(model, invalid, () => 'ABOARD');
  }
  for (const record of lost.filter((one) => holder && isAsset(one))) {
    const track = trackOf(model, record) ?? null;
    const added: Loading = {
      ...record,
      uuid: new Unknown(),
      manifest: holder!,
      status: 'WRONGLY_LOADED',
      track,
      code: track?.code ?? null,
      gate,
      created: model.now,
      touched: model.now,
    };
    holder!.records.push(added);
    model.records.push(added);
    holds(model, added);
  }
  holder?.records.sort(byCreation(model));
  for (const record of records.filter(isAsset)) {
    if (record.status === 'NOT_LOADED') continue;
    becomes(model, record, 'NOT_LOADED');
    Object.assign(record, { gate: null, loaded: null });
  }
}
