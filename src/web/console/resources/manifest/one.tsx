import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { FC } from 'hono/jsx';
import { pageOf } from '../../../../core/http/list-page.ts';
import { origin } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import { openLoadAlertsQuery } from '../../../../dispatch/alert/store.ts';
import { givenAtOnce, uncoupledCountQuery } from '../../../../dispatch/load/manifest/coupling-commands.ts';
import { manifestView, presentManifest } from '../../../../dispatch/load/manifest/store.ts';
import { WHOLE_LOOK } from '../../../../dispatch/load/manifest/validation-store.ts';
import { isLoadOpen, MANIFEST_TRANSITIONS } from '../../../../dispatch/load/shared/status-rules.ts';
import { photosOfLoadQuery } from '../../../../dispatch/photo/store.ts';
import { useWords } from '../../../../messages/context.ts';
import { shortReason } from '../../../pages/reason-store.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { ActionButton, Field, Form, Submit } from '../../../ui/form/form.tsx';
import { gatesQuery } from '../../../ui/list/gates.tsx';
import { type ByUuid, found, rowQuery } from '../../../ui/page/resource.tsx';
import { Card } from '../../../ui/parts/components.tsx';
import { newsOf, newsQueries } from '../load/news-store.ts';
import { Cancellation } from '../load/next.tsx';
import { loadPage, toArchive } from '../load/page.tsx';
import { PAPER_LIMITS, paperQuery } from '../load/paper-store.ts';
import { askRecords, isAsked, Records, type recordsFilter } from '../load/records.tsx';
import { PHOTOS_SHOWN } from '../photo/shown.ts';
import type { ManifestActions } from './actions.ts';
import { ManifestFacts, type NamedShipment } from './facts.tsx';
import { Faults } from './faults.tsx';

type ShownManifest = ReturnType<typeof presentManifest>;

/** The shipment of a manifest. */
const shipmentOfQuery = ({ organization }: Database, manifestUuid: string) => sql<
  NamedShipment & { shortReason: string | null }
>`SELECT shipment.uuid,
    shipment.external_identifier AS "externalIdentifier", shipment.short_reason AS "shortReason"
  FROM shipment_manifest s CROSS JOIN shipment ON shipment.uuid = s.shipment_uuid
  WHERE s.organization_uuid = ${organization} AND s.manifest_uuid = ${manifestUuid}`;

/** Why pallets of a manifest in no shipment are missing. */
const reasonQuery = (database: Database, uuid: string) => sql<{
  reason: string | null;
}>`SELECT ${shortReason(database, 'MANIFEST')} AS reason FROM manifest p
  WHERE p.uuid = ${uuid} AND +p.organization_uuid = ${database.organization} AND p.manifest_status = 'COMPLETED'`;

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
    alerts,
    shipments: [shipment],
    reasons: [logged],
    gates,
    rows,
    counts,
    photos,
    paper,
    uncoupled: [uncoupled],
    ...news
  } = await database.ask({
    holders: rowQuery(database, 'manifest', manifestView(WHOLE_LOOK), uuid),
    shipments: shipmentOfQuery(database, uuid),
    reasons: reasonQuery(database, uuid),
    alerts: openLoadAlertsQuery(
      database,
      sql`IN (SELECT ${uuid} UNION ALL SELECT shipment_uuid FROM shipment_manifest
        WHERE organization_uuid = ${database.organization} AND manifest_uuid = ${uuid})`,
    ),
    gates: gatesQuery(database),
    uncoupled: uncoupledCountQuery(database, { of: 'manifest', uuids: [uuid] }),
    ...asked.asks,
    photos: photosOfLoadQuery(database, { kind: 'MANIFEST', uuid }, PHOTOS_SHOWN + 1),
    paper: filtered ? undefined : paperQuery(database, manifests, PAPER_LIMITS.page),
    ...newsQueries(database, manifests, at.may('seeOffice') ? uuid : undefined),
  });
  const archived = holders.length === 0 && (await toArchive(at, uuid));
  if (archived) return archived;
  const manifest = presentManifest(origin(c), found(holders, 'manifestNotFound', uuid));
  const open = isLoadOpen(manifest.manifestStatus) && !manifest.deleted;
  const operate = at.may('operate') && open;
  const page = await pageOf(c, database, asked, { rows, counts });
  const shownNews = newsOf(news);
  return loadPage(at, manifest, {
    kind: 'manifest',
    status: manifest.manifestStatus,
    transitions: MANIFEST_TRANSITIONS[manifest.manifestStatus],
    operate: operate && shipment === undefined,
    news: shownNews,
    alerts: parseViews(alerts),
    partOf: shipment?.externalIdentifier,
    photos: parseViews(photos),
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
        <ManifestFacts
          manifest={manifest}
          shipment={shipment}
          gates={gates}
          mayChange={{ fields: operate, gate: operate && shipment === undefined }}
          maySign={
            at.may('operate') &&
            shipment === undefined &&
            manifest.manifestStatus !== 'CANCELLED' &&
            !manifest.deleted
          }
        />
        {operate && <ManifestForms manifest={manifest} attached={shipment !== undefined} />}
      </>
    ),
    gates,
    detachable: open,
    list: (rights) => <Records page={page} rights={rights} showManifest={false} />,
    pallets: page.rows,
    filtered,
    shortReason: shipment?.shortReason ?? logged?.reason ?? null,
  });
}

const ManifestForms: FC<{ manifest: ShownManifest; attached: boolean }> = ({ manifest, attached }) => {
  const { t } = useWords();
  return (
    <Card title={t('load.operate')}>
      {attached && <p class="hint">{t('load.followsShipment')}</p>}
      {!attached && manifest.manifestStatus === 'TO_DO' && (
        <ActionButton<ManifestActions> action="status" values={{ status: 'PLANNED' }} quiet>
          {t('load.backToPlanned')}
        </ActionButton>
      )}
      <Form<ManifestActions> action="attach" class="filters" label={t('load.addPallet')}>
        <Field name="trackIdentifier" label={t('load.addPalletField')} />
        <Submit quiet>{t('load.add')}</Submit>
      </Form>
      <Cancellation kind="manifest" />
    </Card>
  );
};
