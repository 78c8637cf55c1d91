import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { pageOf } from '../../../../core/http/list-page.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { itemsOf } from '../../../../core/lib/bounded.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import { labelsOfTracks } from '../../../../dispatch/label/store.ts';
import { photosOfOwnerQuery } from '../../../../dispatch/photo/store.ts';
import { trackList } from '../../../../dispatch/track/list.ts';
import { TRACK_STATUSES, trackStatus } from '../../../../dispatch/track/rules.ts';
import { presentTrack, trackView, WHOLE_TRACK } from '../../../../dispatch/track/store.ts';
import { lastCommentsQuery, palletsOfTrack } from '../../../../dispatch/track/timeline-store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Deleted } from '../../../ui/confirm/deletion.tsx';
import { TAKES_PHOTOS } from '../../../ui/confirm/photo-file.ts';
import { CustomFields } from '../../../ui/list/custom-fields.tsx';
import { GatePlate, gatePlain } from '../../../ui/list/gates.tsx';
import { CREATED, listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { type ByUuid, ResourceLink, requireRow, resourcePage, rowQuery } from '../../../ui/page/resource.tsx';
import { PalletId } from '../../../ui/parts/badges.tsx';
import { Badge, OptionalText } from '../../../ui/parts/components.tsx';
import { LABELS, labelsAction } from '../marker/labels.tsx';
import { MarkerLink } from '../marker/marker.tsx';
import { Photos, photoActions } from '../photo/photos.tsx';
import { trackActions } from './actions.ts';
import { Comments, OnManifests, TrackFacts, TrackForms } from './parts.tsx';
import { askTimeline, Timeline, type TimelineQuery, timelineQuery } from './timeline.tsx';
import { unmarkedPages } from './unmarked.tsx';

/** The maximum number of comments on a page, latest first. The API returns all comments. */
const COMMENTS_SHOWN = 20;

/** The manifests of a track whose truck has left. Records of closed manifests have the uuid of their track. */
const leftQuery = ({ organization }: Database, uuid: string) => sql<{ uuid: string }>`SELECT DISTINCT m.uuid
  FROM track CROSS JOIN asset_loading a ON a.organization_uuid = track.organization_uuid AND a.wms_id = track.wms_id
    AND a.closed = 1
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid AND m.manifest_status = 'COMPLETED'
  WHERE track.uuid = ${uuid} AND +track.organization_uuid = ${organization}`;

/** The page of a pallet. One D1 round trip. */
async function trackPage(at: PageContext, { uuid }: ByUuid, query: TimelineQuery) {
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
  const track = presentTrack(origin(c), requireRow(tracks, 'trackNotFound', uuid));
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

/** The pages about tracks: pallets with their markers. */
export function trackPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/track',
    title: ({ t }) => t('page.pallets'),
    right: 'see',
    list: trackList,
    search: ({ t }) => t('track.inPallets'),
    filters: [
      { name: 'trackStatus', label: ({ t }) => t('load.state'), options: TRACK_STATUSES },
      { name: 'manifestExternalIds', label: ({ t }) => t('track.onManifest') },
      ...CREATED,
    ],
    tabs: [
      { label: ({ t }) => t('load.all'), query: '' },
      { label: ({ t }) => t('tab.ACTIVE'), query: 'trackStatus=ACTIVE' },
      { label: ({ t }) => t('tab.FLAGGED'), query: 'trackStatus=FLAGGED' },
      { label: ({ t }) => t('tab.NOT_ACTIVE'), query: 'trackStatus=NOT_ACTIVE' },
    ],
    columns: ({ words: { t } }) => [
      {
        label: t('page.pallet'),
        sort: 'wmsId',
        value: ({ uuid, wmsId }) => (
          <ResourceLink resource="track" uuid={uuid}>
            <PalletId id={wmsId} />
          </ResourceLink>
        ),
        plain: ({ wmsId }) => wmsId,
      },
      { label: t('load.state'), status: (track) => trackStatus(track), narrow: 'evident' },
      {
        label: t('page.marker'),
        sort: 'markerCode',
        value: ({ markerCode }) => <MarkerLink code={markerCode} />,
        plain: ({ markerCode }) => (markerCode === null ? null : String(markerCode)),
        number: true,
      },
      {
        label: t('track.onManifests'),
        value: ({ manifests }) =>
          itemsOf(manifests).length === 0 ? (
            <OptionalText of={null} />
          ) : (
            itemsOf(manifests)
              .slice(0, 3)
              .map(({ manifestExternalId, manifestUuid }, index) => (
                <>
                  {index > 0 && ', '}
                  <ResourceLink resource="manifest" uuid={manifestUuid}>
                    {manifestExternalId}
                  </ResourceLink>
                </>
              ))
          ),
        narrow: 'wide',
        plain: ({ manifests }) =>
          itemsOf(manifests)
            .map(({ manifestExternalId }) => manifestExternalId)
            .join(', '),
      },
      {
        label: t('track.lastGate'),
        value: ({ lastGate }) => lastGate && <GatePlate gate={lastGate} />,
        plain: ({ lastGate }) => gatePlain({ gate: lastGate }),
        narrow: 'gone',
      },
      { label: t('track.lastSeen'), sort: 'lastSeenDate', plain: ({ dates }) => instant(dates.lastSeenDate) },
    ],
    empty: ({ t }) => t('track.noneLike'),
    first: ({ t }) => t('track.first'),
    beside: ({ words: { t } }) => (
      <a class="button quiet" href="/app/asset">
        {t('findKind.asset_loading')}
      </a>
    ),
    next: { path: '/app/manifest/new', label: ({ t }) => t('make.manifest'), right: 'operate' },
    bulk: {
      value: ({ uuid }) => uuid,
      label: ({ wmsId }) => wmsId,
      offers: () => [LABELS],
    },
    actions: { labels: labelsAction((uuids, scope) => labelsOfTracks(scope, inList(uuids))) },
  });

  unmarkedPages(app);

  resourcePage(app, {
    path: '/app/track/:uuid',
    right: 'see',
    query: timelineQuery,
    view: trackPage,
    ...TAKES_PHOTOS,
    actions: { ...trackActions(), ...photoActions('TRACK') },
  });
}
