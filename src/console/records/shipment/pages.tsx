import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AppEnv, origin } from '../../../http/types.ts';
import { goesOn, itemsOf } from '../../../lib/bounded.ts';
import { markersOfShipments } from '../../../manifest/label-store.ts';
import type { FoundSession } from '../../../session/store.ts';
import { shipmentList } from '../../../shipment/list.ts';
import { assignShipmentsGate } from '../../../shipment/many-commands.ts';
import { isOpen, TRANSITIONS } from '../../../shipment/rules.ts';
import { presentShipment, type StoredShipment, shipmentView, WHOLE } from '../../../shipment/store.ts';
import { SHIPMENT_STATUSES } from '../../../shipment/table.ts';
import { Card, Facts, Few, Value } from '../../kit/components.tsx';
import { type ByUuid, byUuid, found, type GateChoice, gatesQuery, rowQuery, To } from '../../kit/detail.tsx';
import { Do } from '../../kit/form.tsx';
import { CREATED, listing } from '../../kit/listing.tsx';
import { type At, page } from '../../kit/page.tsx';
import { departureOf, rolesOf } from '../../kit/roles.tsx';
import { Table } from '../../kit/rows.tsx';
import { assignGates, holderOffers } from '../holder/bulk.tsx';
import { Detach } from '../holder/detach.tsx';
import { newsOf, newsQueries } from '../holder/news-store.ts';
import {
  Cancellation,
  Completion,
  GATE_COLUMN,
  GateForm,
  HOLDER_COLUMNS,
  holderFacts,
  holderPage,
  PublicLinks,
  toArchive,
} from '../holder/parts.tsx';
import { askRecords, recordActions, recordsQuery } from '../holder/records.tsx';
import { labelsAction } from '../marker/labels.ts';
import { shipmentActions } from './actions.ts';
import { attachPage } from './attach-page.tsx';
import { newShipmentPage } from './new-page.tsx';

/** Manifests that the page of their shipment names. */
const MEMBERS_SHOWN = 100;

type ShownShipment = ReturnType<typeof presentShipment>;

/** Where a status is reached by a button that says this. */
const MOVES: Partial<Record<StoredShipment['status'], string>> = { IN_PROGRESS: 'Start loading' };

/** Shipments. */
export function shipmentPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/shipment',
    title: 'Shipments',
    right: 'see',
    feature: 'SHIPMENT',
    list: shipmentList,
    search: 'identifiers and notes',
    filters: [
      { name: 'status', label: 'State', options: SHIPMENT_STATUSES },
      { name: 'gate', label: 'Gate' },
      ...CREATED,
    ],
    tabs: [
      { label: 'All', query: '' },
      { label: 'Ready', query: 'status=TO_DO' },
      { label: 'In progress', query: 'status=IN_PROGRESS' },
      { label: 'Completed', query: 'status=COMPLETED' },
    ],
    columns: ({ session }) => [
      {
        label: 'Shipment',
        sort: 'externalIdentifier',
        value: ({ uuid, externalIdentifier, manifests }) => (
          <>
            <To resource="shipment" uuid={uuid}>
              {externalIdentifier}
            </To>
            <Few
              of={itemsOf(manifests).map(({ manifestExternalId }) => manifestExternalId)}
              more={goesOn(manifests)}
            />
          </>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      ...rolesOf(session.organization, ['PLANNED_DEPARTURE', 'CARRIER']).map(({ label, value, plain }) => ({
        label,
        value: ({ status, customFields }: StoredShipment) => value({ status, fields: itemsOf(customFields) }),
        plain: ({ status, customFields }: StoredShipment) => plain({ status, fields: itemsOf(customFields) }),
        narrow: 'evident' as const,
      })),
      GATE_COLUMN,
      { label: 'State', status: ({ status }) => status, narrow: 'evident', sort: 'status' },
      ...HOLDER_COLUMNS,
    ],
    isLate: ({ session }) => {
      const departures = rolesOf(session.organization, ['PLANNED_DEPARTURE']);
      const now = Date.now();
      return ({ status, customFields }) =>
        isOpen(status) &&
        departures.some(({ plain }) => {
          const leaves = plain({ status, fields: itemsOf(customFields) });
          return leaves instanceof Date && leaves.getTime() < now;
        });
    },
    empty: 'No shipment is like this.',
    more: ({ database }) => gatesQuery(database),
    bulk: {
      value: ({ uuid }) => uuid,
      label: ({ externalIdentifier }) => externalIdentifier,
      pallets: ({ counts }) => counts.total,
      offers: holderOffers,
    },
    actions: {
      assignGates: assignGates(assignShipmentsGate),
      labels: labelsAction((uuids, scope) => markersOfShipments(scope, uuids)),
    },
    below: (at) =>
      at.may('operate') && (
        <p class="actions">
          <a class="button" href="/app/shipment/new">
            New shipment
          </a>
        </p>
      ),
  });
  // Before the page of one: no shipment has this for its uuid.
  newShipmentPage(app);
  attachPage(app);

  page(app, {
    path: '/app/shipment/:uuid',
    right: 'see',
    feature: 'SHIPMENT',
    params: byUuid,
    query: recordsQuery,
    view: shipmentPage,
    actions: {
      ...shipmentActions(),
      ...recordActions(async (_, uuid) => ({ shipmentIdentifier: uuid })),
    },
  });
}

async function shipmentPage(at: At, { uuid }: ByUuid, query: z.output<typeof recordsQuery>) {
  const { c, database, session } = at;
  const manifests = sql`IN (SELECT manifest_uuid FROM shipment_manifest
        WHERE organization_uuid = ${database.organization} AND shipment_uuid = ${uuid})`;
  const asked = askRecords(database, manifests, query);
  const { holders, gates, parts, wrong, ...records } = await database.ask({
    holders: rowQuery(database, 'shipment', shipmentView(WHOLE), uuid),
    gates: gatesQuery(database),
    ...newsQueries(database, manifests),
    ...asked.asks,
  });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const shipment = presentShipment(origin(c), found(holders, 'shipmentNotFound', 'shipment'));
  const open = TRANSITIONS[shipment.status].length > 0 && !shipment.deleted;
  const operate = at.may('operate') && open;
  return holderPage(at, shipment, {
    status: shipment.status,
    news: newsOf({ parts, wrong }),
    departureDate: departureOf(session.organization, shipment.customFields),
    above: (
      <>
        <ShipmentFacts shipment={shipment} session={session} />
        {operate && <ShipmentForms shipment={shipment} gates={gates} />}
        <Members shipment={shipment} operate={operate} />
      </>
    ),
    pallets: {
      page: asked.page(records),
      gates,
      detachable: false,
      showManifest: true,
    },
    fields: {
      mayChange: at.may('operate') && !shipment.deleted,
      keys: session.organization.shipmentCustomFields.map(({ fieldKey }) => fieldKey),
    },
  });
}

const ShipmentFacts = ({ shipment, session }: { shipment: ShownShipment; session: FoundSession }) => (
  <Card title="Shipment">
    <Facts
      facts={[
        ...rolesOf(session.organization).map(
          ({ label, value }) =>
            [label, value({ status: shipment.status, fields: shipment.customFields })] as const,
        ),
        ...holderFacts(shipment),
        ['Notes', <Value of={shipment.notes} />],
      ]}
    />
    <PublicLinks of={shipment} />
  </Card>
);

const ShipmentForms = ({ shipment, gates }: { shipment: ShownShipment; gates: GateChoice[] }) => (
  <Card title="Operate">
    <div class="actions">
      {TRANSITIONS[shipment.status].map(
        (status) =>
          MOVES[status] && (
            <Do action="status" values={{ status }}>
              {MOVES[status]}
            </Do>
          ),
      )}
      {TRANSITIONS[shipment.status].includes('COMPLETED') && <Completion holder={shipment} />}
    </div>
    <GateForm holder={shipment} gates={gates} />
    <p class="actions">
      <a class="button quiet" href={`/app/shipment/${shipment.uuid}/attach`}>
        Attach manifests
      </a>
    </p>
    <Cancellation what="shipment" />
  </Card>
);

const Members = ({ shipment, operate }: { shipment: ShownShipment; operate: boolean }) => (
  <Card title="Manifests">
    <Table
      caption={
        shipment.manifests.length > MEMBERS_SHOWN
          ? `The first ${MEMBERS_SHOWN} of ${shipment.manifests.length}`
          : `${shipment.manifests.length} in all`
      }
      rows={shipment.manifests.slice(0, MEMBERS_SHOWN)}
      empty="No manifests are attached."
      columns={[
        {
          label: 'Manifest',
          value: ({ manifestUuid, manifestExternalId }) => (
            <To resource="manifest" uuid={manifestUuid}>
              {manifestExternalId}
            </To>
          ),
        },
        ...(operate
          ? [
              {
                label: 'Detach',
                value: ({ manifestUuid, manifestExternalId }: ShownShipment['manifests'][number]) => (
                  <Detach
                    asks={shipment.status === 'IN_PROGRESS'}
                    values={{ manifestUuid }}
                    label={`Detach: ${manifestExternalId}`}
                  >
                    Detach
                  </Detach>
                ),
              },
            ]
          : []),
      ]}
    />
  </Card>
);
