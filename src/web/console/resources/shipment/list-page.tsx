import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC, PropsWithChildren } from 'hono/jsx';
import { dateFilter } from '../../../../core/http/dates.ts';
import { text } from '../../../../core/http/schema.ts';
import type { AppEnv } from '../../../../core/http/types.ts';
import { refuse } from '../../../../core/http/write.ts';
import { isTruncated, itemsOf } from '../../../../core/lib/bounded.ts';
import { listed } from '../../../../core/lib/text.ts';
import { isDateNumber } from '../../../../core/lib/time.ts';
import { zonedIn } from '../../../../core/lib/zone.ts';
import type { FieldRole } from '../../../../core/writer/settings.ts';
import { labelsOfShipments } from '../../../../dispatch/label/store.ts';
import { isLoadOpen, LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import { assignShipmentsGate, planShipment } from '../../../../dispatch/load/shipment/commands.ts';
import { changeShipmentStatus } from '../../../../dispatch/load/shipment/lifecycle-commands.ts';
import { roleKey } from '../../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { type ActionContext, action, type PageContext } from '../../../ui/confirm/action.ts';
import { askCarrier, newCarrierNotice } from '../../../ui/confirm/carriers.tsx';
import type { Confirmation } from '../../../ui/confirm/confirmation.tsx';
import { Input } from '../../../ui/form/form.tsx';
import {
  type ChosenRows,
  confirmRows,
  outcomeOf,
  RowCount,
  rowsOf,
  useRowsInput,
} from '../../../ui/list/bulk.tsx';
import { namedRows, writeEach } from '../../../ui/list/bulk-rows.ts';
import { single } from '../../../ui/list/filters.tsx';
import { gateChoices, gatesQuery } from '../../../ui/list/gates.tsx';
import { CLOSED, CREATED, listing } from '../../../ui/list/listing.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { codeAmong } from '../../../ui/parts/codes.ts';
import { Few, OptionalText } from '../../../ui/parts/components.tsx';
import { schemaText } from '../../../ui/parts/form-rules.ts';
import { Icon } from '../../../ui/parts/icons.tsx';
import { departureOf, rolesOf } from '../../../ui/parts/roles.tsx';
import { loadBulk, loadBulkActions, newLoad } from '../load/bulk.tsx';
import { gateColumn, loadColumns } from '../load/parts.tsx';
import { shownStatus } from '../load/short.ts';
import { ATTENTION, type ListedShipment, OUTCOMES, shipmentPageList, WITHOUT } from './list.ts';

/** An input for a role of the chosen shipments. */
const RoleInput: FC<{ role: FieldRole }> = ({ role }) => {
  const label = useWords().t(`role.${role}`);
  const [departure, carrier] = [useRowsInput('departure'), useRowsInput('carrier')];
  return role === 'PLANNED_DEPARTURE' ? (
    <Input name="departure" type="datetime-local" label={label} value={departure} />
  ) : (
    <Input name="carrier" label={label} placeholder={label} value={carrier} />
  );
};

/** How shipments are chosen, and the actions on them. Carrier and departure need a custom field with that role. */
const SHIPMENT_BULK = loadBulk((_, { session: { organization } }) =>
  (
    [
      ['CARRIER', 'carriers', 'truck', 'bulk.setCarrier'],
      ['PLANNED_DEPARTURE', 'departures', 'clock', 'bulk.setDeparture'],
    ] as const
  ).flatMap(([role, name, icon, label]) =>
    roleKey(organization.shipmentCustomFields, role) === null
      ? []
      : [
          {
            action: name,
            right: 'operate' as const,
            label: ({ t }) => t(label),
            icon,
            with: <RoleInput role={role} />,
            more: true as const,
          },
        ],
  ),
);

/** The custom field with a role, as the API takes it. */
function fieldOf({ session }: PageContext, role: FieldRole, fieldValue: string) {
  const fieldKey = roleKey(session.organization.shipmentCustomFields, role);
  if (fieldKey === null) return refuse('customFieldNotFound', `No custom field has the role ${role}.`);
  return { fieldKey, fieldValue };
}

/** Set the field with a role in each chosen shipment. A closed shipment is refused. */
async function planEach(at: ActionContext, row: readonly string[], role: FieldRole, value: string) {
  const { words } = at;
  const field = fieldOf(at, role, value);
  const notice = await newCarrierNotice(at, [field]);
  const became = await writeEach(at, await namedRows(at, 'shipment', row), planShipment, (identifier) => ({
    identifier,
    gateIdentifier: null,
    fields: [field],
  }));
  return outcomeOf(became, (counts) => [words.t('bulk.planned', counts), notice].filter(Boolean).join(' '));
}

/** The question about a name that is nearly a known carrier, or else about all rows of a filter. */
async function confirmCarrier(
  at: PageContext,
  _: unknown,
  { carrier, ...chosen }: z.output<typeof carrierForm>,
): Promise<Confirmation> {
  const question = await askCarrier(at, [fieldOf(at, 'CARRIER', carrier)], () => 'carrier');
  if (question.needed === false) return confirmRows(at, chosen, at.words.t('bulk.setCarrier'));
  return { ...question, text: <AboutRows of={chosen}>{question.text}</AboutRows> };
}

const AboutRows: FC<PropsWithChildren<{ of: ChosenRows }>> = ({ of, children }) => (
  <>
    <RowCount of={of} />
    <p>{children}</p>
  </>
);

const carrierForm = z.object({ ...rowsOf(z.uuid()), carrier: text(1, 1_000) });
const departureForm = z.object({
  ...rowsOf(z.uuid()),
  departure: dateFilter.refine(isDateNumber, schemaText('noTime')),
});

const shipmentBulkActions = {
  ...loadBulkActions('shipment', {
    assign: assignShipmentsGate,
    cancel: changeShipmentStatus,
    cancelInput: (identifier, manifests) => ({
      identifier,
      status: 'CANCELLED' as const,
      ...(manifests && { manifests }),
    }),
    labelsOf: (uuids, scope) => labelsOfShipments(scope, uuids),
  }),
  carriers: action(
    'operate',
    carrierForm,
    (at, _, { row, carrier }) => planEach(at, row, 'CARRIER', carrier),
    confirmCarrier,
  ),
  departures: action(
    'operate',
    departureForm,
    (at, _, { row, departure }) =>
      planEach(at, row, 'PLANNED_DEPARTURE', zonedIn(at.session.organization.timeZone, departure)),
    (at, _, chosen) => confirmRows(at, chosen, at.words.t('bulk.setDeparture')),
  ),
};

export function shipmentListing(app: Hono<AppEnv>): void {
  listing(app, {
    path: '/app/shipment',
    title: ({ t }) => t('load.shipments'),
    right: 'see',
    feature: 'SHIPMENT',
    list: shipmentPageList,
    search: ({ t }) => t('load.inShipments'),
    filters: [
      { name: 'status', label: ({ t }) => t('load.state'), options: LOAD_STATUSES },
      { name: 'gate', label: ({ t }) => t('page.gate'), chosen: true },
      { name: 'carrier', label: ({ t }) => t('role.CARRIER') },
      {
        name: 'attention',
        label: ({ t }) => t('list.needs'),
        options: ATTENTION,
        say: saying(ATTENTION, ({ t }, option) => t(ATTENTION_KEYS[option])),
      },
      {
        name: 'outcome',
        label: ({ t }) => t('list.outcome'),
        options: OUTCOMES,
        say: saying(OUTCOMES, ({ t }, option) => t(OUTCOME_KEYS[option])),
      },
      { name: 'shortReason', label: ({ t }) => t('list.shortReason') },
      {
        name: 'without',
        label: ({ t }) => t('list.without'),
        options: WITHOUT,
        say: saying(WITHOUT, ({ t }, option) => t(WITHOUT_KEYS[option])),
        none: () => '–',
      },
      ...CLOSED,
      ...CREATED,
    ],
    tabs: [
      { label: ({ t }) => t('load.all'), query: '' },
      { label: ({ t }) => t('list.late'), query: 'attention=LATE', few: true },
      { label: ({ t }) => t('list.wrongPallets'), query: 'attention=WRONG', few: true },
      { label: ({ t }) => t('list.noGate'), query: 'attention=NO_GATE', few: true },
      { label: ({ t }) => t('tab.TO_DO'), query: 'status=TO_DO' },
      { label: ({ t }) => t('tab.IN_PROGRESS'), query: 'status=IN_PROGRESS' },
      { label: ({ t }) => t('tab.COMPLETED'), query: 'status=COMPLETED' },
    ],
    columns: ({ session, words }) => [
      {
        label: words.t('kind.SHIPMENT'),
        sort: 'externalIdentifier',
        value: ({ uuid, externalIdentifier, manifests }) => (
          <>
            <ResourceLink resource="shipment" uuid={uuid}>
              {externalIdentifier}
            </ResourceLink>
            <Few
              of={itemsOf(manifests).map(({ manifestExternalId }) => manifestExternalId)}
              more={isTruncated(manifests)}
            />
          </>
        ),
        plain: ({ externalIdentifier }) => externalIdentifier,
      },
      ...rolesOf(words, session.organization).map(({ role, label, value, plain }) => {
        const of = ({ status, customFields }: ListedShipment) => ({ status, fields: itemsOf(customFields) });
        return {
          label,
          key: role.toLowerCase(),
          value: (row: ListedShipment) =>
            role === 'CARRIER' ? <OfCarrier name={plain(of(row))} /> : value(of(row)),
          plain: (row: ListedShipment) => plain(of(row)),
          narrow: 'evident' as const,
          ...(role === 'PLANNED_DEPARTURE' ? { sort: 'departure' as const } : {}),
          ...(role === 'VEHICLE' || role === 'SEAL' ? { extra: true as const } : {}),
        };
      }),
      gateColumn(words),
      {
        label: words.t('load.state'),
        key: 'state',
        status: ({ status, exceptions }) => shownStatus(status, exceptions.missing > 0),
        narrow: 'evident',
        sort: 'status',
      },
      {
        label: words.t('list.exceptions'),
        key: 'exceptions',
        value: (row) => <Exceptions of={row} />,
        plain: ({ exceptions }) => saidOf(words, exceptions) || null,
        narrow: 'wide',
      },
      ...loadColumns(words),
    ],
    isLate: ({ session }) => {
      const now = Date.now();
      return ({ status, customFields }) => {
        const leaves = departureOf(session.organization, itemsOf(customFields));
        return isLoadOpen(status) && leaves !== null && leaves < now;
      };
    },
    empty: ({ t }) => t('load.noShipmentLike'),
    first: ({ t }) => t('load.firstShipment'),
    next: { path: '/app/shipment/new', label: ({ t }) => t('make.shipment'), right: 'operate' },
    more: ({ database }) => gatesQuery(database),
    choices: gateChoices,
    bulk: SHIPMENT_BULK,
    actions: shipmentBulkActions,
    beside: newLoad('shipment'),
  });
}

const ATTENTION_KEYS = {
  LATE: 'list.late',
  WRONG: 'list.wrongPallets',
  NO_GATE: 'list.noGate',
} as const satisfies Record<(typeof ATTENTION)[number], Key>;

const OUTCOME_KEYS = {
  PLANNED: 'list.withDeparture',
  ON_TIME: 'list.onTime',
  LATE: 'list.late',
  SHORT: 'status.COMPLETED_SHORT',
} as const satisfies Record<(typeof OUTCOMES)[number], Key>;

const WITHOUT_KEYS = {
  CARRIER: 'role.CARRIER',
  GATE: 'page.gate',
  SHORT_REASON: 'list.shortReason',
} as const satisfies Record<(typeof WITHOUT)[number], Key>;

/** Names the options of a filter. An unknown option of an address has no name. */
const saying =
  <T extends string>(options: readonly T[], say: (words: Words, option: T) => string) =>
  (words: Words, option: string): string => {
    const known = codeAmong(options, option);
    return known === undefined ? '' : say(words, known);
  };

/** The problems of a shipment in one text; '' without problems. */
const saidOf = ({ t }: Words, { wrong, unknown, missing, flagged }: ListedShipment['exceptions']): string =>
  listed(
    wrong > 0 && t('list.wrong', { count: wrong }),
    unknown > 0 && t('list.unknown', { count: unknown }),
    missing > 0 && t('list.missing', { count: missing }),
    flagged > 0 && t('list.flagged', { count: flagged }),
  );

const Exceptions: FC<{ of: ListedShipment }> = ({ of: { exceptions } }) => {
  const said = saidOf(useWords(), exceptions);
  if (said === '') return <OptionalText of={null} />;
  const isWrong = exceptions.wrong + exceptions.unknown > 0;
  return (
    <span class={`badge ${isWrong ? 'wrong' : 'warn'}`}>
      <Icon name={isWrong ? 'stop' : exceptions.missing > 0 ? 'short' : 'flag'} /> {said}
    </span>
  );
};

/** A carrier, linked to the list of its shipments. */
const OfCarrier: FC<{ name: string | number | Date | null }> = ({ name }) =>
  typeof name === 'string' ? (
    <a
      href={`/app/shipment?${new URLSearchParams(single('carrier', name))}`}
      title={useWords().t('list.ofCarrier', { carrier: name })}
    >
      {name}
    </a>
  ) : (
    <OptionalText of={null} />
  );
