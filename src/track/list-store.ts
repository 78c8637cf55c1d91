import { type SQL, sql } from 'drizzle-orm';
import { identifiedClients } from '../client/store.ts';
import { searchCondition } from '../http/list.ts';
import { type Sorting, totalOf } from '../http/list-statements.ts';
import type { Scope } from '../lib/database.ts';
import type { TrackStatus } from './rules.ts';
import { LISTED, onManifestsCondition, trackView } from './store.ts';
import { activityView } from './timeline-store.ts';

/** Retirement, and whether it is flagged, of each status. */
const STATUS_STATES: Record<TrackStatus, readonly (readonly [string, 0 | 1])[]> = {
  ACTIVE: [['NONE', 0]],
  FLAGGED: [['NONE', 1]],
  SCHEDULED_FOR_RETIREMENT: [
    ['SCHEDULED', 0],
    ['SCHEDULED', 1],
  ],
  NOT_ACTIVE: [
    ['RETIRED', 0],
    ['RETIRED', 1],
  ],
};

/** The parts of the list that have one of these statuses. */
const partsWith = (statuses: readonly TrackStatus[]): Record<string, SQL> =>
  Object.fromEntries(
    statuses
      .flatMap((status) => STATUS_STATES[status])
      .map(([retirement, flagged]) => [
        `${retirement}:${flagged}`,
        sql`(track.retirement = ${retirement} AND track.flagged = ${flagged})`,
      ]),
  );

/** What the list can be sorted by. */
export const trackSorting: Sorting<
  'createDate' | 'updateDate' | 'wmsId' | 'markerCode' | 'coupleDate' | 'retireDate' | 'lastSeenDate'
> = {
  columns: {
    createDate: { expression: sql`track.create_date`, stable: true },
    updateDate: { expression: sql`track.update_date`, stable: false },
    wmsId: { expression: sql`track.wms_id`, stable: true },
    markerCode: { expression: sql`track.marker_code`, stable: true },
    coupleDate: { expression: sql`track.couple_date`, stable: true },
    retireDate: { expression: sql`track.retire_date`, stable: false },
    lastSeenDate: { expression: sql`track.last_seen_date`, stable: false },
  },
  default: { sortBy: 'createDate', direction: 'DESC' },
};

/** What the list can be filtered by. */
export interface TrackFilters {
  wmsId?: string | undefined;
  damagedTracks?: boolean | undefined;
  trackStatus?: readonly TrackStatus[] | undefined;
  manifestExternalIds?: readonly string[] | undefined;
  clientId?: readonly string[] | undefined;
  q?: string | undefined;
  includeDeleted?: boolean | undefined;
}

/** The organization's rows that meet the filters. */
export function trackSource(database: Scope, query: TrackFilters) {
  const { organization } = database;
  const { wmsId, damagedTracks, trackStatus, manifestExternalIds, clientId } = query;
  const parts = trackStatus && partsWith(trackStatus);
  return {
    from: sql`track`,
    table: 'track',
    conditions: [
      sql`track.organization_uuid = ${organization}`,
      query.includeDeleted ? undefined : sql`track.deleted_date IS NULL`,
    ],
    parts,
    count: query.includeDeleted ? undefined : totalOf(organization, 'track', parts),
    filters: [
      wmsId ? sql`track.wms_id = ${wmsId}` : undefined,
      damagedTracks === undefined ? undefined : sql`damaged = ${Number(damagedTracks)}`,
      manifestExternalIds && onManifestsCondition(manifestExternalIds),
      clientId && sql`track.client_uuid IN ${identifiedClients(database, clientId)}`,
      searchCondition([sql`track.folded_wms_id`, sql`CAST(track.marker_code AS TEXT)`], query.q),
    ],
    view: trackView(LISTED),
    sorting: trackSorting,
    narrow: Boolean(wmsId || clientId),
  };
}

/** What a timeline can be sorted by. */
export const activitySorting: Sorting<'activityDate'> = {
  columns: { activityDate: { expression: sql`track_activity.create_date`, stable: true } },
  default: { sortBy: 'activityDate', direction: 'DESC' },
};

/** The timeline of a track. */
export function activitySource({ organization }: Scope, trackUuid: string | SQL) {
  return {
    from: sql`track_activity`,
    table: 'track_activity',
    columns: {
      key: sql`track_activity.uuid`,
      // An entry is kept under the instant it tells of, and never changes.
      createDate: sql`track_activity.update_date`,
      updateDate: sql`track_activity.update_date`,
    },
    conditions: [
      sql`track_activity.organization_uuid = ${organization}`,
      sql`track_activity.track_uuid = ${trackUuid}`,
    ],
    view: activityView,
    sorting: activitySorting,
  };
}
