import type { FC } from 'hono/jsx';
import { definiteInstant } from '../../../core/lib/date.ts';
import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import type { CustomFieldInput } from '../../../dispatch/custom-field/rules.ts';
import { FACT_NAMES } from '../../../dispatch/load/manifest/rules.ts';
import type { PlacedPallet } from '../../../dispatch/load/manifest/validation-store.ts';
import { ORDERS_MAXIMUM } from '../../../dispatch/load/shipment/rules.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { carrierWarnings } from '../../ui/confirm/carriers.tsx';
import type { Confirmation } from '../../ui/confirm/confirmation.tsx';
import type { QuestionChoice } from '../../ui/form/asked-fields.tsx';
import { Hidden } from '../../ui/form/form.tsx';
import { factLabel } from '../../ui/parts/field-labels.ts';
import {
  badChoices,
  badNamed,
  chosenSheet,
  columnOptions,
  eitherChoice,
  hasManyBad,
  hiddenNamed,
  isUndecided,
  leftTally,
  named,
  palletsChoice,
  palletsNamed,
  placedNamed,
  sheetChoices,
  short,
  Told,
} from '../pallet-list/preview.tsx';
import type { BadLine, PalletList } from '../pallet-list/read.ts';
import { placedPallets } from '../pallet-list/store.ts';
import { NO_COLUMN, type Settings } from './columns.ts';
import {
  FACT_COLUMN,
  FIELD_COLUMN,
  FILL,
  GROW,
  type Grown,
  growable,
  type Made,
  type OneManifest,
  readMade,
  type SeveralManifests,
} from './made.ts';
import { ordersAbove } from './read.ts';

/** The maximum number of missing pallets that are named for each manifest. */
const PALLETS_NAMED = 10;
/** The maximum number of columns that are shown. */
const COLUMNS_SHOWN = 20;

/** The first rows of a list as a table that the keyboard can scroll. `meanings` says what columns are for, by number. */
const FirstRows: FC<{ list: PalletList; meanings: ReadonlyMap<number, string[]> }> = ({
  list: { columns, first },
  meanings,
}) => {
  const words = useWords();
  const shown = columns.slice(0, COLUMNS_SHOWN);
  if (shown.length < 2 || first.length === 0) return null;
  const title = words.t('orders.firstRows');
  return (
    <section class="first-rows" aria-label={title} tabindex={0}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {shown.map(({ number, heading }) => (
              <th scope="col" class={meanings.has(number) ? 'taken' : undefined}>
                {short(heading) || words.t('make.columnAt', { number: String(number) })}
                {meanings.has(number) && <span class="meaning">{words.list(meanings.get(number)!)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.map(({ cells }) => (
            <tr>
              {shown.map(({ number }) => (
                <td class={meanings.has(number) ? 'taken' : undefined}>{short(cells[number - 1] ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

/** The question before manifests are created from a list. If the user confirms, bad lines are left out. */
export async function preview(at: PageContext, made: Made): Promise<Confirmation> {
  const read = await readMade(at, made);
  const placed = (pallets: readonly string[]) => placedPallets(at.database, pallets, made.externalIdentifier);
  if (read.orders === undefined) return previewOne(at, made, read, await placed(read.list.pallets));
  const pallets = read.orders.flatMap(({ assets }) => assets);
  const [found, warnings] = await Promise.all([placed(pallets), carrierWarnings(at, carriersIn(read))]);
  return previewOrders(at, made, read, { placed: found, warnings });
}

/** What happens to the bad lines, or what happens at all (`none`) if no line is bad. */
const Planned: FC<{
  words: Words;
  bad: readonly BadLine[];
  none: 'make.nothingLoaded' | 'orders.planned';
  isUndecided: boolean;
}> = ({ words: { t }, bad, none, isUndecided }) =>
  isUndecided ? (
    <p class="notice warn">{t('make.manyBad')}</p>
  ) : (
    <p>{t(bad.length === 0 ? none : 'make.leftOut')}</p>
  );

/** The parts that both questions have. */
const common = ({ t }: Words, { sheetAt }: Made) => ({
  // The columns that were chosen for another sheet do not count.
  more: { names: ['sheetWas'], body: <Hidden name="sheetWas" value={sheetAt} /> },
  look: t('orders.look'),
  keeps: true,
  multipart: true,
  note: false,
  no: t('make.cancel'),
});

/** The pallets of a list that are missing in manifests that exist. Closed manifests take none. */
const grownNamed = ({ t }: Words, grown: readonly Grown[]) =>
  [true, false].map((isOpen) =>
    named(
      t(isOpen ? 'orders.grown' : 'orders.grownClosed'),
      grown.filter((one) => one.missing.length > 0 && one.isOpen === isOpen),
      ORDERS_MAXIMUM,
      ({ externalIdentifier, missing, count }) =>
        [
          t('orders.missing', { order: externalIdentifier, missing: String(missing.length), count }),
          ...missing.slice(0, PALLETS_NAMED),
          ...(missing.length > PALLETS_NAMED ? ['…'] : []),
        ].join(' · '),
    ),
  );

/** The offer to add the missing pallets. */
const growChoices = ({ t }: Words, { grow: value }: Made, grown: readonly Grown[]): QuestionChoice[] => {
  const other = { value: GROW, label: t('orders.growAdd') };
  const chosen = { name: 'grow', label: t('orders.grown'), value };
  return growable(grown).length > 0 ? [eitherChoice(chosen, t('make.leave'), other)] : [];
};

/** The offer to take an order from the line above. */
const fillChoices = (
  { t }: Words,
  { fill: value }: Made,
  { list, columns }: SeveralManifests,
): QuestionChoice[] => {
  const other = { value: FILL, label: t('orders.fillAbove') };
  const chosen = { name: 'fill', label: t('orders.fill'), value };
  return ordersAbove(list, columns.order!).size > 0 ? [eitherChoice(chosen, t('make.leave'), other)] : [];
};

const isGrowing = ({ grow }: Made, grown: readonly Grown[]): boolean =>
  grow === GROW && growable(grown).length > 0;

const yesOf = ({ t }: Words, bad: number): string =>
  bad === 0 ? t('make.create') : t('make.createWithout', { count: bad });

function previewOne(
  { words, session }: PageContext,
  made: Made,
  { list, several, grown }: OneManifest,
  placed: readonly PlacedPallet[],
): Confirmation {
  const { t } = words;
  const { pallets, bad } = list;
  const [count, name] = [pallets.length, made.externalIdentifier];
  const hasMany = hasManyBad(count, bad.length);
  return {
    ...common(words, made),
    title: t('make.question', { name, count, pallets: String(count) }),
    tally: [
      { count, word: t('page.pallets'), icon: 'check', tone: 'ok' },
      ...leftTally(words, placed),
      { count: bad.length, word: t('make.badLines'), icon: 'warn', tone: 'warn' },
    ],
    named: [
      badNamed(words, bad),
      hiddenNamed(words, list),
      ...grownNamed(words, grown ? [grown] : []),
      ...placedNamed(words, session.organization.timeZone, placed),
      palletsNamed(words, pallets),
    ].filter(({ names }) => names.length > 0),
    choices: [
      ...sheetChoices(words, made, list),
      ...badChoices(words, made, hasMany),
      ...growChoices(words, made, grown ? [grown] : []),
      palletsChoice(words, list),
      ...(list.columns.length > 1 ? [orderChoice(words, list, undefined)] : []),
    ],
    text: (
      <>
        <Told words={words} list={list} made={chosenSheet(made)} />
        {several && (
          <p class="notice warn">
            {t('orders.several', { number: String(several.column), count: String(several.count) })}
          </p>
        )}
        {grown && <p class="notice warn">{t('orders.taken', { name })}</p>}
        <Planned words={words} bad={bad} none="make.nothingLoaded" isUndecided={isUndecided(made, hasMany)} />
        <FirstRows list={list} meanings={new Map([[Number(list.taken), [t('page.pallets')]]])} />
      </>
    ),
    yes:
      list.better !== undefined ||
      isUndecided(made, hasMany) ||
      (grown && grown.missing.length > 0 && !isGrowing(made, [grown]))
        ? null
        : yesOf(words, bad.length),
  };
}

/** The different carriers of the shipments of a list. */
function carriersIn({ columns, shipments }: SeveralManifests): string[] {
  const key = columns.fields.find(({ field }) => field.role === 'CARRIER')?.field.fieldKey;
  const values = shipments.flatMap(({ customFields }) => customFields);
  return [
    ...new Set(
      values.flatMap(({ fieldKey, fieldValue }) => (fieldKey === key && fieldValue ? [fieldValue] : [])),
    ),
  ];
}

function previewOrders(
  { words, session }: PageContext,
  made: Made,
  read: SeveralManifests,
  { placed, warnings }: { placed: readonly PlacedPallet[]; warnings: readonly string[] },
): Confirmation {
  const { t } = words;
  const valueIn = ({ fieldKey, fieldValue }: CustomFieldInput): string =>
    read.columns.fields.some(({ field }) => field.fieldKey === fieldKey && field.fieldType === 'DATE_TIME')
      ? words.time(session.organization.timeZone, definiteInstant(fieldValue ?? ''))
      : (fieldValue ?? '');
  const { list, orders, shipments, existing, grown, bad } = read;
  const pallets = orders.reduce((sum, { assets }) => sum + assets.length, 0);
  const hasMany = hasManyBad(list.pallets.length, bad.length);
  const canCreate =
    (orders.length > 0 || isGrowing(made, grown)) && list.better === undefined && !isUndecided(made, hasMany);
  return {
    ...common(words, made),
    title: t('orders.question', { manifests: orders.length }),
    tally: [
      { count: orders.length, word: t('orders.manifests'), icon: 'check', tone: 'ok' },
      { count: pallets, word: t('page.pallets'), icon: 'check', tone: 'ok' },
      ...(shipments.length === 0
        ? []
        : ([{ count: shipments.length, word: t('orders.shipments'), icon: 'check', tone: 'ok' }] as const)),
      ...leftTally(words, placed),
      { count: bad.length, word: t('make.badLines'), icon: 'warn', tone: 'warn' },
    ],
    named: [
      badNamed(words, bad),
      hiddenNamed(words, list),
      ...placedNamed(words, session.organization.timeZone, placed),
      ...grownNamed(words, grown),
      named(t('orders.existing'), existing, ORDERS_MAXIMUM, (name) => name),
      named(t('orders.shipments'), shipments, ORDERS_MAXIMUM, ({ externalIdentifier, customFields }) =>
        [externalIdentifier, ...customFields.map(valueIn)].map(short).join(' · '),
      ),
      named(t('orders.manifests'), orders, ORDERS_MAXIMUM, ({ externalIdentifier, assets, shipment }) =>
        [
          t('orders.order', { order: externalIdentifier, count: assets.length }),
          ...(shipment === null ? [] : [shipment]),
        ].join(' · '),
      ),
    ].filter(({ names }) => names.length > 0),
    choices: [
      ...sheetChoices(words, made, list),
      ...badChoices(words, made, hasMany),
      ...growChoices(words, made, grown),
      ...fillChoices(words, made, read),
      ...choicesOf(words, session.organization, read),
    ],
    text: (
      <>
        <Told words={words} list={list} made={chosenSheet(made)} />
        {existing.length > 0 && (
          <p>
            {t(
              orders.length === 0 && bad.length === 0 && grown.length === 0
                ? 'orders.allExist'
                : 'orders.existingHint',
            )}
          </p>
        )}
        {orders.length === 0 && existing.length === 0 && <p class="notice warn">{t('orders.noneLeft')}</p>}
        {warnings.map((warning) => (
          <p class="notice warn">{warning}</p>
        ))}
        {isFieldUnread(read) && <p>{t('orders.fieldsNeed')}</p>}
        <Planned words={words} bad={bad} none="orders.planned" isUndecided={isUndecided(made, hasMany)} />
        <FirstRows list={list} meanings={meaningsOf(words, read)} />
      </>
    ),
    yes: canCreate ? yesOf(words, bad.length) : null,
  };
}

const isFieldUnread = ({ columns: { shipment, fields } }: SeveralManifests): boolean =>
  shipment === undefined && fields.some(({ column }) => column !== undefined);

const fieldName = ({ t }: Words, { role, fieldKey }: ShipmentCustomField): string =>
  role === null ? fieldKey : t(`column.${role}`);

function meaningsOf(words: Words, { list, columns }: SeveralManifests): Map<number, string[]> {
  const { t } = words;
  const meanings = new Map<number, string[]>();
  const add = (column: number | undefined, name: string) =>
    column !== undefined && meanings.set(column, [...(meanings.get(column) ?? []), name]);
  add(Number(list.taken), t('page.pallets'));
  add(columns.order, t('orders.isOrder'));
  add(columns.shipment, t('orders.isShipment'));
  for (const name of FACT_NAMES) add(columns.facts[name], factLabel(words, name));
  for (const { field, column } of columns.fields) add(column, fieldName(words, field));
  return meanings;
}

const orderChoice = (words: Words, list: PalletList, order: number | undefined): QuestionChoice => ({
  name: 'orderColumn',
  label: words.t('orders.column'),
  value: order === undefined ? NO_COLUMN : String(order),
  options: [{ value: NO_COLUMN, label: words.t('orders.oneManifest') }, ...columnOptions(words, list)],
});

function choicesOf(
  words: Words,
  settings: Settings,
  { list, columns }: SeveralManifests,
): readonly QuestionChoice[] {
  const { t } = words;
  const choice = (name: string, label: string, none: string, column: number | undefined) => ({
    name,
    label,
    value: column === undefined ? NO_COLUMN : String(column),
    options: [{ value: NO_COLUMN, label: none }, ...columnOptions(words, list)],
  });
  return [
    palletsChoice(words, list),
    orderChoice(words, list, columns.order),
    ...FACT_NAMES.map((name) =>
      choice(
        FACT_COLUMN + name,
        t('orders.fieldColumn', { field: factLabel(words, name) }),
        t('orders.noField'),
        columns.facts[name],
      ),
    ),
    ...(settings.dispatchStrategy === 'SHIPMENT'
      ? [
          choice('shipmentColumn', t('orders.shipmentColumn'), t('orders.noShipments'), columns.shipment),
          ...columns.fields.map(({ field, column }) =>
            choice(
              FIELD_COLUMN + field.fieldKey,
              t('orders.fieldColumn', { field: fieldName(words, field) }),
              t('orders.noField'),
              column,
            ),
          ),
        ]
      : []),
  ];
}
