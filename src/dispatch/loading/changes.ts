import { sql } from 'drizzle-orm';
import type { Write } from '../../core/lib/scope.ts';
import { inRows } from '../../core/lib/sql.ts';
import { auditing } from '../../core/writer/audited.ts';
import type { Context } from '../../core/writer/command.ts';
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
