import type { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Child, FC } from 'hono/jsx';
import type { FoundSession } from '../../../../access/session/store.ts';
import { pageOf } from '../../../../core/http/list-page.ts';
import { origin } from '../../../../core/http/types.ts';
import type { Database } from '../../../../core/lib/database.ts';
import { definiteInstant } from '../../../../core/lib/date.ts';
import { parseViews } from '../../../../core/lib/view.ts';
import type { ShipmentCustomField } from '../../../../core/writer/settings.ts';
import { openLoadAlertsQuery } from '../../../../dispatch/alert/store.ts';
import { isLoadOpen, SHIPMENT_TRANSITIONS } from '../../../../dispatch/load/shared/status-rules.ts';
import { presentShipment, shipmentView, WHOLE_EXTENT } from '../../../../dispatch/load/shipment/store.ts';
import { photosOfLoadQuery } from '../../../../dispatch/photo/store.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Words } from '../../../../messages/words.ts';
import type { PageContext } from '../../../ui/confirm/action.ts';
import { type Carrier, Carriers, carriersQuery } from '../../../ui/confirm/carriers.tsx';
import { FieldInput } from '../../../ui/confirm/field-input.tsx';
import { Form, Hidden, Submit } from '../../../ui/form/form.tsx';
import { LATER } from '../../../ui/form/later-button.tsx';
import { LATER_MINUTES } from '../../../ui/form/typed-fields.ts';
import { type GateChoice, gatesQuery } from '../../../ui/list/gates.tsx';
import { type ByUuid, requireRow, rowQuery } from '../../../ui/page/resource.tsx';
import { Card, Facts, OptionalText } from '../../../ui/parts/components.tsx';
import { fieldLabel } from '../../../ui/parts/field-labels.ts';
import { departureOf, ROLES, rolesOf } from '../../../ui/parts/roles.tsx';
import { Time } from '../../../ui/parts/time.tsx';
import { Fact, GateFact, Pencil, RemoveField } from '../load/facts.tsx';
import { Groups } from '../load/groups.tsx';
import { groupsOf, groupsQuery } from '../load/groups-store.ts';
import { newsOf, newsQueries } from '../load/news-store.ts';
import { Cancellation, loadPage, toArchive } from '../load/page.tsx';
import { PAPER_LIMITS, paperQuery } from '../load/paper-store.ts';
import { gateFacts, PublicLinks, Signed } from '../load/parts.tsx';
import { askRecords, isAsked, Records, type recordsFilter } from '../load/records.tsx';
import { PHOTOS_SHOWN } from '../photo/photos.tsx';
import { type shipmentActions, VALUE } from './actions.ts';
import { arrivalFacts } from './arrival.tsx';

type Actions = ReturnType<typeof shipmentActions>;
/** A custom field of a shipment, as a fact. */
interface FieldFact {
  field: ShipmentCustomField;
  label: string;
  value: string;
  shown: Child;
}

/** The facts of a shipment. A pencil at each opens its form where the fact is shown. */
const ShipmentFacts: FC<{
  shipment: ShownShipment;
  session: FoundSession;
  gates: readonly GateChoice[];
  carriers: readonly Carrier[];
  mayChange: { fields: boolean; gate: boolean };
}> = ({ shipment, session, gates, carriers, mayChange }) => {
  const words = useWords();
  const { shipmentCustomFields: configured } = session.organization;
  const [[gateLabel, gate], ...dates] = gateFacts(words, shipment) as [[string, Child], ...[string, Child][]];
  const former = shipment.customFields.filter(({ fieldKey }) =>
    configured.every((field) => field.fieldKey !== fieldKey),
  );
  return (
    <>
      {mayChange.fields && <Carriers carriers={carriers} />}
      <Facts
        facts={[
          ...factsOf(words, session, shipment).map((fact): [string, Child] => [
            fact.label,
            <Fact shown={fact.shown}>{mayChange.fields && <FieldPencil of={fact} />}</Fact>,
          ]),
          [
            gateLabel,
            <GateFact
              shown={gate}
              label={gateLabel}
              of={shipment}
              gates={gates}
              mayChange={mayChange.gate}
            />,
          ],
          ...arrivalFacts(words, shipment, mayChange.gate),
          ...dates,
          ...former.map(({ fieldKey, fieldValue }): [string, Child] => [
            fieldKey,
            <Fact shown={<span>{fieldValue}</span>}>
              {mayChange.fields && <RemoveField fieldKey={fieldKey} label={fieldKey} />}
            </Fact>,
          ]),
        ]}
      />
    </>
  );
};

/** The configured fields of the organization, those with a role first, with the values of a shipment. */
function factsOf(words: Words, { organization }: FoundSession, shipment: ShownShipment): FieldFact[] {
  const { shipmentCustomFields: configured } = organization;
  const roles = new Map(rolesOf(words, organization).map((one) => [one.role, one.value]));
  const rank = ({ role }: ShipmentCustomField): number =>
    role === null ? ROLES.length : ROLES.indexOf(role);
  return configured
    .toSorted((one, other) => rank(one) - rank(other))
    .map((field) => {
      const value =
        shipment.customFields.find(({ fieldKey }) => fieldKey === field.fieldKey)?.fieldValue ?? '';
      const ofRole = field.role && roles.get(field.role);
      const isDate = field.fieldType === 'DATE_TIME' && !Number.isNaN(definiteInstant(value));
      const plain = isDate ? <Time at={definiteInstant(value)} /> : <OptionalText of={value} />;
      return {
        field,
        label: fieldLabel(words, field),
        value,
        shown: ofRole ? ofRole({ status: shipment.status, fields: shipment.customFields }) : plain,
      };
    });
}

/** The pencil of a custom field. A departure can also be moved by one button. */
const FieldPencil: FC<{ of: FieldFact }> = ({ of: { field, label, value } }) => {
  const { t } = useWords();
  const of = { name: 'fieldKey', value: field.fieldKey };
  return (
    <Pencil label={label} of={{ action: 'putField', of }}>
      <Form<Actions> action="putField" of={of} several>
        <Hidden name="was" value={value} />
        <FieldInput field={field} name={VALUE} value={value} />
        <div class="actions">
          <Submit<Actions> action="putField">{t('field.save')}</Submit>
          {field.role === 'PLANNED_DEPARTURE' && (
            <Submit<Actions> action={LATER} quiet>
              {t('field.later', { minutes: LATER_MINUTES })}
            </Submit>
          )}
        </div>
      </Form>
    </Pencil>
  );
};

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
  const shipment = presentShipment(origin(c), requireRow(holders, 'shipmentNotFound', uuid));
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
