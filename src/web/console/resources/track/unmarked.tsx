import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import { pageOf } from '../../../../core/http/list-page.ts';
import { type AppEnv, origin } from '../../../../core/http/types.ts';
import { refuseMissing } from '../../../../core/http/write.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { isoDateOrNull } from '../../../../core/lib/time.ts';
import { answerLabels } from '../../../../dispatch/label/answer.ts';
import { labelsOfRecords } from '../../../../dispatch/label/store.ts';
import { IS_ASSET } from '../../../../dispatch/load/shared/asset-store.ts';
import { unmarkedList } from '../../../../dispatch/loading/store.ts';
import { linkedTrack } from '../../../../dispatch/track/store.ts';
import { unmarkedPallet } from '../../../../dispatch/track/timeline-store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { Form, Submit } from '../../../ui/form/form.tsx';
import { GatePlate, gatePlain } from '../../../ui/list/gates.tsx';
import { CREATED, listing } from '../../../ui/list/listing.tsx';
import { redirect } from '../../../ui/page/answer.tsx';
import { page } from '../../../ui/page/page.tsx';
import { type ByUuid, byUuid, ResourceLink, resourcePage } from '../../../ui/page/resource.tsx';
import { PalletId } from '../../../ui/parts/badges.tsx';
import { Card, Facts } from '../../../ui/parts/components.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { shipmentOfManifest } from '../../board/store.ts';
import {
  GIVE_MARKERS,
  giveMarkersAction,
  giveMarkersToRows,
  LABELS,
  LabelLink,
  labelsAction,
} from '../marker/labels.tsx';
import { OnManifests } from './parts.tsx';
import { askTimeline, Timeline, type TimelineQuery, timelineQuery } from './timeline.tsx';

/** How many manifests a page shows. */
const MANIFESTS_SHOWN = 100;

/** The pallet of a loading record, and its track if it has one. */
const palletQuery = (
  { organization }: Database,
  uuid: string,
): SQL<{ wmsId: string; track: string | null }> => sql`SELECT a.wms_id AS "wmsId",
    ${linkedTrack(sql`${organization}`, sql`a.wms_id`)} AS track
  FROM asset_loading a WHERE a.uuid = ${uuid} AND +a.organization_uuid = ${organization} AND a.${IS_ASSET}`;

/** A manifest with the pallet of a loading record. */
interface OfPallet {
  manifestUuid: string;
  manifestExternalId: string;
  loadingStatus: string;
  /** When its truck left: the completion of the manifest, in epoch milliseconds. Null for an open manifest. */
  leftDate: number | null;
  shipmentUuid: string | null;
  shipmentExternalId: string | null;
}

/** The open and completed manifests with the pallet of a loading record, open ones and then the latest first. */
const manifestsQuery = (
  { organization }: Database,
  uuid: string,
): SQL<OfPallet> => sql`SELECT m.uuid AS "manifestUuid",
    m.external_identifier AS "manifestExternalId", a.loading_status AS "loadingStatus",
    iif(m.manifest_status = 'COMPLETED', m.close_date, NULL) AS "leftDate",
    h.uuid AS "shipmentUuid", h.external_identifier AS "shipmentExternalId"
  FROM asset_loading r CROSS JOIN asset_loading a ON a.organization_uuid = r.organization_uuid AND a.wms_id = r.wms_id
    AND a.closed IN (0, 1) AND a.${IS_ASSET}
  CROSS JOIN manifest m ON m.uuid = a.manifest_uuid AND m.deleted_date IS NULL AND m.manifest_status <> 'CANCELLED'
  LEFT JOIN shipment h ON h.uuid = ${shipmentOfManifest}
  WHERE r.uuid = ${uuid} AND +r.organization_uuid = ${organization}
  ORDER BY a.closed, a.create_date DESC, a.uuid LIMIT ${MANIFESTS_SHOWN}`;

/** The actions on a pallet without a marker. */
const actions = {
  giveMarkers: giveMarkersAction(z.object({}), ({ uuid }: ByUuid) => ({ of: 'record', uuids: [uuid] })),
};

/** The pages about pallets that manifests expect and that have no marker yet. */
export function unmarkedPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/asset',
    title: ({ t }) => t('findKind.asset_loading'),
    right: 'see',
    list: unmarkedList,
    search: ({ t }) => t('track.inUnmarked'),
    filters: CREATED,
    columns: ({ words: { t } }) => [
      {
        label: t('page.pallet'),
        value: ({ recordUuid, trackIdentifier }) => (
          <ResourceLink resource="asset" uuid={recordUuid}>
            <PalletId id={trackIdentifier!} />
          </ResourceLink>
        ),
        plain: ({ trackIdentifier }) => trackIdentifier,
      },
      { label: t('load.state'), status: ({ loadingStatus }) => loadingStatus },
      {
        label: t('track.onManifest'),
        value: ({ manifestUuid, manifestExternalId }) => (
          <ResourceLink resource="manifest" uuid={manifestUuid}>
            {manifestExternalId}
          </ResourceLink>
        ),
        plain: ({ manifestExternalId }) => manifestExternalId,
      },
      {
        label: t('page.gate'),
        value: ({ manifestGate }) => <GatePlate gate={manifestGate} />,
        plain: ({ manifestGate }) => gatePlain({ gate: manifestGate }),
        narrow: 'gone',
      },
    ],
    empty: ({ t }) => t('track.noneLike'),
    first: ({ t }) => t('track.allMarked'),
    beside: ({ words: { t } }) => (
      <a class="button quiet" href="/app/track">
        {t('track.withMarker')}
      </a>
    ),
    bulk: {
      value: ({ recordUuid }) => recordUuid,
      label: ({ trackIdentifier }) => trackIdentifier!,
      offers: () => [GIVE_MARKERS, LABELS],
    },
    actions: {
      giveMarkers: giveMarkersToRows('record'),
      labels: labelsAction((uuids, scope) => labelsOfRecords(scope, uuids)),
    },
  });

  page(app, {
    path: '/app/asset/:uuid/label.pdf',
    right: 'see',
    params: byUuid,
    async view(at, { uuid }) {
      const labels = await at.database.all(labelsOfRecords(at.database, [uuid]));
      return labels.length === 0
        ? refuseMissing('assetLoadingNotFound', uuid)
        : answerLabels(at.c, labels, { format: 'PDF' });
    },
  });

  resourcePage(app, {
    path: '/app/asset/:uuid',
    right: 'see',
    query: timelineQuery,
    view: unmarkedPage,
    actions,
  });
}

/** The page of a pallet without a marker that a manifest expects, or that has left. It is named by one of its loading records. */
async function unmarkedPage(at: PageContext, { uuid }: ByUuid, query: TimelineQuery) {
  const { c, database } = at;
  const asked = askTimeline(
    database,
    query,
    sql`SELECT ${unmarkedPallet(sql`wms_id`)} AS pallet FROM asset_loading WHERE uuid = ${uuid}`,
  );
  const {
    pallets: [pallet],
    manifests,
    ...entries
  } = await database.ask({
    pallets: palletQuery(database, uuid),
    manifests: manifestsQuery(database, uuid),
    ...asked.asks,
  });
  if (!pallet) return refuseMissing('assetLoadingNotFound', uuid);
  if (pallet.track !== null) return redirect(at.c, `/app/track/${pallet.track}`);
  const timeline = await pageOf(c, database, asked, entries);
  const { t } = at.words;
  const left = manifests.filter(({ leftDate }) => leftDate !== null);
  const departed = left.find(({ loadingStatus }) => loadingStatus === 'LOADED');
  return {
    title: pallet.wmsId,
    history: `${new URLSearchParams({ pallet: pallet.wmsId })}`,
    body: (
      <>
        <Card title={t('page.pallet')}>
          <Facts
            facts={[
              [t('page.marker'), t('gate.noMarkerYet')],
              ...(departed ? [[t('page.leftAt'), <LeftWith of={departed} />] as const] : []),
            ]}
          />
          <div class="actions">
            <LabelLink at={`/app/asset/${uuid}`} of={pallet.wmsId} />
            {at.may('operate') && left.length < manifests.length && (
              <Form<typeof actions> action="giveMarkers" class="inline">
                <Submit quiet>
                  <Icon name="print" /> {t('load.giveMarkers', { count: 1 })}
                </Submit>
              </Form>
            )}
          </div>
        </Card>
        <OnManifests
          of={{ manifests, truncated: manifests.length === MANIFESTS_SHOWN }}
          left={new Set(left.map(({ manifestUuid }) => manifestUuid))}
        />
        <Timeline page={timeline} links={origin(c)} />
      </>
    ),
  };
}

/** The load with which a pallet has left, and when. */
const LeftWith: FC<{ of: OfPallet }> = ({ of }) => (
  <>
    {of.shipmentUuid === null ? (
      <ResourceLink resource="manifest" uuid={of.manifestUuid}>
        {of.manifestExternalId}
      </ResourceLink>
    ) : (
      <ResourceLink resource="shipment" uuid={of.shipmentUuid}>
        {of.shipmentExternalId}
      </ResourceLink>
    )}
    , <Time at={isoDateOrNull(of.leftDate)} />
  </>
);
