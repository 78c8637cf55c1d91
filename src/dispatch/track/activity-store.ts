import { type SQL, sql } from 'drizzle-orm';
import { newUuid } from '../../core/lib/id.ts';
import type { Scope, Write } from '../../core/lib/scope.ts';
import { inList, jsonChunks, rowsTable, sqlUuid, withRows } from '../../core/lib/sql.ts';
import type { Actor } from '../../core/writer/chain.ts';
import type { Context } from '../../core/writer/command.ts';
import type { ActivityType } from './rules.ts';
import { isOpenAsset } from './store.ts';
import { SYSTEM_NAME, TIMELINE_DETAILS } from './timeline-rules.ts';

/** The author of an entry or a comment. */
export interface Author {
  /**
   * Empty for a user. The user's current name is read when it is shown, so that it can be erased.
   */
  author: string;
  authorUuid: string | null;
}

export const authorOf = ({ actorType, uuid, displayName }: Actor): Author =>
  actorType === 'USER' ? { author: '', authorUuid: uuid } : { author: displayName, authorUuid: null };

/** Add an entry to the timelines of the live tracks that manifests have attached or detached. */
export function recordActivity(
  { scope, actor, now }: Context,
  activityType: ActivityType,
  assets: readonly { wmsId: string; manifestExternalId: string }[],
): Write[] {
  const rows = assets.map(({ wmsId, manifestExternalId }) => [wmsId, manifestExternalId]);
  const select = activityOf(
    { activityType, ...authorOf(actor), now, details: null },
    sql`given.value ->> 1`,
    sql`FROM given CROSS JOIN track ON track.organization_uuid = ${scope.organization}
      AND track.wms_id = given.value ->> 0
    WHERE track.deleted_date IS NULL AND track.retirement <> 'RETIRED'`,
  );
  return jsonChunks(rows).map((json) => insertActivity(scope, sql`WITH ${withRows(json)} ${select}`));
}

/** Add an entry to the timeline of one track in any state. */
export function recordTrackActivity(
  { scope, actor, now }: Context,
  activityType: ActivityType,
  trackUuid: string,
  details: string | null = null,
): Write {
  return insertActivity(
    scope,
    activityOf(
      { activityType, ...authorOf(actor), now, details },
      sql`NULL`,
      sql`FROM track WHERE track.organization_uuid = ${scope.organization} AND track.uuid = ${trackUuid}`,
    ),
  );
}

/**
 * Add COUPLED to the timeline of a new track, and ATTACHED for each open manifest that already
 * expects it. Both in one statement.
 */
export function recordCoupling(
  { scope, actor, now }: Context,
  coupled: readonly { uuid: string; markerCode: number }[],
): Write[] {
  const entry = { ...authorOf(actor), now };
  const own = sql`FROM given CROSS JOIN track ON track.organization_uuid = ${scope.organization}
    AND track.uuid = given.value ->> 0`;
  const couplings = activityOf(
    { ...entry, activityType: 'COUPLED', details: sql`given.value ->> 1` },
    sql`NULL`,
    own,
  );
  const attached = activityOf(
    { ...entry, activityType: 'ATTACHED', details: null },
    sql`m.external_identifier`,
    sql`${own} JOIN asset_loading a ON a.organization_uuid = track.organization_uuid AND a.wms_id = track.wms_id
      JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING') AND m.deleted_date IS NULL AND ${isOpenAsset}`,
  );
  return jsonChunks(coupled.map(({ uuid, markerCode }) => [uuid, `marker ${markerCode}`])).map((json) =>
    insertActivity(scope, sql`WITH ${withRows(json)} ${couplings} UNION ALL ${attached}`),
  );
}

/** A timeline entry for an event at a gate. */
export interface GateActivity {
  trackUuid: string;
  activityType: ActivityType;
  gateUuid: string | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  details: string | null;
  /** Epoch milliseconds. A scan may be reported later than it happened. */
  activityDate: number;
}

/** Add entries to the timelines of tracks. */
export function insertActivities({ scope, actor, now }: Context, entries: readonly GateActivity[]): Write[] {
  const { author, authorUuid } = authorOf(actor);
  const rows = entries.map((entry) => [
    newUuid(),
    entry.trackUuid,
    entry.activityType,
    entry.activityDate,
    entry.gateUuid,
    entry.manifestExternalId,
    entry.shipmentExternalId,
    entry.details,
    author,
    authorUuid,
  ]);
  return jsonChunks(rows).map((json) =>
    insertActivity(
      scope,
      sql`SELECT value ->> 0 AS uuid, value ->> 1 AS track_uuid, value ->> 2 AS activity_type, value ->> 3 AS activity_date,
        ${now} AS entry_date, value ->> 4 AS gate_uuid, value ->> 5 AS manifest_external_id,
        value ->> 6 AS shipment_external_id, value ->> 8 AS author, value ->> 9 AS author_uuid, value ->> 7 AS details
        FROM ${rowsTable(json)}`,
    ),
  );
}

/**
 * Insert entries with the next numbers. They go directly into the table. The trigger of the view
 * `track_activity` would cost several times as much.
 */
const insertActivity = (
  scope: Scope,
  entries: SQL,
): Write => sql`INSERT INTO activity (organization_number, number,
    track_uuid, uuid, activity_type, activity_date, entry_date, gate_uuid, manifest_external_id, shipment_external_id,
    author, author_uuid, details)
  SELECT o.number, coalesce((SELECT max(number) FROM activity WHERE organization_number = o.number), 0)
      + row_number() OVER (),
    unhex(track_uuid, '-'), unhex(uuid, '-'), activity_type, activity_date, nullif(entry_date, activity_date),
    unhex(gate_uuid, '-'), manifest_external_id, shipment_external_id, author, unhex(author_uuid, '-'), details
  FROM organization_number o CROSS JOIN (${entries}) WHERE o.organization_uuid = ${scope.organization}`;

/** Insert an entry for each track of `source`. */
const activityOf = (
  entry: Author & { activityType: ActivityType; now: number; details: SQL | string | null },
  manifestExternalId: SQL,
  source: SQL,
): SQL => sql`SELECT ${sqlUuid(entry.now)} AS uuid, track.uuid AS track_uuid, ${entry.activityType} AS activity_type,
  ${entry.now} AS activity_date, ${entry.now} AS entry_date, NULL AS gate_uuid,
  ${manifestExternalId} AS manifest_external_id, NULL AS shipment_external_id, ${entry.author} AS author,
  ${entry.authorUuid} AS author_uuid, ${entry.details} AS details ${source}`;

/** Add RETIRED to the timelines of tracks that are retired now. */
export const recordRetirement = (scope: Scope, trackUuids: readonly string[], now: number): Write =>
  insertActivity(
    scope,
    activityOf(
      {
        activityType: 'RETIRED',
        author: SYSTEM_NAME,
        authorUuid: null,
        now,
        details: TIMELINE_DETAILS.lastManifestClosed,
      },
      sql`NULL`,
      sql`FROM track WHERE track.uuid ${inList(trackUuids)} AND +track.organization_uuid = ${scope.organization}`,
    ),
  );
