import { resolveAlerts } from './rules-manifest.ts';
import { isAsset, isOpen, type Loading, type Model, type Shipment } from './state.ts';
import { answered, type Refusal, refused, type Verdict } from './verdict.ts';
import { recordView, shipmentView, trackOf } from './views.ts';

/** How a path names records. */
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

/** All records of a shipment's manifests: in the order of those, then of creation. */
export const recordsOf = ({ members }: Shipment): Loading[] => members.flatMap(({ records }) => records);

function named(model: Model, shipment: Shipment, target: Target): Loading[] {
  const records = recordsOf(shipment);
  if (target.by === 'record') return records.filter(({ uuid }) => uuid.value === target.uuid);
  if (target.by === 'track') return records.filter(({ wmsId }) => wmsId === target.wmsId);
  const wmsId = model.ofCode(target.code)?.wmsId;
  return records.filter(
    (record) =>
      (wmsId !== undefined && record.wmsId === wmsId) || (!isAsset(record) && record.code === target.code),
  );
}

const notFound = () => refused(404, 'assetLoadingNotFound');

/** Set what is named to a status. Of several faults the contract does not say which is told. */
export function mark(
  model: Model,
  identifier: string,
  target: Target,
  { status, gateExternalId, comment = null }: Marking,
): Verdict | Refusal[] {
  if (!SETTABLE.includes(status)) return refused(400, 'unknownStatus', { allowedValues: SETTABLE });
  const shipment = model.shipment(identifier);
  const found = shipment ? named(model, shipment, target) : [];
  const assets = found.filter(isAsset);
  const faults = [
    shipment ? null : refused(404, 'shipmentNotFound'),
    gateExternalId || status === 'LOADED' ? null : refused(400, 'gateRequired'),
    gateExternalId && !model.gate(gateExternalId) ? refused(400, 'gateNotFound') : null,
    shipment?.status === 'CANCELLED' ? refused(409, 'shipmentClosed') : null,
    shipment && found.length === 0 ? notFound() : null,
    found.length > 0 && assets.length === 0 ? refused(409, 'invalidLoadingRecord') : null,
  ].filter((fault) => fault !== null);
  if (faults.length > 0) return faults;
  const changed = assets.filter((record) => record.status !== status);
  for (const record of changed) {
    record.status = status as Loading['status'];
    record.gate = model.gate(gateExternalId) ?? shipment!.gate;
    if (status !== 'UNLOADED') record.loaded = status === 'LOADED' ? model.now : null;
    record.touched = model.now;
    model.touch(record.manifest);
    const afterClose = !isOpen(shipment!) || !isOpen(record.manifest);
    model.audits.push({ action: 'ASSET_LOADING_STATUS_CHANGED', record, afterClose });
    model.note(trackOf(model, record) ?? undefined, status, {
      gate: record.gate,
      manifest: record.manifest.id,
      shipment: shipment!.id,
      details: comment,
    });
  }
  const unchanged = assets.filter((record) => !changed.includes(record));
  const views = (records: Loading[]) => records.map((record) => recordView(model, record));
  return answered({ changed: views(changed), unchanged: views(unchanged) });
}

/** Remove the invalid records that are named; their alerts are resolved by that. */
export function removeInvalid(model: Model, identifier: string, target: Target): Verdict {
  const shipment = model.shipment(identifier);
  if (!shipment) return refused(404, 'shipmentNotFound');
  const found = named(model, shipment, target);
  const invalid = found.filter((record) => !isAsset(record));
  if (found.length === 0) return notFound();
  if (invalid.length === 0) return refused(409, 'recordNotInvalidLoading');
  for (const record of invalid) {
    record.manifest.records = record.manifest.records.filter((other) => other !== record);
    model.touch(record.manifest);
  }
  resolveAlerts(model, invalid);
  return answered(shipmentView(shipment));
}
