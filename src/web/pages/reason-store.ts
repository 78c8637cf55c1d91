import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { numberOf } from '../../core/writer/audit-table.ts';

/**
 * SQL: why pallets of the load `p` are missing, or NULL. A shipment stores the reason. A manifest, and a shipment that
 * was completed before shipments stored it, has it only in the audit record of the completion.
 */
export const shortReason = (scope: Scope, kind: 'SHIPMENT' | 'MANIFEST'): SQL =>
  kind === 'SHIPMENT' ? sql`coalesce(p.short_reason, ${loggedReason(scope)})` : loggedReason(scope);

/** SQL: the logged reason. It names its index, because otherwise SQLite walks the whole log. */
const loggedReason = (scope: Scope): SQL => sql`(SELECT json_extract(each.value, '$.newValue')
  FROM (SELECT sequence_number FROM audit_record INDEXED BY audit_record_entity_uuid
      WHERE organization_number = ${numberOf(scope)} AND substr(entity_uuid, 13) = substr(unhex(p.uuid, '-'), 13)
        AND entity_uuid = unhex(p.uuid, '-')
      ORDER BY sequence_number DESC LIMIT ${RECORDS_MAXIMUM}) found
    CROSS JOIN audit_log l ON l.organization_uuid = ${scope.organization} AND l.sequence_number = found.sequence_number
    CROSS JOIN json_each(l.changes) each
  WHERE l.event_date = p.close_date AND json_extract(each.value, '$.field') = 'reason'
  ORDER BY found.sequence_number DESC LIMIT 1)`;

/** The maximum number of audit records of a load that are searched for its reason; the latest ones. */
const RECORDS_MAXIMUM = 100;
