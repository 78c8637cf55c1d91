import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { type AppEnv, origin } from '../../../http/types.ts';
import type { Database } from '../../../lib/database.ts';
import { inList } from '../../../lib/database.ts';
import { markersOfManifests } from '../../../manifest/label-store.ts';
import { manifestList } from '../../../manifest/list.ts';
import { assignManifestsGate } from '../../../manifest/many-commands.ts';
import { TRANSITIONS } from '../../../manifest/rules.ts';
import { manifestView, presentManifest, WHOLE } from '../../../manifest/store.ts';
import { MANIFEST_STATUSES } from '../../../manifest/table.ts';
import { Card, Facts, Value } from '../../kit/components.tsx';
import { type ByUuid, byUuid, found, type GateChoice, gatesQuery, rowQuery, To } from '../../kit/detail.tsx';
import { Do, Field, Form, Submit } from '../../kit/form.tsx';
import { CREATED, listing } from '../../kit/listing.tsx';
import { type At, page } from '../../kit/page.tsx';
import { assignGates, holderOffers } from '../holder/bulk.tsx';
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
import { manifestActions } from './actions.ts';
import { newManifestPage } from './new-page.tsx';

type ShownManifest = ReturnType<typeof presentManifest>;

/** Where a status is reached by a button that says this. */
const MOVES = {
  PLANNED: 'Back to planned',
  TO_DO: 'Ready to load',
  IN_PROGRESS: 'Start loading',
} as const;

/** Manifests. */
export function manifestPages(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/manifest',
    title: 'Manifests',
    right: 'see',
    list: manifestList,
    search: 'external ids',
    filters: [
      { name: 'manifestStatus', label: 'State', options: MANIFEST_STATUSES },
      { name: 'gateExternalId', label: 'Gate' },
      ...CREATED,
    ],
    tabs: [
      { label: 'All', query: '' },
      { label: 'Planned', query: 'manifestStatus=PLANNED' },
      { label: 'Ready', query: 'manifestStatus=TO_DO' },
      { label: 'In progress', query: 'manifestStatus=IN_PROGRESS' },
      { label: 'Completed', query: 'manifestStatus=COMPLETED' },
    ],
    columns: () => [
      {
        label: 'Manifest',
        sort: 'externalIdentifier',
        value: ({ uuid, externalIdentifier }) => (
          <To resource="manifest" uuid={uuid}>
            {externalIdentifier}
          </To>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      GATE_COLUMN,
      {
        label: 'State',
        status: ({ manifestStatus }) => manifestStatus,
        narrow: 'evident',
        sort: 'manifestStatus',
      },
      ...HOLDER_COLUMNS,
    ],
    empty: 'No manifest is like this.',
    more: ({ database }) => gatesQuery(database),
    bulk: {
      value: ({ uuid }) => uuid,
      label: ({ externalIdentifier }) => externalIdentifier,
      pallets: ({ counts }) => counts.total,
      offers: holderOffers,
    },
    actions: {
      assignGates: assignGates(assignManifestsGate),
      labels: labelsAction((uuids, scope) => markersOfManifests(scope, sql`${inList(uuids)}`)),
    },
    below: (at) =>
      at.may('operate') && (
        <p class="actions">
          <a class="button" href="/app/manifest/new">
            New manifest
          </a>
        </p>
      ),
  });
  // Before the page of one: no manifest has this for its uuid.
  newManifestPage(app);

  page(app, {
    path: '/app/manifest/:uuid',
    right: 'see',
    params: byUuid,
    query: recordsQuery,
    view: manifestView_,
    actions: { ...manifestActions(), ...recordActions(holderOf) },
  });
}

/** The shipment that has a manifest; for a batch. */
const shipmentOfQuery = (
  { organization }: Database,
  manifestUuid: string,
) => sql<NamedShipment>`SELECT shipment.uuid,
    shipment.external_identifier AS "externalIdentifier"
  FROM shipment_manifest s CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
  WHERE s.organization_uuid = ${organization} AND s.manifest_uuid = ${manifestUuid}`;

interface NamedShipment {
  uuid: string;
  externalIdentifier: string;
}

async function holderOf({ database }: At, uuid: string) {
  const shipment = await database.first(shipmentOfQuery(database, uuid));
  return shipment ? { shipmentIdentifier: shipment.uuid } : { manifestIdentifier: uuid };
}

async function manifestView_(at: At, { uuid }: ByUuid, query: z.output<typeof recordsQuery>) {
  const { c, database } = at;
  const manifests = sql`= ${uuid}`;
  const asked = askRecords(database, manifests, query);
  const {
    holders,
    shipments: [shipment],
    gates,
    parts,
    wrong,
    ...records
  } = await database.ask({
    holders: rowQuery(database, 'manifest', manifestView(WHOLE), uuid),
    shipments: shipmentOfQuery(database, uuid),
    gates: gatesQuery(database),
    ...newsQueries(database, manifests),
    ...asked.asks,
  });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const manifest = presentManifest(origin(c), found(holders, 'manifestNotFound', 'manifest'));
  const open = TRANSITIONS[manifest.manifestStatus].length > 0 && !manifest.deleted;
  return holderPage(at, manifest, {
    status: manifest.manifestStatus,
    news: newsOf({ parts, wrong }),
    above: (
      <>
        <ManifestFacts manifest={manifest} shipment={shipment} />
        <Faults faults={manifest.validationErrors} />
        {at.may('operate') && open && (
          <ManifestForms manifest={manifest} attached={shipment !== undefined} gates={gates} />
        )}
      </>
    ),
    pallets: {
      page: asked.page(records),
      gates,
      detachable: open,
      showManifest: false,
    },
    fields: { mayChange: at.may('operate') && open },
  });
}

const ManifestFacts = ({
  manifest,
  shipment,
}: {
  manifest: ShownManifest;
  shipment: NamedShipment | undefined;
}) => (
  <Card title="Manifest">
    <Facts
      facts={holderFacts(manifest, [
        [
          'Shipment',
          shipment ? (
            <To resource="shipment" uuid={shipment.uuid}>
              {shipment.externalIdentifier}
            </To>
          ) : (
            <Value of={null} />
          ),
        ],
      ])}
    />
    <PublicLinks of={manifest} />
  </Card>
);

/** Faults of a kind that are named; there may be as many as pallets. */
const NAMED_MAXIMUM = 20;

const Faults = ({ faults }: { faults: ShownManifest['validationErrors'] }) => {
  if (faults === null) return null;
  const kinds = [
    ['Also on other open manifests', faults.duplicatedTracks],
    ['Not coupled to a marker yet', faults.nonExistingTracks],
    ['Retired', faults.deactivatedTracks],
  ] as const;
  return (
    <section class="notice warn" aria-label="What hinders loading">
      <ul>
        {kinds
          .filter(([, tracks]) => tracks.length > 0)
          .map(([label, tracks]) => (
            <li>
              {label}:{' '}
              {tracks
                .slice(0, NAMED_MAXIMUM)
                .map(({ trackIdentifier }) => trackIdentifier)
                .join(', ')}
              {tracks.length > NAMED_MAXIMUM && ' and more'}
            </li>
          ))}
      </ul>
    </section>
  );
};

const ManifestForms = ({
  manifest,
  attached,
  gates,
}: {
  manifest: ShownManifest;
  attached: boolean;
  gates: GateChoice[];
}) => (
  <Card title="Operate">
    {attached ? (
      <p class="hint">Gate and status follow its shipment; here it can only be cancelled.</p>
    ) : (
      <div class="actions">
        {TRANSITIONS[manifest.manifestStatus]
          .filter((status) => status !== 'CANCELLED' && status !== 'COMPLETED')
          .map((status) => (
            <Do action="status" values={{ status }} quiet={status === 'PLANNED'}>
              {MOVES[status]}
            </Do>
          ))}
        {TRANSITIONS[manifest.manifestStatus].includes('COMPLETED') && <Completion holder={manifest} />}
      </div>
    )}
    {!attached && <GateForm holder={manifest} gates={gates} />}
    <Form action="attach" class="filters" label="Add a pallet">
      <Field name="trackIdentifier" label="Add a pallet (WMS id)" maxlength={255} required />
      <Submit quiet>Add</Submit>
    </Form>
    <Cancellation what="manifest" />
  </Card>
);
