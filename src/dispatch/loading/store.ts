import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { list, searchFilter } from '../../core/http/list.ts';
import { searchCondition } from '../../core/http/list-statements.ts';
import { several } from '../../core/http/schema.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { gateExternalIdOf } from '../gate/store.ts';
import {
  IS_ASSET,
  presentRecord,
  recordPairs,
  recordView,
  type StoredRecord,
  trackOfRecord,
} from '../load/shared/asset-store.ts';
import type { LoadStatus } from '../load/shared/status-rules.ts';
import { ASSET_STATUSES, type assetLoading, INVALID_STATUSES } from '../load/shared/table.ts';
import { EMBEDDED, hasTrack, LISTED, type StoredTrack, trackView } from '../track/store.ts';

/**
 * Marked records as the writer stores them. Each track is stored once, because a row of D1 has at
 * most 2 MB.
 */
export interface StoredMarked {
  changed: StoredTracklessRecord[];
  unchanged: StoredTracklessRecord[];
  tracks: StoredTrack[];
  /** 1 if further records are left out. */
  more?: 0 | 1;
}

type StoredTracklessRecord = Omit<StoredRecord, 'track'> & { trackUuid: string | null };

/** The maximum number of marked records that an answer shows. A pallet may be on many manifests. */
const MARKED_MAXIMUM = 100;
/** This many tracks of any size fit into one row. With more tracks, each shows fewer fields. */
const LARGE_TRACKS_MAXIMUM = 3;

/** JSON of marked records (`StoredMarked`). */
export function markedView(
  { organization }: Scope,
  marked: { changed: readonly SetRecord[]; unchanged: readonly SetRecord[] },
): SQL<StoredMarked> {
  const changed = marked.changed.slice(0, MARKED_MAXIMUM);
  const unchanged = marked.unchanged.slice(0, MARKED_MAXIMUM - changed.length);
  const more = changed.length + unchanged.length < marked.changed.length + marked.unchanged.length;
  const shown = (records: readonly SetRecord[]): SQL => sql`json((SELECT json_group_array(json(view)) FROM
    (SELECT json_object(${recordPairs}, 'trackUuid', ${trackOfRecord}) AS view
      FROM json_each(${JSON.stringify(records.map(({ recordUuid }) => recordUuid))}) wanted
      CROSS JOIN asset_loading a ON a.uuid = wanted.value AND a.organization_uuid = ${organization}
      CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid ORDER BY wanted.key)))`;
  const trackUuids = new Set([...changed, ...unchanged].flatMap(({ trackUuid }) => trackUuid ?? []));
  const extent = trackUuids.size > LARGE_TRACKS_MAXIMUM ? EMBEDDED : LISTED;
  return sql`json_object('changed', ${shown(changed)}, 'unchanged', ${shown(unchanged)}, 'more', ${Number(more)},
    'tracks', json((SELECT json_group_array(json(view)) FROM (SELECT ${trackView(extent)} AS view FROM track
      WHERE track.organization_uuid = ${organization} AND track.uuid ${inList([...trackUuids])}))))`;
}

interface SetRecord {
  recordUuid: string;
  trackUuid: string | null;
}

/** Marked records as the API shows them. */
export function presentMarked(links: string, { changed, unchanged, tracks, more }: StoredMarked) {
  const byUuid = new Map(tracks.map((track) => [track.uuid, track]));
  const shown = (records: StoredTracklessRecord[]) =>
    records.map((record) =>
      presentRecord(links, { ...record, track: byUuid.get(record.trackUuid ?? '') ?? null }),
    );
  return { changed: shown(changed), unchanged: shown(unchanged), ...(more ? { truncated: true } : {}) };
}

/** A selection of records of a shipment or manifest. */
export type Target =
  | { by: 'record'; recordUuid: string }
  | { by: 'track'; trackIdentifier: string }
  /**
   * The assets with the WMS id of the marker's track, and the invalid loading records of this code.
   * `markerValue` is the text that the caller sent.
   */
  | { by: 'marker'; markerCode: number; markerValue?: string };

/** A record that a `Target` selects. */
export interface TargetRecord {
  recordUuid: string;
  wmsId: string | null;
  markerCode: number | null;
  loadingStatus: (typeof assetLoading.$inferSelect)['loadingStatus'];
  gateUuid: string | null;
  gateExternalId: string | null;
  trackUuid: string | null;
  manifestUuid: string;
  manifestExternalId: string;
  manifestStatus: LoadStatus;
}

/**
 * The records that a target selects in a manifest or shipment. Records of a shipment are sorted by
 * manifest.
 */
export function targetsQuery(
  database: Scope,
  target: Target,
  load: { shipmentUuid: SQL } | { manifestUuid: SQL },
): SQL<TargetRecord> {
  const organization = sql`${database.organization}`;
  const meant = {
    record: () => sql`SELECT ${(target as { recordUuid: string }).recordUuid} AS uuid`,
    track: () => ofWmsId(organization, sql`${(target as { trackIdentifier: string }).trackIdentifier}`),
    marker: () => {
      const code = sql`${(target as { markerCode: number }).markerCode}`;
      const wmsId = sql`(SELECT wms_id FROM track WHERE organization_uuid = ${organization}
        AND marker_code = ${code} AND deleted_date IS NULL)`;
      return sql`${ofWmsId(organization, wmsId)} UNION SELECT uuid FROM asset_loading
        WHERE organization_uuid = ${organization} AND marker_code = ${code}`;
    },
  }[target.by]();
  return sql`SELECT a.uuid AS "recordUuid", a.wms_id AS "wmsId", a.marker_code AS "markerCode",
      a.loading_status AS "loadingStatus", a.gate_uuid AS "gateUuid",
      ${gateExternalIdOf(organization, sql`a.gate_uuid`)} AS "gateExternalId", ${trackOfRecord} AS "trackUuid",
      manifest.uuid AS "manifestUuid", manifest.external_identifier AS "manifestExternalId",
      manifest.manifest_status AS "manifestStatus"
    FROM (${meant}) meant
    CROSS JOIN asset_loading a ON a.uuid = meant.uuid AND +a.organization_uuid = ${organization}
    LEFT JOIN shipment_manifest s ON s.organization_uuid = ${organization} AND s.manifest_uuid = a.manifest_uuid
    CROSS JOIN manifest ON manifest.uuid = a.manifest_uuid
    WHERE ${'manifestUuid' in load ? sql`a.manifest_uuid = ${load.manifestUuid}` : sql`s.shipment_uuid = ${load.shipmentUuid}`}
    ORDER BY s.rowid, a.create_date, a.uuid`;
}

const ofWmsId = (organization: SQL, wmsId: SQL): SQL => sql`SELECT uuid FROM asset_loading
  WHERE organization_uuid = ${organization} AND wms_id = ${wmsId}`;

export const RECORD_STATUSES = [...ASSET_STATUSES, ...INVALID_STATUSES] as const;

/**
 * The folded WMS id of a record, from its track. A record without a track uses `lower` of SQLite,
 * which folds a to z only.
 */
const foldedWmsId = sql`coalesce((SELECT folded_wms_id FROM track WHERE track.uuid = ${trackOfRecord}), lower(a.wms_id))`;

/**
 * The search condition of records. It finds the text `q` in the folded WMS id, the marker code, and
 * the WMS id as written.
 */
function foundBy(q: string | undefined): SQL | undefined {
  const found = searchCondition([foldedWmsId, sql`CAST(a.marker_code AS TEXT)`], q);
  return found && sql`(${found} OR instr(a.wms_id, ${q}) > 0)`;
}

/**
 * The loading records of manifests, in the order of creation. `manifests` is a condition on the
 * manifest uuid. `q` searches WMS id and marker code.
 */
export const recordList = list({
  table: 'a',
  from: sql`asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid`,
  view: recordView(LISTED),
  sorting: {
    columns: { createDate: { expression: sql`a.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'ASC' },
  },
  filters: { loadingStatus: several(z.enum(RECORD_STATUSES)).optional(), q: searchFilter },
  rows: ({ organization }, { loadingStatus, q }, manifests: SQL) => ({
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      sql`a.manifest_uuid ${manifests}`,
      loadingStatus && sql`a.loading_status ${inList(loadingStatus)}`,
      foundBy(q),
    ],
  }),
});

/** The maximum number of open manifests that are looked at. */
const OPEN_MANIFESTS_MAXIMUM = 5_000;

/** SQL: the uuids of the open manifests of an organization. */
export const openManifests = (organization: string): SQL => sql`SELECT uuid FROM manifest
  WHERE organization_uuid = ${organization} AND manifest_status IN ('PLANNED', 'TO_DO', 'IN_PROGRESS')
    AND deleted_date IS NULL LIMIT ${OPEN_MANIFESTS_MAXIMUM}`;

/**
 * SQL condition: record `of` is an asset of an open manifest, and its pallet has no track. Of several manifests of the
 * pallet, the latest counts.
 */
const isUnmarked = (of: SQL): SQL => sql`${of}.closed = 0 AND ${isLatest(of, sql`o.closed = 0`)}`;

/**
 * SQL condition: record `of` is an asset of a manifest that is open or completed, and its pallet has no track. Of several
 * manifests of the pallet, the latest open one counts, or else the latest one.
 */
export const isUntracked = (of: SQL): SQL =>
  isLatest(
    of,
    sql`(o.closed = 0 OR (o.closed = 1 AND EXISTS (SELECT 1 FROM manifest c WHERE c.uuid = o.manifest_uuid
      AND c.manifest_status = 'COMPLETED' AND c.deleted_date IS NULL)))`,
  );

const isLatest = (of: SQL, counts: SQL): SQL => sql`${of}.${IS_ASSET}
  AND NOT ${hasTrack(sql`${of}.organization_uuid`, sql`${of}.wms_id`)}
  AND ${of}.uuid = (SELECT o.uuid FROM asset_loading o WHERE o.organization_uuid = ${of}.organization_uuid
    AND o.wms_id = ${of}.wms_id AND o.closed IN (0, 1) AND ${counts} AND o.${IS_ASSET}
    ORDER BY o.closed, o.create_date DESC, o.uuid DESC LIMIT 1)`;

/** The pallets that open manifests expect and that have no marker yet. `q` searches the WMS id. */
export const unmarkedList = list({
  table: 'a',
  from: sql`asset_loading a JOIN manifest ON manifest.uuid = a.manifest_uuid`,
  view: recordView(LISTED),
  sorting: {
    columns: { createDate: { expression: sql`a.create_date`, stable: true } },
    default: { sortBy: 'createDate', direction: 'DESC' },
  },
  filters: { q: searchFilter },
  rows: ({ organization }, { q }) => ({
    conditions: [
      sql`a.organization_uuid = ${organization}`,
      sql`a.manifest_uuid IN (${openManifests(organization)})`,
      isUnmarked(sql`a`),
      searchCondition([sql`lower(a.wms_id)`], q),
    ],
    // Few manifests are open. An organization has many more records.
    narrow: true,
  }),
});
