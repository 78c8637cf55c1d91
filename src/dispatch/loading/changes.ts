import { sql } from 'drizzle-orm';
import type { FieldChange } from '../../core/lib/changes.ts';
import type { Write } from '../../core/lib/scope.ts';
import { inRows } from '../../core/lib/sql.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import { emit } from '../../log/event/store.ts';
import { assignedTo, gateChange } from '../gate/rules.ts';
import { loadingEntity } from '../manifest/asset-store.ts';
import { assetLoading } from '../manifest/asset-table.ts';
import { touchShipmentsOf } from '../manifest/store.ts';

/**
 * Set a new update date for manifests and their shipments when their loading records change. The trigger that counts
 * loaded pallets has often set the date of the manifest, and then it is not written again.
 */
export function touchParents({ scope, now }: Context, manifestUuids: readonly string[]): Write[] {
  const uuids = [...new Set(manifestUuids)];
  return [
    sql`UPDATE manifest SET update_date = ${now} WHERE uuid ${inRows(JSON.stringify(uuids))}
      AND +organization_uuid = ${scope.organization} AND update_date <> ${now}`,
    touchShipmentsOf(scope, uuids, now),
  ];
}

/** An audit entry about a loading record. */
export const auditedRecord = auditing<{ uuid: string; wmsId: string | null }>(
  'ASSET_LOADING',
  ({ wmsId }) => wmsId,
);

/** An invalid loading record that is removed. */
export interface RemovedRecord {
  recordUuid: string;
  wmsId: string | null;
  markerCode: number | null;
  loadingStatus: string;
  gateExternalId: string | null;
  manifestUuid: string;
  manifestExternalId: string;
  /** Whether its load or manifest is closed. The audit entry then says so. */
  afterClose: boolean;
}

/** Delete invalid loading records. Their alerts and the update dates of their manifests are not part of it. */
export const removedRecords = (context: Context, removed: readonly RemovedRecord[]): ChangePart => ({
  writes:
    removed.length === 0
      ? []
      : [
          // The event comes before the deletion, because it shows the record.
          ...emit(
            context,
            'UNAUTHORIZED_LOADING_RESOLVED',
            loadingEntity,
            removed.map(({ recordUuid, wmsId }) => ({ uuid: recordUuid, externalIdentifier: wmsId })),
          ),
          context.scope.remove(assetLoading, { uuids: removed.map(({ recordUuid }) => recordUuid) }),
        ],
  audit: removed.map((record) =>
    auditedRecord('UNAUTHORIZED_LOADING_RESOLVED', { uuid: record.recordUuid, wmsId: record.wmsId }, [
      { field: 'loadingStatus', oldValue: record.loadingStatus, newValue: null },
      { field: 'markerCode', oldValue: record.markerCode, newValue: null },
      gateChange({ gateUuid: null, gateExternalId: record.gateExternalId }, assignedTo(null)),
      { field: 'manifest', oldValue: record.manifestExternalId, newValue: null },
      ...afterCloseField(record.afterClose),
    ]),
  ),
});

/** In an audit entry, mark a correction that was made after the load or manifest was closed. */
export const afterCloseField = (afterClose: boolean): FieldChange[] =>
  afterClose ? [{ field: 'afterClose', oldValue: null, newValue: true }] : [];
