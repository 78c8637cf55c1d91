import { type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../../core/lib/scope.ts';
import { identified, isOpenAsset, onManifests } from './store.ts';

/** The live track of a WMS id, which keeps the WMS id from being coupled again. */
export interface LiveTrack {
  retirement: 'NONE' | 'SCHEDULED';
  /** The external identifier of an open manifest of the track; null if it is on none. */
  openManifest: string | null;
}

const liveTrack = (scope: Scope, wmsId: SQL): SQL<LiveTrack> => sql`SELECT retirement,
  (SELECT m.external_identifier ${onManifests} AND ${isOpenAsset} LIMIT 1) AS "openManifest"
  FROM track WHERE organization_uuid = ${scope.organization}
  AND wms_id = ${wmsId} AND deleted_date IS NULL AND retirement <> 'RETIRED'`;

/** The live track of a WMS id. */
export const liveTrackQuery = (scope: Scope, wmsId: string): SQL<LiveTrack> =>
  liveTrack(scope, sql`${wmsId}`);

/** The live track of the WMS id of this track. */
export const liveTrackNamed = (scope: Scope, identifier: string): SQL<LiveTrack> =>
  liveTrack(scope, sql`(SELECT track.wms_id FROM track ${identified(scope, identifier)})`);
