import { type SQL, sql } from 'drizzle-orm';
import { auditView, type StoredAuditRecord } from '../../../../core/writer/audit-view.ts';

/** The maximum number of markers of a record whose pallets are read. */
const MARKERS_MAXIMUM = 20;

/** A record with the names that its sentence needs. The log itself has identifiers. */
export interface NamedRecord extends StoredAuditRecord {
  /** The name of the gate that it is about, or where it happened; null if that gate does not exist. */
  gateName: string | null;
  /** For scans: WMS ids by marker code. */
  pallets: Record<string, string> | null;
  /** For an action at a tablet: the name of the tablet. */
  tabletName: string | null;
}

const changed = (field: string, path: string): SQL =>
  sql.raw(`(SELECT c.value -> '${path}' FROM
  json_each(audit_log.changes) c WHERE c.value ->> '$.field' = '${field}' LIMIT 1)`);

/** JSON of `NamedRecord`, for a row of `audit_log`. */
export const namedRecordView = sql<NamedRecord>`json_set(${auditView},
  '$.gateName', (SELECT name FROM gate WHERE gate.organization_uuid = audit_log.organization_uuid
    AND gate.deleted_date IS NULL AND gate.external_identifier = iif(audit_log.entity_type = 'GATE',
      audit_log.entity_external_id, coalesce(${changed('gate', '$.newValue')} ->> '$', ${changed('gate', '$.oldValue')} ->> '$'))),
  '$.tabletName', (SELECT name FROM gate_tablet WHERE audit_log.actor_type = 'TABLET'
    AND gate_tablet.uuid = audit_log.actor_uuid AND gate_tablet.organization_uuid = audit_log.organization_uuid),
  '$.pallets', json(iif(audit_log.action <> 'SCANS_RECORDED', NULL, (SELECT json_group_object(track.marker_code, track.wms_id)
    FROM (SELECT s.value ->> '$.markerCode' AS code FROM json_each(${changed('scans', '$.newValue')}) s
      LIMIT ${MARKERS_MAXIMUM}) scanned
    CROSS JOIN track ON track.organization_uuid = audit_log.organization_uuid AND track.marker_code = scanned.code
      AND track.deleted_date IS NULL))))`;
