import type { z } from '@hono/zod-openapi';
import { sql } from 'drizzle-orm';
import type { Child, FC } from 'hono/jsx';
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
import { useShownAgain } from '../../../ui/form/form-state.ts';
import { type GateChoice, gatesQuery } from '../../../ui/list/gates.tsx';
import { type ByUuid, ResourceLink, requireRow, rowQuery } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { Icon } from '../../../ui/parts/icons.tsx';
import { BackorderLink } from '../load/backorder.tsx';
import { Fact, GateFact, Pencil } from '../load/facts.tsx';
import { newsOf, newsQueries } from '../load/news-store.ts';
import { Cancellation, loadPage, toArchive } from '../load/page.tsx';
import { PAPER_LIMITS, paperQuery } from '../load/paper-store.ts';
import { gateFacts, PublicLinks, Signed } from '../load/parts.tsx';
import { askRecords, isAsked, Records, type recordsFilter } from '../load/records.tsx';
import { PHOTOS_SHOWN } from '../photo/photos.tsx';
import { type ManifestActions, VALUE } from './actions.ts';
import { factRows } from './choices.tsx';

/** The shipment of a manifest. */
interface NamedShipment {
  uuid: string;
  externalIdentifier: string;
}

/** The facts of a manifest. A pencil at each opens its form where the fact is shown. */
const ManifestFacts: FC<{
  manifest: ShownManifest;
  shipment: NamedShipment | undefined;
  gates: readonly GateChoice[];
  mayChange: { fields: boolean; gate: boolean };
  maySign: boolean;
}> = ({ manifest, shipment, gates, mayChange, maySign }) => {
  const words = useWords();
  const { t } = words;
  const [[gateLabel, gate], ...dates] = gateFacts(words, manifest) as [[string, Child], ...[string, Child][]];
  return (
    <Card title={t('kind.MANIFEST')}>
      <Facts
        facts={[
          [
            gateLabel,
            <GateFact
              shown={gate}
              label={gateLabel}
              of={manifest}
              gates={gates}
              mayChange={mayChange.gate}
            />,
          ],
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
          ...factRows(words, manifest, mayChange.fields),
          ...(manifest.backorderOf
            ? [[t('load.backorderOf'), <BackorderLink of={manifest.backorderOf} />] as [string, Child]]
            : []),
          ...manifest.customFields.map(({ fieldKey, fieldValue }): [string, Child] => {
            const label = fieldLabel(words, { fieldKey, role: null });
            return [
              label,
              <Fact shown={<span>{fieldValue}</span>}>
                {mayChange.fields && <FieldPencil fieldKey={fieldKey} label={label} value={fieldValue} />}
              </Fact>,
            ];
          }),
          ...dates,
        ]}
      />
      {mayChange.fields && <NewField />}
      <PublicLinks of={manifest} page={`/app/manifest/${manifest.uuid}`} maySign={maySign} />
      <Signed signatures={manifest.signatures} />
    </Card>
  );
};

/** The pencil of a custom field. A blank value removes it. */
const FieldPencil: FC<{ fieldKey: string; label: string; value: string }> = ({ fieldKey, label, value }) => {
  const of = { name: 'fieldKey', value: fieldKey };
  return (
    <Pencil label={label} of={{ action: 'putField', of }}>
      <Form<ManifestActions> action="putField" of={of}>
        <Field name={VALUE} label={label} value={value} />
        <Submit quiet>{useWords().t('field.save')}</Submit>
      </Form>
    </Pencil>
  );
};

/** The form of a custom field that the manifest does not have yet. Manifests have no fixed set of fields. */
const NewField: FC = () => {
  const { t } = useWords();
  return (
    <details class="new-fact" open={useShownAgain({ action: 'addField' })}>
      <summary>{t('field.add')}</summary>
      <Form<ManifestActions> action="addField" label={t('field.add')}>
        <Field name="fieldKey" label={t('field.name')} hint={t('field.nameHint')} />
        <Field name={VALUE} label={t('field.value')} />
        <Submit quiet>{t('field.save')}</Submit>
      </Form>
    </details>
  );
};

/** The maximum number of problems of a kind that are named. There may be as many as pallets. */
const NAMED_MAXIMUM = 20;

/** The problems of a manifest. Pallets without a marker are counted, and a button gives them markers. */
const Faults: FC<{
  faults: ReturnType<typeof presentManifest>['validationErrors'];
  /** The number of pallets without a marker, and the number that get one at once. */
  uncoupled: number;
  given: number;
  mayGive: boolean;
}> = ({ faults, uncoupled, given, mayGive }) => {
  const { t, labelled } = useWords();
  if (faults === null) return null;
  const kinds = [
    [t('load.duplicated'), faults.duplicatedTracks],
    [t('load.retired'), faults.deactivatedTracks],
    [t('load.leftWith'), faults.leftWith],
  ] as const;
  return (
    <section class="notice warn" aria-label={t('load.hinders')}>
      <ul>
        {uncoupled > 0 && (
          <li class="uncoupled">
            {t('load.uncoupledCount', { count: uncoupled })}{' '}
            {mayGive && (
              <Form<ManifestActions> action="giveMarkers" class="inline">
                <button type="submit" class="button" data-aside>
                  <Icon name="print" /> {t('load.giveMarkers', { count: Math.min(uncoupled, given) })}
                </button>
              </Form>
            )}
          </li>
        )}
        {kinds
          .filter(([, tracks]) => tracks.length > 0)
          .map(([label, tracks]) => (
            <li>
              {labelled(
                label,
                tracks
                  .slice(0, NAMED_MAXIMUM)
                  .map(({ trackIdentifier }) => trackIdentifier)
                  .join(', '),
              )}
              {tracks.length > NAMED_MAXIMUM && ` ${t('load.namedMore')}`}
            </li>
          ))}
      </ul>
    </section>
  );
};

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
  const manifest = presentManifest(origin(c), requireRow(holders, 'manifestNotFound', uuid));
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
