import { assetsOf, type Loading, type Manifest, type Model, type Shipment } from './state.ts';
import { Unknown } from './values.ts';

const isMissing = ({ status }: Loading): boolean => status === 'NOT_LOADED' || status === 'UNLOADED';
const isShort = (manifest: Manifest): boolean => assetsOf(manifest).some(isMissing);

/** Raises an alert for a load that is completed without all pallets of these manifests. */
export function raiseShort(model: Model, load: Shipment | Manifest, manifests: Manifest[]): void {
  const short = manifests.filter(isShort);
  if (short.length === 0) return;
  model.alerts.push({
    uuid: new Unknown(),
    type: 'COMPLETED_SHORT',
    gate: load.gate!,
    wmsId: null,
    code: null,
    manifest: short.length === 1 ? short[0]!.id : null,
    shipment: 'members' in load ? load.id : null,
    record: null,
    load,
    count: 1,
    covers: [],
    raised: model.now,
    resolved: null,
  });
}

/** Resolves the alert of a load if no pallet is missing any more. Pallets in a back order are not missing. */
export function settleShort(model: Model, load: Shipment | Manifest): void {
  const completed = ('members' in load ? load.members : [load]).filter(
    ({ status }) => status === 'COMPLETED',
  );
  const open = completed.filter(({ backorder }) => !backorder || backorder.deleted);
  if (!open.some(isShort)) resolveShort(model, load);
}

/** Resolves the alert of a load. */
export function resolveShort(model: Model, load: Shipment | Manifest): void {
  for (const alert of model.alerts)
    if (alert.type === 'COMPLETED_SHORT' && alert.load === load && alert.resolved === null)
      alert.resolved = model.now;
}
