import type { FieldChange } from '../lib/changes.ts';
import type { Write } from '../lib/database.ts';
import { touchShipmentsOf } from '../manifest/store.ts';
import { manifest } from '../manifest/table.ts';
import type { Change, PureContext } from '../writer/command.ts';

/** Manifests and their shipments change with their records. */
export function touchParents(
  { scope: database, now }: PureContext,
  manifestUuids: readonly string[],
): Write[] {
  const uuids = [...new Set(manifestUuids)];
  return [database.update(manifest, { updateDate: now }, { uuids }), touchShipmentsOf(database, uuids, now)];
}

/** An audit entry about a loading record. */
export const auditedRecord = (
  action: string,
  recordUuid: string,
  wmsId: string | null,
  changes: FieldChange[],
): Change['audit'][number] => ({
  action,
  entityType: 'ASSET_LOADING',
  entityUuid: recordUuid,
  entityExternalId: wmsId,
  changes,
});
