import { sql } from 'drizzle-orm';
import { pageOf } from '../../../../core/http/list-page.ts';
import { origin } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import { photosOfOwnerQuery } from '../../../../dispatch/photo/store.ts';
import { presentTrack, trackView, WHOLE_TRACK } from '../../../../dispatch/track/store.ts';
import { lastCommentsQuery, palletsOfTrack } from '../../../../dispatch/track/timeline-store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { CustomFields } from '../../../ui/list/custom-fields.tsx';
import { type ByUuid, found, rowQuery } from '../../../ui/page/resource.tsx';
import { Badge } from '../../../ui/parts/components.tsx';
import { Photos } from '../photo/photos.tsx';
import { Comments, OnManifests, TrackFacts, TrackForms } from './parts.tsx';
import { askTimeline, Timeline, type TimelineQuery } from './timeline.tsx';

/** The maximum number of comments on a page, latest first. The API returns all comments. */
const COMMENTS_SHOWN = 20;

/** The manifests of a track whose truck has left. Records of closed manifests have the uuid of their track. */
const leftQuery = ({ organization }: Database, uuid: string) => sql<{ uuid: string }>`SELECT DISTINCT m.uuid
  FROM track CROSS JOIN asset_loading a ON a.organization_uuid = track.organization_uuid AND a.wms_id = track.wms_id
    AND a.closed = 1
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid AND m.manifest_status = 'COMPLETED'
  WHERE track.uuid = ${uuid} AND +track.organization_uuid = ${organization}`;

/** The page of a pallet. One D1 round trip. */
export async function trackPage(at: PageContext, { uuid }: ByUuid, query: TimelineQuery) {
  const { c, database } = at;
  const asked = askTimeline(database, query, palletsOfTrack(uuid));
  const { tracks, left, photos, comments, ...entries } = await database.ask({
    tracks: rowQuery(database, 'track', trackView(WHOLE_TRACK), uuid),
    left: leftQuery(database, uuid),
    photos: photosOfOwnerQuery(database, uuid),
    comments: lastCommentsQuery(database, uuid, COMMENTS_SHOWN),
    ...asked.asks,
  });
  const activities = await pageOf(c, database, asked, entries);
  const track = presentTrack(origin(c), found(tracks, 'trackNotFound', uuid));
  return {
    title: track.wmsId,
    history: `${new URLSearchParams({ pallet: track.wmsId })}`,
    styles: ['records.css'],
    scripts: ['photos.js'],
    aside: (
      <>
        <Badge status={track.trackStatus} />
        {track.damaged && <Badge status="DAMAGED" />}
        <Deleted deleted={track.deleted} />
      </>
    ),
    body: (
      <>
        <TrackFacts track={track} />
        <OnManifests of={track} left={new Set(left.map((one) => one.uuid))} />
        <Timeline page={activities} links={origin(c)} />
        {!track.deleted && <TrackForms at={at} track={track} />}
        <Photos at={at} photos={parseViews(photos)} mayAdd={!track.deleted} />
        <Comments at={at} track={track} comments={comments} />
        <CustomFields fields={track.customFields} />
      </>
    ),
  };
}
