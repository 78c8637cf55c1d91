import { type SQL, sql } from 'drizzle-orm';
import type { RowsOf } from '../../../../core/lib/asks.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews, type ViewRow } from '../../../../core/lib/view.ts';
import { isRecord, rowsAbout } from '../../../../core/writer/audit-table.ts';
import { endQuery } from '../../../../core/writer/log.ts';
import {
  leftAssetsQuery,
  referenceView,
  type StoredReference,
} from '../../../../dispatch/load/manifest/store.ts';
import { IS_ASSET, recordTally } from '../../../../dispatch/load/shared/asset-store.ts';
import type { Tally } from '../../../../dispatch/load/shared/table.ts';
import { PACE_PALLETS, type WrongPallet } from '../../board/rules.ts';
import { wrongView } from '../../board/store.ts';
import { namedRecordView } from '../audit/named-store.ts';
import { freeName } from './backorder-store.ts';
import { palletView, type ShownPallet } from './pallet-store.ts';

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
function happenedQuery(
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

/**
 * The maximum number of pallets of each kind that are named. `considered`: the maximum number of
 * records that are searched for flagged pallets.
 */
export const NEWS_LIMITS = { wrong: 20, stayed: 8, flagged: 20, considered: 500 } as const;

/** A manifest with the numbers of its records by status. */
export interface NewsPart {
  uuid: string;
  externalIdentifier: string;
  status: string;
  counts: Tally;
  /** Its back order, and the manifest that it is the back order of. */
  backorder: StoredReference | null;
  backorderOf: StoredReference | null;
  /** A free name for its back order; null if it needs none, or if none was found. */
  freeName: string | null;
  /** The number of pallets that a back order would have. */
  left: number;
}

/** SQL: records `a` with their manifests. `manifests` is a condition on the manifest uuid. */
const recordsOf = ({ organization }: Database, manifests: SQL, more: SQL): SQL => sql`FROM manifest
  CROSS JOIN asset_loading a ON a.organization_uuid = manifest.organization_uuid AND a.manifest_uuid = manifest.uuid ${more}
  WHERE manifest.uuid ${manifests} AND +manifest.organization_uuid = ${organization}`;

/**
 * The reads for the news of a load, and for its latest audit records if they are shown. `manifests`
 * is a condition on the manifest uuid.
 */
export const newsQueries = (database: Database, manifests: SQL, logOf: string | undefined) => ({
  happened: logOf === undefined ? undefined : happenedQuery(database, logOf, manifests),
  heads: endQuery(database),
  parts: sql<
    ViewRow<SQL<NewsPart>>
  >`SELECT json_object('uuid', m.uuid, 'externalIdentifier', m.external_identifier,
      'status', m.manifest_status, 'counts', json(${recordTally}),
      'backorder', ${referenceView(sql`m.organization_uuid`, sql`m.back_order_uuid`)},
      'backorderOf', ${referenceView(sql`m.organization_uuid`, sql`m.back_order_of_uuid`)},
      'freeName', ${freeName},
      'left', iif(m.manifest_status = 'COMPLETED', (SELECT count(*) FROM (${leftAssetsQuery(database, sql`m.uuid`)})), 0))
      AS view
    FROM manifest m WHERE m.uuid ${manifests} AND +m.organization_uuid = ${database.organization}`,
  wrong: sql<ViewRow<SQL<WrongPallet>>>`SELECT ${wrongView} AS view FROM manifest m
    CROSS JOIN asset_loading a ON a.organization_uuid = m.organization_uuid AND a.manifest_uuid = m.uuid
      AND a.loading_status IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
    WHERE m.uuid ${manifests} AND +m.organization_uuid = ${database.organization}
    ORDER BY a.create_date DESC, a.uuid DESC LIMIT ${NEWS_LIMITS.wrong + 1}`,
  // A pallet that can still be loaded is not a problem.
  stayed: sql<ViewRow<SQL<ShownPallet>>>`SELECT ${palletView} AS view ${recordsOf(
    database,
    manifests,
    sql`AND a.loading_status IN ('UNLOADED', iif(manifest.manifest_status = 'COMPLETED', 'NOT_LOADED', 'UNLOADED'))`,
  )} AND manifest.manifest_status <> 'CANCELLED' LIMIT ${NEWS_LIMITS.stayed + 1}`,
  flagged: sql<ViewRow<SQL<ShownPallet>>>`SELECT view FROM (SELECT ${palletView} AS view ${recordsOf(
    database,
    manifests,
    sql`AND a.${IS_ASSET}`,
  )} LIMIT ${NEWS_LIMITS.considered})
    WHERE json_extract(view, '$.track.flagged') = 1 OR json_extract(view, '$.track.damaged') = 1
    LIMIT ${NEWS_LIMITS.flagged + 1}`,
  loadedLast: sql<{ date: number | null }>`SELECT a.loading_date AS date ${recordsOf(
    database,
    manifests,
    sql`AND a.loading_status = 'LOADED'`,
  )} AND manifest.manifest_status = 'IN_PROGRESS' ORDER BY a.loading_date DESC LIMIT ${PACE_PALLETS}`,
});

/** The rows as the page shows them. */
export const newsOf = ({
  happened,
  heads: [head],
  parts,
  wrong,
  stayed,
  flagged,
  loadedLast,
}: RowsOf<ReturnType<typeof newsQueries>>) => ({
  /** The number of the last audit record at the time of the read. */
  sequenceNumber: head?.sequenceNumber ?? 0,
  happened: parseViews(happened),
  parts: parseViews(parts),
  wrong: parseViews(wrong),
  stayed: parseViews(stayed),
  flagged: parseViews(flagged),
  loadedLast,
});
export type NewsRead = ReturnType<typeof newsOf>;
