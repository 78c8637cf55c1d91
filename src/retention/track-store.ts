import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../core/lib/database.ts';
import { sha256Hex } from '../core/lib/hash.ts';
import type { Scope } from '../core/lib/scope.ts';
import { inList } from '../core/lib/sql.ts';
import { fieldsView } from '../dispatch/custom-field/store.ts';
import { isOnTimeline, isOnTimelines } from '../dispatch/track/timeline-store.ts';
import type { ArchivedRow } from '../storage/archive/store.ts';

/** A track to be archived. */
export interface LeavingTrack {
  uuid: string;
  markerCode: number;
  /** Whether its marker is free for another. */
  deleted: 0 | 1;
  /** A fingerprint of it, its timeline, comments and custom fields. */
  state: string;
}

/**
 * The tracks of some loading records (by uuid) that nothing else refers to. They are retired or deleted, no other
 * record refers to them, and no open alert is about their pallet.
 */
export function leavingQuery(scope: Scope, recordUuids: readonly string[]): SQL<LeavingTrack> {
  const { organization } = scope;
  const records = inList(recordUuids);
  return sql`SELECT t.uuid, t.marker_code AS "markerCode", t.deleted_date IS NOT NULL AS deleted,
      json_array(t.update_date, t.last_seen_date, t.flagged, t.damaged, t.client_uuid,
        (SELECT count(*) FROM pallet_activity v WHERE v.organization_uuid = t.organization_uuid
          AND ${isOnTimeline(scope, sql`t.uuid`, sql`v`)}),
        (SELECT count(*) FROM track_comment v WHERE v.organization_uuid = t.organization_uuid AND v.track_uuid = t.uuid),
        ${fieldsView(sql`t.organization_uuid`, sql`t.uuid`)}) AS state
    FROM (SELECT DISTINCT a.track_uuid AS uuid FROM asset_loading a
      WHERE a.uuid ${records} AND +a.organization_uuid = ${organization}) named
    CROSS JOIN track t ON t.uuid = named.uuid
    WHERE t.organization_uuid = ${organization} AND (t.retirement = 'RETIRED' OR t.deleted_date IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM asset_loading b WHERE b.organization_uuid = t.organization_uuid
        AND b.wms_id = t.wms_id AND (b.track_uuid = t.uuid OR (b.closed = 0 AND t.deleted_date IS NULL))
        AND b.uuid NOT ${records})
      AND NOT EXISTS (SELECT 1 FROM asset_loading b WHERE b.organization_uuid = t.organization_uuid
        AND b.marker_code = t.marker_code AND b.track_uuid = t.uuid AND b.uuid NOT ${records})
      AND t.wms_id NOT IN (SELECT l.track_identifier FROM alert l WHERE l.organization_uuid = ${organization}
        AND l.status = 'OPEN' AND l.track_identifier IS NOT NULL)
    ORDER BY t.uuid`;
}

/** A fingerprint of these tracks. It covers everything that is copied of them. */
export const tracksFingerprint = (tracks: readonly LeavingTrack[]): string =>
  sha256Hex(JSON.stringify(tracks));

/** All rows of tracks. Users who made entries are stored by uuid only, so that they can be erased. */
export function rowsOfTracks(
  database: Database,
  tracks: readonly LeavingTrack[],
): Promise<Record<string, ArchivedRow[]>> {
  const uuids = inList(tracks.map(({ uuid }) => uuid));
  const of = (column: string) =>
    sql`organization_uuid = ${database.organization} AND ${sql.raw(column)} ${uuids}`;
  return database.ask({
    track: sql<ArchivedRow>`SELECT * FROM track WHERE uuid ${uuids} AND +organization_uuid = ${database.organization}`,
    pallet_activity: sql<ArchivedRow>`SELECT uuid, organization_uuid, pallet AS track_uuid, activity_type, gate_uuid,
        manifest_external_id, shipment_external_id, iif(author_uuid IS NULL, author, '') AS author, author_uuid, details,
        create_date, update_date
      FROM pallet_activity t WHERE organization_uuid = ${database.organization}
        AND ${isOnTimelines(database, sql`SELECT value AS pallet FROM json_each(${JSON.stringify(tracks.map(({ uuid }) => uuid))})`)}`,
    track_comment: sql<ArchivedRow>`SELECT * FROM track_comment WHERE ${of('track_uuid')}`,
    custom_field: sql<ArchivedRow>`SELECT * FROM custom_field WHERE ${of('owner_uuid')}`,
  });
}
