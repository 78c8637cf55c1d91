import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import { includeDeletedFilter, list, searchFilter } from '../../core/http/list.ts';
import { listParts, liveRows, searchCondition } from '../../core/http/list-statements.ts';
import { flag, several, text } from '../../core/http/schema.ts';
import { identifiedClients } from '../client/store.ts';
import { TRACK_STATUSES } from './rules.ts';
import { LISTED, onManifestsCondition, trackView } from './store.ts';
import { activityView, isEntry, isOnTimelines } from './timeline-store.ts';

const STATUS = sql`track.status`;

export const trackList = list({
  table: 'track',
  view: trackView(LISTED),
  sorting: {
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
  },
  filters: {
    wmsId: text(0, 255).optional().describe('Exactly this WMS id'),
    damagedTracks: flag
      .optional()
      .describe('true: only damaged tracks; false: only tracks that are not damaged'),
    trackStatus: several(z.enum(TRACK_STATUSES)).optional(),
    manifestExternalIds: several(text(1, 255)).optional().describe('Tracks on any of these manifests'),
    clientId: several(text(1, 255))
      .optional()
      .describe('Pallets of any of these clients: external id, or else UUID'),
    q: searchFilter,
    includeDeleted: includeDeletedFilter,
  },
  rows(scope, query) {
    const { wmsId, damagedTracks, trackStatus, manifestExternalIds, clientId } = query;
    return {
      ...liveRows(scope, 'track', query, listParts(STATUS, trackStatus), listParts(STATUS, TRACK_STATUSES)),
      filtering: [
        wmsId ? sql`track.wms_id = ${wmsId}` : undefined,
        damagedTracks === undefined ? undefined : sql`damaged = ${Number(damagedTracks)}`,
        manifestExternalIds && onManifestsCondition(manifestExternalIds),
        clientId && sql`track.client_uuid IN ${identifiedClients(scope, clientId)}`,
        searchCondition([sql`track.folded_wms_id`, sql`CAST(track.marker_code AS TEXT)`], query.q),
      ],
      narrow: Boolean(wmsId || clientId),
    };
  },
});

/** The timeline of pallets. `pallets` selects them as one column `pallet`, as `pallet_activity` names them. */
export const activityList = list({
  table: 'pallet_activity',
  columns: {
    key: sql`pallet_activity.number`,
    // In this view, `update_date` is when the entry was made, and `create_date` is the instant that
    // it is about. An entry never changes.
    createDate: sql`pallet_activity.update_date`,
    updateDate: sql`pallet_activity.update_date`,
  },
  view: activityView,
  sorting: {
    columns: { activityDate: { expression: sql`pallet_activity.create_date`, stable: true } },
    default: { sortBy: 'activityDate', direction: 'DESC' },
  },
  filters: {},
  rows: (scope, _, pallets: SQL) => ({
    conditions: [
      sql`pallet_activity.organization_uuid = ${scope.organization}`,
      isOnTimelines(scope, pallets, sql`pallet_activity`),
    ],
    rowOf: (key) => sql`pallet_activity WHERE ${isEntry(scope, key)}`,
    narrow: true,
  }),
});
