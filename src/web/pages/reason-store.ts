import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { rowsAbout } from '../../core/writer/audit-table.ts';

/**
 * SQL: why pallets of the load `p` are missing, or NULL. A shipment stores the reason. A manifest, and a shipment that
 * was completed before shipments stored it, has it only in the audit record of the completion.
 */
export const shortReason = (scope: Scope, kind: 'SHIPMENT' | 'MANIFEST'): SQL =>
  kind === 'SHIPMENT' ? sql`coalesce(p.short_reason, ${loggedReason(scope)})` : loggedReason(scope);

/** SQL: the logged reason. */
const loggedReason = (scope: Scope): SQL => sql`(SELECT json_extract(each.value, '$.newValue')
  FROM (${rowsAbout(scope, sql`p.uuid`)} ORDER BY log_id DESC LIMIT ${RECORDS_MAXIMUM}) found
    CROSS JOIN audit_log l ON l.organization_uuid = ${scope.organization} AND l.log_id = found.log_id
      AND l.entity_uuid = p.uuid
    CROSS JOIN json_each(l.changes) each
  WHERE l.event_date = p.close_date AND json_extract(each.value, '$.field') = 'reason'
  ORDER BY l.sequence_number DESC LIMIT 1)`;

/** The maximum number of commands about a load that are searched for its reason; the latest ones. */
const RECORDS_MAXIMUM = 100;
