import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../../core/lib/database.ts';
import type { ViewRow } from '../../../../core/lib/view.ts';
import { isRecord, rowsAbout } from '../../../../core/writer/audit-table.ts';
import { namedRecordView } from '../audit/named-store.ts';

/**
 * How many audit records are shown, and how many recently changed manifests and pallets are
 * searched for them.
 */
const HAPPENED_MAXIMUM = 6;
const MANIFESTS_MAXIMUM = 6;

/**
 * The latest audit records about a load, its manifests and pallets. `manifests` is a condition on
 * the manifest uuid.
 */
export function happenedQuery(
  database: Database,
  uuid: string,
  manifests: SQL,
): SQL<ViewRow<typeof namedRecordView>> {
  const organization = sql`${database.organization}`;
  const last = (query: SQL, count: number) =>
    sql`SELECT uuid FROM (${query} ORDER BY changed DESC LIMIT ${count})`;
  const members = sql`SELECT uuid, update_date AS changed FROM manifest
    WHERE uuid ${manifests} AND +organization_uuid = ${organization}`;
  const pallets = sql`SELECT a.uuid, a.update_date AS changed FROM manifest
    CROSS JOIN asset_loading a ON a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid
    WHERE manifest.uuid ${manifests} AND +manifest.organization_uuid = ${organization}`;
  // Take up to the total of shown records from each entity, because a manifest may have a record for every added pallet.
  const numbers = sql`SELECT DISTINCT place.value AS number FROM (SELECT ${uuid} AS uuid
      UNION ${last(members, MANIFESTS_MAXIMUM)} UNION ${last(pallets, HAPPENED_MAXIMUM)}) about
    CROSS JOIN json_each((SELECT json_group_array(sequence_number) FROM (SELECT r.sequence_number
      FROM (${rowsAbout(database, sql`about.uuid`)} ORDER BY log_id DESC) i
      CROSS JOIN audit_log r ON r.organization_uuid = ${organization} AND r.log_id = i.log_id AND r.entity_uuid = about.uuid
      LIMIT ${HAPPENED_MAXIMUM}))) place
    ORDER BY place.value DESC LIMIT ${HAPPENED_MAXIMUM}`;
  return sql`SELECT ${namedRecordView} AS view FROM (${numbers}) newest CROSS JOIN audit_log
    ON ${isRecord(database, sql`newest.number`)} ORDER BY sequence_number DESC`;
}
