import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import type { FoundSession } from '../../../../access/session/store.ts';
import { origin } from '../../../../core/http/types.ts';
import { isOpen, TRANSITIONS } from '../../../../dispatch/shipment/rules.ts';
import { presentShipment, shipmentView, WHOLE } from '../../../../dispatch/shipment/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { At } from '../../kit/action.ts';
import { Card, Facts } from '../../kit/components.tsx';
import { type ByUuid, found, type GateChoice, gatesQuery, rowQuery } from '../../kit/detail.tsx';
import { departureOf, rolesOf } from '../../kit/roles.tsx';
import { Groups } from '../holder/groups.tsx';
import { groupsOf, groupsQuery } from '../holder/groups-store.ts';
import { newsOf, newsQueries } from '../holder/news-store.ts';
import { Cancellation } from '../holder/next.tsx';
import { holderPage, toArchive } from '../holder/page.tsx';
import { GateForm, PublicLinks, placeFacts } from '../holder/parts.tsx';
import { askRecords, isAsked, Records, type recordsQuery } from '../holder/records.tsx';

type ShownShipment = ReturnType<typeof presentShipment>;

/** The page of a shipment: its pallets by manifest, or those that the address selects. One D1 round trip. */
export async function shipmentPage(at: At, { uuid }: ByUuid, query: z.output<typeof recordsQuery>) {
  const { c, database, session } = at;
  const manifests = sql`IN (SELECT manifest_uuid FROM shipment_manifest
        WHERE organization_uuid = ${database.organization} AND shipment_uuid = ${uuid})`;
  const filtered = isAsked(new URL(c.req.url).search);
  const asked = filtered ? askRecords(database, manifests, query) : undefined;
  const { holders, gates, groups, rows, counts, ...news } = await database.ask({
    holders: rowQuery(database, 'shipment', shipmentView(WHOLE), uuid),
    gates: gatesQuery(database),
    groups: filtered ? undefined : groupsQuery(database, manifests),
    rows: asked?.asks.rows,
    counts: asked?.asks.counts,
    ...newsQueries(database, manifests, at.may('seeOffice') ? uuid : undefined),
  });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const shipment = presentShipment(origin(c), found(holders, 'shipmentNotFound', 'shipment'));
  const operate = at.may('operate') && isOpen(shipment.status) && !shipment.deleted;
  const page = asked?.page({ rows, counts });
  const pallets = groupsOf(groups);
  const told = newsOf(news);
  return holderPage(at, shipment, {
    kind: 'shipment',
    status: shipment.status,
    transitions: TRANSITIONS[shipment.status],
    operate,
    news: told,
    departureDate: departureOf(session.organization, shipment.customFields),
    beside: (
      <>
        <ShipmentFacts shipment={shipment} session={session} />
        {operate && <ShipmentForms shipment={shipment} gates={gates} />}
      </>
    ),
    gates,
    detachable: false,
    list: (rights) =>
      page ? (
        <Records page={page} rights={rights} showManifest />
      ) : (
        <Groups
          parts={inOrder(shipment, told.parts)}
          pallets={pallets}
          rights={rights}
          detachable={operate}
        />
      ),
    pallets: page ? page.rows : [...pallets.values()].flat(),
    filtered,
    fields: {
      mayChange: at.may('operate') && !shipment.deleted,
      keys: session.organization.shipmentCustomFields.map(({ fieldKey }) => fieldKey),
    },
  });
}

/** Manifests in the order in which they were attached. */
function inOrder<T extends { uuid: string }>({ manifests }: ShownShipment, parts: readonly T[]): T[] {
  const places = new Map(manifests.map(({ manifestUuid }, place) => [manifestUuid, place]));
  return parts.toSorted((one, other) => (places.get(one.uuid) ?? 0) - (places.get(other.uuid) ?? 0));
}

const ShipmentFacts: FC<{ shipment: ShownShipment; session: FoundSession }> = ({ shipment, session }) => {
  const words = useWords();
  return (
    <Card title={words.t('kind.SHIPMENT')}>
      <Facts
        facts={[
          ...rolesOf(words, session.organization).map(
            ({ label, value }) =>
              [label, value({ status: shipment.status, fields: shipment.customFields })] as const,
          ),
          ...placeFacts(words, shipment),
        ]}
      />
      {shipment.notes && (
        <div>
          <h3>{words.t('load.note')}</h3>
          <p class="said">{shipment.notes}</p>
        </div>
      )}
      <PublicLinks of={shipment} />
    </Card>
  );
};

const ShipmentForms: FC<{ shipment: ShownShipment; gates: GateChoice[] }> = ({ shipment, gates }) => {
  const { t } = useWords();
  return (
    <Card title={t('load.operate')}>
      <GateForm holder={shipment} gates={gates} />
      <p class="actions">
        <a class="button quiet" href={`/app/shipment/${shipment.uuid}/attach`}>
          {t('load.attach')}
        </a>
      </p>
      <Cancellation kind="shipment" />
    </Card>
  );
};
