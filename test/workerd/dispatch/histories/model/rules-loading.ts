import { resolveAlerts } from './rules-alert.ts';
import { settleRead } from './rules-idle.ts';
import { takeFromOthers } from './rules-place.ts';
import { settleShort } from './rules-short.ts';
import { isAsset, isOpen, type Loading, type Manifest, type Model, type Shipment } from './state.ts';
import { answered, refused, type Verdict } from './verdict.ts';
import { manifestView, recordView, shipmentView, trackOf } from './views.ts';

/** How a path selects loading records. */
export type Target =
  | { by: 'record'; uuid: string }
  | { by: 'track'; wmsId: string }
  | { by: 'marker'; code: number };

export interface Marking {
  status: string;
  gateExternalId?: string | null;
  comment?: string | null;
}

const SETTABLE = ['LOADED', 'NOT_LOADED', 'UNLOADED'];

/** The shipment or manifest in a path. */
export interface Holder {
  kind: 'shipment' | 'manifest';
  /** The identifier in the path. */
  id: string;
}

/** All loading records, in the order of the shipment's manifests, then of creation. */
export const recordsOf = (held: Shipment | Manifest): Loading[] =>
  'members' in held ? held.members.flatMap(({ records }) => records) : held.records;

function named(model: Model, held: Shipment | Manifest, target: Target): Loading[] {
  const records = recordsOf(held);
  if (target.by === 'record') return records.filter(({ uuid }) => uuid.value === target.uuid);
  if (target.by === 'track') return records.filter(({ wmsId }) => wmsId === target.wmsId);
  const wmsId = model.ofCode(target.code)?.wmsId;
  return records.filter(
    (record) =>
      (wmsId !== undefined && record.wmsId === wmsId) || (!isAsset(record) && record.code === target.code),
  );
}

const notFound = () => refused(404, 'assetLoadingNotFound');
const find = (model: Model, { kind, id }: Holder) =>
  kind === 'shipment' ? model.shipment(id) : model.manifest(id);
/** A manifest of a shipment is marked through the shipment only. */
const isMember = (held: Shipment | Manifest): boolean => 'shipment' in held && held.shipment !== null;
const belongs = () => refused(409, 'manifestBelongsToShipment');

/**
 * Sets the selected records to a status. It checks the request first, then the things that it names, then their
 * state.
 */
export function mark(
  model: Model,
  holder: Holder,
  target: Target,
  { status, gateExternalId, comment = null }: Marking,
): Verdict {
  if (!SETTABLE.includes(status)) return refused(400, 'unknownStatus', { allowedValues: SETTABLE });
  if (!gateExternalId && status !== 'LOADED') return refused(400, 'gateRequired');
  const held = find(model, holder);
  if (!held) return refused(404, `${holder.kind}NotFound`);
  if (gateExternalId && !model.gate(gateExternalId)) return refused(400, 'gateNotFound');
  if (isMember(held)) return belongs();
  if (held.status === 'CANCELLED') return refused(409, `${holder.kind}Closed`);
  const found = named(model, held, target);
  if (found.length === 0) return notFound();
  const expected = found.filter(isAsset);
  if (expected.length === 0) return refused(409, 'invalidLoadingRecord');
  const assets = expected.filter(({ manifest }) => manifest.status !== 'CANCELLED');
  if (assets.length === 0) return refused(409, 'manifestClosed');
  const changed = assets.filter((record) => record.status !== status);
  for (const record of changed) {
    record.status = status as Loading['status'];
    record.gate = model.gate(gateExternalId) ?? held.gate;
    if (status !== 'UNLOADED') record.loaded = status === 'LOADED' ? model.now : null;
    record.touched = model.now;
    model.touch(record.manifest);
    const afterClose = !isOpen(held) || !isOpen(record.manifest);
    model.audits.push({ action: 'ASSET_LOADING_STATUS_CHANGED', record, afterClose });
    model.note(trackOf(model, record) ?? record.wmsId, status, {
      gate: record.gate,
      manifest: record.manifest.id,
      shipment: record.manifest.shipment?.id ?? null,
      details: comment,
    });
  }
  if (status === 'LOADED' && changed.length > 0) {
    settleShort(model, held);
    if (changed.some(({ manifest }) => manifest.status === 'IN_PROGRESS'))
      for (const wmsId of new Set(changed.map((record) => record.wmsId!))) takeFromOthers(model, wmsId, held);
  }
  if (changed.length > 0) settleRead(model, found, status === 'LOADED' ? 'LOAD' : 'UNLOAD', status);
  const unchanged = assets.filter((record) => !changed.includes(record));
  const views = (records: Loading[]) => records.map((record) => recordView(model, record));
  return answered({ changed: views(changed), unchanged: views(unchanged) });
}

/** Removes the selected invalid records and resolves their alerts. */
export function removeInvalid(model: Model, holder: Holder, target: Target): Verdict {
  const held = find(model, holder);
  if (!held) return refused(404, `${holder.kind}NotFound`);
  if (isMember(held)) return belongs();
  const found = named(model, held, target);
  const invalid = found.filter((record) => !isAsset(record));
  if (found.length === 0) return notFound();
  if (invalid.length === 0) return refused(409, 'recordNotInvalidLoading');
  for (const record of invalid) {
    record.manifest.records = record.manifest.records.filter((other) => other !== record);
    model.touch(record.manifest);
    model.catch(record.manifest);
    model.note(trackOf(model, record) ?? record.wmsId, 'DETACHED', {
      manifest: record.manifest.id,
      shipment: record.manifest.shipment?.id ?? null,
      details: 'record of a wrong pallet, deleted by hand',
    });
    const afterClose = !isOpen(held) || !isOpen(record.manifest);
    model.audits.push({ action: 'UNAUTHORIZED_LOADING_RESOLVED', record, afterClose });
  }
  resolveAlerts(model, invalid);
  return answered('members' in held ? shipmentView(held) : manifestView(model, held));
}
