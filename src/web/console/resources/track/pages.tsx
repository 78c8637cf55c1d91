import type { Hono } from 'hono';
import type { AppEnv } from '../../../../core/http/types.ts';
import { itemsOf } from '../../../../core/lib/bounded.ts';
import { inList } from '../../../../core/lib/sql.ts';
import { labelsOfTracks } from '../../../../dispatch/label/store.ts';
import { trackList } from '../../../../dispatch/track/list.ts';
import { TRACK_STATUSES, trackStatus } from '../../../../dispatch/track/rules.ts';
import { TAKES_PHOTOS } from '../../../ui/confirm/photo-file.ts';
import { GatePlate, gatePlain } from '../../../ui/list/gates.tsx';
import { CREATED, listing } from '../../../ui/list/listing.tsx';
import { instant } from '../../../ui/list/rows.tsx';
import { ResourceLink, resourcePage } from '../../../ui/page/resource.tsx';
import { PalletId } from '../../../ui/parts/badges.tsx';
import { OptionalText } from '../../../ui/parts/components.tsx';
import { LABELS, labelsAction } from '../marker/labels.tsx';
import { MarkerLink } from '../marker/marker.tsx';
import { photoActions } from '../photo/actions.ts';
import { trackActions } from './actions.ts';
import { trackPage } from './one.tsx';
import { timelineQuery } from './timeline.tsx';
import { unmarkedPages } from './unmarked.tsx';

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
        plain: ({ markerCode }) => markerCode,
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
