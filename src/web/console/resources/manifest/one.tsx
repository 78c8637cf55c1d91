import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Child, FC } from 'hono/jsx';
import { origin } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { READING_MAXIMUM } from '../../../../core/lib/identifier.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import { givenAtOnce, uncoupledCountQuery } from '../../../../dispatch/manifest/coupling-commands.ts';
import { MANIFEST_TRANSITIONS } from '../../../../dispatch/manifest/rules.ts';
import { manifestView, presentManifest } from '../../../../dispatch/manifest/store.ts';
import { WHOLE_LOOK } from '../../../../dispatch/manifest/validation-store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { PageContext } from '../../kit/action.ts';
import { Card, Facts, OptionalText } from '../../kit/components.tsx';
import { ActionButton, Field, Form, Submit } from '../../kit/form.tsx';
import { type GateChoice, gatesQuery } from '../../kit/gates.tsx';
import { type ByUuid, found, ResourceLink, rowQuery } from '../../kit/resource.tsx';
import { BackorderLink } from '../load/backorder.tsx';
import { newsOf, newsQueries } from '../load/news-store.ts';
import { Cancellation } from '../load/next.tsx';
import { loadPage, toArchive } from '../load/page.tsx';
import { PAPER_LIMITS, paperQuery } from '../load/paper-store.ts';
import { GateForm, gateFacts, PublicLinks } from '../load/parts.tsx';
import { askRecords, isAsked, Records, type recordsFilter } from '../load/records.tsx';
import type { ManifestActions } from './actions.ts';
import { Faults } from './faults.tsx';

type ShownManifest = ReturnType<typeof presentManifest>;

/** The shipment of a manifest. */
const shipmentOfQuery = (
  { organization }: Database,
  manifestUuid: string,
) => sql<NamedShipment>`SELECT shipment.uuid,
    shipment.external_identifier AS "externalIdentifier", shipment.short_reason AS "shortReason"
  FROM shipment_manifest s CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
  WHERE s.organization_uuid = ${organization} AND s.manifest_uuid = ${manifestUuid}`;

interface NamedShipment {
  uuid: string;
  externalIdentifier: string;
  shortReason: string | null;
}

/** The load that has the records of a manifest: its shipment, or the manifest itself. */
export async function shipmentOf({ database }: PageContext, uuid: string) {
  const shipment = await database.first(shipmentOfQuery(database, uuid));
  return shipment ? { shipmentIdentifier: shipment.uuid } : { manifestIdentifier: uuid };
}

/** The page of a manifest. One D1 round trip. */
export async function manifestPage(at: PageContext, { uuid }: ByUuid, query: z.output<typeof recordsFilter>) {
  const { c, database } = at;
  const manifests = sql`= ${uuid}`;
  const filtered = isAsked(new URL(c.req.url).search);
  const asked = askRecords(database, manifests, query);
  const {
    holders,
    shipments: [shipment],
    gates,
    rows,
    counts,
    paper,
    uncoupled: [uncoupled],
    ...news
  } = await database.ask({
    holders: rowQuery(database, 'manifest', manifestView(WHOLE_LOOK), uuid),
    shipments: shipmentOfQuery(database, uuid),
    gates: gatesQuery(database),
    uncoupled: uncoupledCountQuery(database, { of: 'manifest', uuids: [uuid] }),
    ...asked.asks,
    paper: filtered ? undefined : paperQuery(database, manifests, PAPER_LIMITS.page),
    ...newsQueries(database, manifests, at.may('seeOffice') ? uuid : undefined),
  });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const manifest = presentManifest(origin(c), found(holders, 'manifestNotFound', uuid));
  const open = MANIFEST_TRANSITIONS[manifest.manifestStatus].length > 0 && !manifest.deleted;
  const operate = at.may('operate') && open;
  const page = asked.page({ rows, counts });
  const shownNews = newsOf(news);
  return loadPage(at, manifest, {
    kind: 'manifest',
    status: manifest.manifestStatus,
    transitions: MANIFEST_TRANSITIONS[manifest.manifestStatus],
    operate: operate && shipment === undefined,
    news: shownNews,
    paper: filtered ? undefined : { parts: shownNews.parts, pallets: parseViews(paper) },
    before: (
      <Faults
        faults={manifest.validationErrors}
        uncoupled={uncoupled?.count ?? 0}
        given={givenAtOnce(at.session.organization)}
        mayGive={at.may('operate')}
      />
    ),
    beside: (
      <>
        <ManifestFacts manifest={manifest} shipment={shipment} />
        {operate && <ManifestForms manifest={manifest} attached={shipment !== undefined} gates={gates} />}
      </>
    ),
    gates,
    detachable: open,
    list: (rights) => <Records page={page} rights={rights} showManifest={false} />,
    pallets: page.rows,
    filtered,
    shortReason: shipment?.shortReason ?? null,
    fields: { mayChange: operate },
  });
}

const ManifestFacts: FC<{ manifest: ShownManifest; shipment: NamedShipment | undefined }> = ({
  manifest,
  shipment,
}) => {
  const words = useWords();
  const { t } = words;
  return (
    <Card title={t('kind.MANIFEST')}>
      <Facts
        facts={gateFacts(words, manifest, [
          [
            t('kind.SHIPMENT'),
            shipment ? (
              <ResourceLink resource="shipment" uuid={shipment.uuid}>
                {shipment.externalIdentifier}
              </ResourceLink>
            ) : (
              <OptionalText of={null} />
            ),
          ],
          ...(manifest.backorderOf
            ? [[t('load.backorderOf'), <BackorderLink of={manifest.backorderOf} />] as [string, Child]]
            : []),
        ])}
      />
      <PublicLinks of={manifest} share={`/app/manifest/${manifest.uuid}`} />
    </Card>
  );
};

const ManifestForms: FC<{ manifest: ShownManifest; attached: boolean; gates: GateChoice[] }> = ({
  manifest,
  attached,
  gates,
}) => {
  const { t } = useWords();
  return (
    <Card title={t('load.operate')}>
      {attached && <p class="hint">{t('load.followsShipment')}</p>}
      {!attached && manifest.manifestStatus === 'TO_DO' && (
        <ActionButton<ManifestActions> action="status" values={{ status: 'PLANNED' }} quiet>
          {t('load.backToPlanned')}
        </ActionButton>
      )}
      {!attached && <GateForm load={manifest} gates={gates} />}
      <Form<ManifestActions> action="attach" class="filters" label={t('load.addPallet')}>
        <Field name="trackIdentifier" label={t('load.addPalletField')} maxlength={READING_MAXIMUM} required />
        <Submit quiet>{t('load.add')}</Submit>
      </Form>
      <Cancellation kind="manifest" />
    </Card>
  );
};
