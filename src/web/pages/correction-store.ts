import { type SQL, sql } from 'drizzle-orm';
import type { Total } from '../../core/http/list.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { isRecord } from '../../core/writer/audit-table.ts';
import {
  type Correction,
  type CorrectionChanges,
  type CorrectionRow,
  correctionsIn,
} from './correction-rules.ts';
import type { Load } from './published-store.ts';

export const tableOf = ({ kind }: Load): SQL => (kind === 'SHIPMENT' ? sql`shipment` : sql`manifest`);

/** SQL condition: a correction `c` is of this load. */
const isOf = ({ organization }: Scope, { uuid }: Load): SQL =>
  sql`c.organization_uuid = ${organization} AND c.load_uuid = ${uuid}`;

/** The number of revisions since completion, and whether the load is still in the database. */
export const correctionsCountQuery = (scope: Scope, load: Load): SQL<Total & { present: 0 | 1 }> =>
  sql`SELECT count(*) AS total, EXISTS (SELECT 1 FROM ${tableOf(load)} h WHERE h.uuid = ${load.uuid}
      AND h.organization_uuid = ${scope.organization}) AS present
    FROM loading_correction c WHERE ${isOf(scope, load)}`;

type StoredCorrection = CorrectionRow & { changes: Json<CorrectionChanges> };

/** The audit records of the latest corrections, latest first. */
export function correctionsQuery(scope: Scope, load: Load, maximum: number): SQL<StoredCorrection> {
  const field = sql`each.value ->> 'field'`;
  return sql`SELECT l.event_date AS date, l.actor_type AS "actorType", l.entity_type AS "entityType",
      l.entity_external_id AS "entityExternalId",
      (SELECT coalesce(a.marker_code, t.marker_code) FROM asset_loading a LEFT JOIN track t ON t.uuid = a.track_uuid
        WHERE a.uuid = l.entity_uuid AND a.organization_uuid = l.organization_uuid) AS "markerCode",
      (SELECT json_group_object(coalesce(fact.key, ${field}),
          json_array(json_extract(each.value, '$.oldValue'), json_extract(each.value, '$.newValue')))
        FROM json_each(l.changes) each LEFT JOIN json_each(
            (SELECT h.proof_names FROM ${tableOf(load)} h WHERE h.uuid = ${load.uuid}), '$.fields') fact
          ON ${field} = 'customFields.' || fact.value
        WHERE fact.key IS NOT NULL OR l.entity_type <> 'SHIPMENT' AND ${field} IN ('loadingStatus', 'manifest',
          'markerCode', 'kind', 'manifestExternalId', 'trackIdentifier', 'sha256')) AS changes
    FROM loading_correction c CROSS JOIN audit_log l ON ${isRecord(scope, sql`c.sequence_number`, sql`l`)}
    WHERE ${isOf(scope, load)} ORDER BY c.sequence_number DESC LIMIT ${maximum}`;
}

/** The corrections of `correctionsQuery`, oldest first, with numbers. `total` is the number of all revisions. */
export const numberCorrections = (latest: readonly StoredCorrection[], total: number): Correction[] =>
  latest
    .map((row, index) => ({ row, number: total - index }))
    .reverse()
    .flatMap(({ row, number }) =>
      correctionsIn(row, parseJson(row.changes)).map((correction) => ({
        number,
        date: row.date,
        actorType: row.actorType,
        ...correction,
      })),
    );
