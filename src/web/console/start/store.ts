import { type SQL, sql } from 'drizzle-orm';
import { latestRows } from '../../../core/http/list-statements.ts';
import type { Database } from '../../../core/lib/database.ts';
import { parseJson } from '../../../core/lib/json.ts';
import type { ViewRow } from '../../../core/lib/view.ts';
import { LOAD_STATUSES } from '../../../dispatch/load/shared/status-rules.ts';
import { EXAMPLE, EXAMPLE_LAST } from './example-rules.ts';

/** The parts that an organization has so far. */
export interface Started {
  /** The first gate, by external id. */
  gateUuid: string | null;
  manifestUuid: string | null;
  shipments: 0 | 1;
  markers: 0 | 1;
  tablets: 0 | 1;
  /** Whether a pallet was loaded. */
  loaded: 0 | 1;
  /** Whether it has work of its own: manifests, shipments or pallets that are not of the example day. */
  works: 0 | 1;
  /** Whether work of its own was completed. Then the organization is in service. */
  inService: 0 | 1;
  /** Whether the example day is there, and whether it is complete. */
  example: 'NONE' | 'PART' | 'WHOLE';
}

/** SQL: the names of the example day. A range, because an index can look it up. */
const isExample = (name: SQL): SQL => sql`${name} >= ${EXAMPLE} AND ${name} < ${`${EXAMPLE}~`}`;

/** SQL: whether a live row exists that is not of the example day. */
const ownRow = (organization: string, table: 'manifest' | 'shipment' | 'track', name: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} WHERE organization_uuid = ${organization}
    AND deleted_date IS NULL AND NOT (${isExample(name)}))`;

/** Reads the parts that an organization has. Each part looks for one row. */
export const startedQuery = ({ organization }: Database): SQL<ViewRow<SQL<Started>>> => {
  const exists = (rows: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${rows} LIMIT 1)`;
  const own = sql`organization_uuid = ${organization}`;
  // Each index has only the entries with or only those without a date.
  const hasArchive = sql`(${exists(sql`archive_entry WHERE ${own} AND deleted_date IS NULL`)}
    OR ${exists(sql`archive_entry WHERE ${own} AND deleted_date IS NOT NULL`)})`;
  return sql`SELECT json_object(
    'gateUuid', (SELECT uuid FROM gate WHERE ${own} AND deleted_date IS NULL ORDER BY external_identifier LIMIT 1),
    'manifestUuid', (SELECT uuid FROM (${latestRows('manifest', organization, LOAD_STATUSES)} LIMIT 1)),
    'shipments', ${exists(sql`shipment WHERE ${own} AND deleted_date IS NULL`)},
    'markers', ${exists(sql`marker_allocation WHERE ${own}`)},
    'tablets', ${exists(sql`gate_tablet WHERE ${own} AND paired_date IS NOT NULL
      AND revoked_date IS NULL`)},
    'loaded', ${exists(sql`manifest WHERE ${own} AND deleted_date IS NULL
      AND manifest_status IN ('IN_PROGRESS', 'COMPLETED') AND loaded_count > 0`)},
    'works', ${ownRow(organization, 'manifest', sql`external_identifier`)}
      OR ${ownRow(organization, 'shipment', sql`external_identifier`)}
      OR ${ownRow(organization, 'track', sql`wms_id`)} OR ${hasArchive},
    'inService', ${exists(sql`manifest WHERE ${own} AND deleted_date IS NULL AND manifest_status = 'COMPLETED'
      AND NOT (${isExample(sql`external_identifier`)})`)} OR ${hasArchive},
    'example', CASE WHEN ${exists(sql`shipment WHERE ${own} AND deleted_date IS NULL
        AND external_identifier = ${EXAMPLE_LAST}`)} THEN 'WHOLE'
      WHEN ${exists(sql`manifest WHERE ${own} AND deleted_date IS NULL
        AND ${isExample(sql`external_identifier`)}`)} THEN 'PART' ELSE 'NONE' END) AS view`;
};

/** Reads the parts in one round trip. */
export async function readStarted(database: Database): Promise<Started> {
  const { started } = await database.ask({ started: startedQuery(database) });
  return parseJson(started[0]!.view);
}
