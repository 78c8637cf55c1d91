import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../../core/http/types.ts';
import { isTruncated, itemsOf } from '../../../../core/lib/bounded.ts';
import { listed } from '../../../../core/lib/text.ts';
import { isLoadOpen, LOAD_STATUSES } from '../../../../dispatch/load/shared/status-rules.ts';
import { useWords } from '../../../../messages/context.ts';
import type { Key } from '../../../../messages/messages.ts';
import type { Words } from '../../../../messages/words.ts';
import { single } from '../../../ui/list/filters.tsx';
import { gateChoices, gatesQuery } from '../../../ui/list/gates.tsx';
import { CLOSED, CREATED, listing } from '../../../ui/list/listing.tsx';
import { ResourceLink } from '../../../ui/page/resource.tsx';
import { codeAmong } from '../../../ui/parts/codes.ts';
import { Few, OptionalText } from '../../../ui/parts/components.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { departureOf, rolesOf } from '../../../ui/parts/roles.tsx';
import { newLoad } from '../load/bulk.tsx';
import { gateColumn, loadColumns } from '../load/parts.tsx';
import { shownStatus } from '../load/short.ts';
import { SHIPMENT_BULK, shipmentBulkActions } from './bulk.tsx';
import { ATTENTION, type ListedShipment, OUTCOMES, shipmentPageList, WITHOUT } from './list.ts';

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
