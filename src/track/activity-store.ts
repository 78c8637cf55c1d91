import { type SQL, sql } from 'drizzle-orm';
import { inList, type Scope, sqlUuid, type Write } from '../lib/database.ts';
import { newUuid } from '../lib/id.ts';
import type { Actor } from '../writer/chain.ts';
import type { Context } from '../writer/command.ts';
import type { ActivityType } from './rules.ts';
import { isOpen } from './store.ts';
import { trackActivity } from './table.ts';

/** Who made an entry or a comment. */
export interface Author {
  /** Empty for a user, who is called what it is called when it is shown: so that it can be erased. */
  author: string;
  authorUuid: string | null;
}

/** An actor as an author. */
export const authorOf = ({ actorType, uuid, displayName }: Actor): Author =>
  actorType === 'USER' ? { author: '', authorUuid: uuid } : { author: displayName, authorUuid: null };

/** An entry on the timeline of the live tracks of these WMS ids. */
export function recordActivity(
  { scope, actor, now }: Context,
  activityType: ActivityType,
  wmsIds: readonly string[],
  { manifestExternalId }: { manifestExternalId: string },
): Write[] {
  if (wmsIds.length === 0) return [];
  return [
    insertActivity(
      activityOf(
        scope,
        { activityType, ...authorOf(actor), now, details: null },
        sql`${manifestExternalId}`,
        sql`FROM track WHERE track.organization_uuid = ${scope.organization} AND track.wms_id ${inList(wmsIds)}
        AND track.deleted_date IS NULL AND track.retirement <> 'RETIRED'`,
      ),
    ),
  ];
}

/** An entry on the timeline of one track, whatever its state. */
export function recordTrackActivity(
  { scope, actor, now }: Context,
  activityType: ActivityType,
  trackUuid: string,
  details: string | null = null,
): Write {
  return insertActivity(
    activityOf(
      scope,
      { activityType, ...authorOf(actor), now, details },
      sql`NULL`,
      sql`FROM track WHERE track.organization_uuid = ${scope.organization} AND track.uuid = ${trackUuid}`,
    ),
  );
}

/** COUPLED, on the timeline of a track that is, and ATTACHED for each open manifest that waited for it: one statement. */
export function recordCoupling({ scope, actor, now }: Context, trackUuid: string, details: string): Write {
  const entry = { ...authorOf(actor), now };
  const coupled = activityOf(
    scope,
    { ...entry, activityType: 'COUPLED', details },
    sql`NULL`,
    sql`FROM track WHERE track.organization_uuid = ${scope.organization} AND track.uuid = ${trackUuid}`,
  );
  const attached = activityOf(
    scope,
    { ...entry, activityType: 'ATTACHED', details: null },
    sql`m.external_identifier`,
    sql`FROM track JOIN asset_loading a ON a.organization_uuid = track.organization_uuid AND a.wms_id = track.wms_id
      JOIN manifest m ON m.uuid = a.manifest_uuid
      WHERE track.organization_uuid = ${scope.organization} AND track.uuid = ${trackUuid}
        AND a.loading_status NOT IN ('WRONGLY_LOADED', 'UNKNOWN_LOADING')
        AND m.deleted_date IS NULL AND ${isOpen}`,
  );
  return insertActivity(sql`${coupled} UNION ALL ${attached}`);
}

/** An entry on a track's timeline, of what happened at a gate. */
export interface GateActivity {
  trackUuid: string;
  activityType: ActivityType;
  gateUuid: string | null;
  manifestExternalId: string | null;
  shipmentExternalId: string | null;
  details: string | null;
  /** Epoch milliseconds; a scan may be told later than it happened. */
  activityDate: number;
}

/** Entries on the timelines of tracks. */
export function insertActivities({ scope, actor, now }: Context, entries: readonly GateActivity[]): Write[] {
  return scope.insert(
    trackActivity,
    entries.map(({ activityDate, ...entry }) => ({
      ...entry,
      uuid: newUuid(),
      ...authorOf(actor),
      createDate: activityDate,
      updateDate: now,
    })),
  );
}

const insertActivity = (
  entries: SQL,
): Write => sql`INSERT INTO track_activity (organization_uuid, uuid, track_uuid,
    activity_type, manifest_external_id, author, author_uuid, details, create_date, update_date) ${entries}`;

/** Entries for the tracks of `source`. */
const activityOf = (
  scope: Scope,
  entry: Author & { activityType: ActivityType; now: number; details: string | null },
  manifestExternalId: SQL,
  source: SQL,
): SQL => sql`SELECT ${scope.organization}, ${sqlUuid(entry.now)}, track.uuid, ${entry.activityType},
  ${manifestExternalId}, ${entry.author}, ${entry.authorUuid}, ${entry.details}, ${entry.now}, ${entry.now} ${source}`;

/** RETIRED, on the timelines of tracks whose time has come. */
export const recordRetirement = (scope: Scope, trackUuids: readonly string[], now: number): Write =>
  insertActivity(
    activityOf(
      scope,
      {
        activityType: 'RETIRED',
        author: 'System',
        authorUuid: null,
        now,
        details: 'its last open manifest closed',
      },
      sql`NULL`,
      sql`FROM track WHERE track.uuid ${inList(trackUuids)} AND +track.organization_uuid = ${scope.organization}`,
    ),
  );
