import type { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { pageOf } from '../../../../core/http/list-page.ts';
import { origin } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import { openLoadAlertsQuery } from '../../../../dispatch/alert/store.ts';
import { isLoadOpen, SHIPMENT_TRANSITIONS } from '../../../../dispatch/load/shared/status-rules.ts';
import { presentShipment, shipmentView, WHOLE_EXTENT } from '../../../../dispatch/load/shipment/store.ts';
import { photosOfLoadQuery } from '../../../../dispatch/photo/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { carriersQuery } from '../../../ui/confirm/carriers.tsx';
import { gatesQuery } from '../../../ui/list/gates.tsx';
import { type ByUuid, found, rowQuery } from '../../../ui/page/resource.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { departureOf } from '../../../ui/parts/roles.tsx';
import { Groups } from '../load/groups.tsx';
import { groupsOf, groupsQuery } from '../load/groups-store.ts';
import { newsOf, newsQueries } from '../load/news-store.ts';
import { Cancellation } from '../load/next.tsx';
import { loadPage, toArchive } from '../load/page.tsx';
import { PAPER_LIMITS, paperQuery } from '../load/paper-store.ts';
import { PublicLinks } from '../load/parts.tsx';
import { askRecords, isAsked, Records, type recordsFilter } from '../load/records.tsx';
import { Signed } from '../load/signed.tsx';
import { PHOTOS_SHOWN } from '../photo/shown.ts';
import { ShipmentFacts } from './facts.tsx';

type ShownShipment = ReturnType<typeof presentShipment>;

/** The condition on the uuid of the manifests of a shipment. */
export const manifestsOfShipment = ({ organization }: Database, uuid: string): SQL =>
  sql`IN (SELECT manifest_uuid FROM shipment_manifest
        WHERE organization_uuid = ${organization} AND shipment_uuid = ${uuid})`;

/**
 * The page of a shipment: its pallets by manifest, or the pallets that the URL selects. One D1
 * round trip.
 */
export async function shipmentPage(at: PageContext, { uuid }: ByUuid, query: z.output<typeof recordsFilter>) {
  const { c, database, session } = at;
  const manifests = manifestsOfShipment(database, uuid);
  const filtered = isAsked(new URL(c.req.url).search);
  const mayChange = at.may('operate');
  const asked = filtered ? askRecords(database, manifests, query) : undefined;
  const { holders, alerts, gates, carriers, groups, photos, paper, rows, counts, ...news } =
    await database.ask({
      holders: rowQuery(database, 'shipment', shipmentView(WHOLE_EXTENT), uuid),
      alerts: openLoadAlertsQuery(database, sql`= ${uuid}`),
      gates: gatesQuery(database),
      carriers: mayChange ? carriersQuery(database, session.organization) : undefined,
      groups: filtered ? undefined : groupsQuery(database, manifests),
      photos: photosOfLoadQuery(database, { kind: 'SHIPMENT', uuid }, PHOTOS_SHOWN + 1),
      paper: filtered ? undefined : paperQuery(database, manifests, PAPER_LIMITS.page),
      rows: asked?.asks.rows,
      counts: asked?.asks.counts,
      ...newsQueries(database, manifests, at.may('seeOffice') ? uuid : undefined),
    });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const shipment = presentShipment(origin(c), found(holders, 'shipmentNotFound', uuid));
  const operate = mayChange && isLoadOpen(shipment.status) && !shipment.deleted;
  const page = asked && (await pageOf(c, database, asked, { rows, counts }));
  const pallets = groupsOf(groups);
  const shownNews = newsOf(news);
  return loadPage(at, shipment, {
    kind: 'shipment',
    status: shipment.status,
    transitions: SHIPMENT_TRANSITIONS[shipment.status],
    operate,
    news: shownNews,
    alerts: parseViews(alerts),
    photos: parseViews(photos),
    departureDate: departureOf(session.organization, shipment.customFields),
    beside: (
      <>
        <Card title={at.words.t('kind.SHIPMENT')}>
          <ShipmentFacts
            shipment={shipment}
            session={session}
            gates={gates}
            carriers={carriers}
            mayChange={{ fields: mayChange && !shipment.deleted, gate: operate }}
          />
          <Note of={shipment} />
          <PublicLinks
            of={shipment}
            page={`/app/shipment/${shipment.uuid}`}
            maySign={mayChange && shipment.status !== 'CANCELLED' && !shipment.deleted}
          />
          <Signed signatures={shipment.signatures} />
        </Card>
        {operate && <ShipmentForms shipment={shipment} />}
      </>
    ),
    gates,
    detachable: false,
    paper: page ? undefined : { parts: inOrder(shipment, shownNews.parts), pallets: parseViews(paper) },
    list: (rights) =>
      page ? (
        <Records page={page} rights={rights} showManifest />
      ) : (
        <Groups
          parts={inOrder(shipment, shownNews.parts)}
          pallets={pallets}
          rights={rights}
          detachable={operate}
        />
      ),
    pallets: page ? page.rows : [...pallets.values()].flat(),
    filtered,
    shortReason: shipment.shortReason,
  });
}

/** Sort manifests by the order of attaching. */
function inOrder<T extends { uuid: string }>({ manifests }: ShownShipment, parts: readonly T[]): T[] {
  const order = new Map(manifests.map(({ manifestUuid }, index) => [manifestUuid, index]));
  return parts.toSorted((one, other) => (order.get(one.uuid) ?? 0) - (order.get(other.uuid) ?? 0));
}

const Note: FC<{ of: ShownShipment }> = ({ of: { notes } }) =>
  notes ? (
    <div>
      <h3>{useWords().t('load.note')}</h3>
      <p class="said">{notes}</p>
    </div>
  ) : null;

const ShipmentForms: FC<{ shipment: ShownShipment }> = ({ shipment }) => {
  const { t } = useWords();
  return (
    <Card title={t('load.operate')}>
      <p class="actions">
        <a class="button quiet" href={`/app/shipment/${shipment.uuid}/attach`}>
          {t('load.attach')}
        </a>
      </p>
      <Cancellation kind="shipment" />
    </Card>
  );
};
