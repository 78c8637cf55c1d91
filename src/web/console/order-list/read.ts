import { isDots } from '../../../core/lib/dots.ts';
import { type Budget, declareReader } from '../../../core/lib/reader.ts';
import { fold, hasLength, isStorable } from '../../../core/lib/text.ts';
import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import { FACT_NAMES, factOf, type ManifestFacts } from '../../../dispatch/load/manifest/rules.ts';
import type { NewOrder, NewOrderShipment } from '../../../dispatch/load/shipment/order-commands.ts';
import type { Words } from '../../../messages/words.ts';
import { type DayOrder, dayOrderOf, readTypedDate } from '../../../pallet/typed-date.ts';
import { statusIn } from '../../ui/parts/components.tsx';
import { factLabel } from '../../ui/parts/field-labels.ts';
import { isMissing, isSheetError, isShortened, written } from '../pallet-list/cell.ts';
import type { BadLine, GoodLine, PalletList } from '../pallet-list/read.ts';
import type { OrderColumns } from './columns.ts';

/** The work for a list of orders. `dates`: the different dates in the columns. 200 shipments have at most 2,400. */
export const ORDER_LIST = declareReader('order-list', { dates: 3_000 });

/** The longest external id, and the longest value of a custom field, in characters. */
const NAME_LENGTH_MAXIMUM = 255;
const VALUE_LENGTH_MAXIMUM = 1_000;

/** An order of a list, and its lines. */
export interface ListedOrder extends NewOrder {
  lines: GoodLine[];
}

/** The orders of a list, their shipments, and the lines that belong to none. */
export interface OrderList {
  orders: ListedOrder[];
  shipments: NewOrderShipment[];
  bad: BadLine[];
}

interface Site {
  timeZone: string;
  /** Epoch milliseconds. */
  now: number;
}

type Fault = (words: Words) => string;
interface Value {
  line: number;
  value: string;
  stored: string;
}

/**
 * Group the pallets of a list by order, and the orders by shipment. A line that does not fit the lines above it is bad:
 * it names another shipment for its order, or another value for its shipment.
 * @throws `OverBudget` for a list with too many dates
 */
export function readOrders(list: PalletList, columns: OrderColumns, site: Site, words: Words): OrderList {
  const budget = ORDER_LIST.budget();
  const orders = new Map<string, ListedOrder>();
  const shipments = new Map<string, Map<string, Value>>();
  const fields = columns.fields.flatMap(({ field, column }) =>
    column === undefined ? [] : [{ field, column, readDate: dateReader(list, field, column, site, budget) }],
  );
  const bad: BadLine[] = [];
  for (const good of list.good) {
    const of = (column: number) => textAt(good, column);
    const externalIdentifier = of(columns.order!);
    const shipment = columns.shipment === undefined ? '' : of(columns.shipment);
    const name = isMissing(shipment) ? null : shipment;
    const found = orders.get(externalIdentifier);
    const values = new Map((name !== null && shipments.get(name)) || []);
    const facts: Partial<ManifestFacts> = {};
    const fault =
      nameFault(externalIdentifier, 'order') ??
      (name === null ? undefined : nameFault(name, 'shipment')) ??
      (found && found.shipment !== name ? otherShipment(found) : undefined) ??
      addFacts(facts, columns, of, found, words) ??
      (name === null
        ? undefined
        : fields.reduce<Fault | undefined>(
            (faulty, { field, column, readDate }) =>
              faulty ?? addValue(values, field, { line: good.line, value: of(column) }, readDate),
            undefined,
          ));
    if (fault) {
      bad.push({ line: good.line, text: good.cells.filter(Boolean).join(' · '), reason: () => fault(words) });
      continue;
    }
    if (name !== null) shipments.set(name, values);
    const order = found ?? { externalIdentifier, shipment: name, assets: [], lines: [], ...facts };
    order.assets.push(good.pallet);
    order.lines.push(good);
    orders.set(externalIdentifier, order);
  }
  return {
    orders: [...orders.values()],
    shipments: [...shipments].map(([externalIdentifier, values]) => ({
      externalIdentifier,
      customFields: [...values].map(([fieldKey, { stored }]) => ({ fieldKey, fieldValue: stored })),
    })),
    bad: [...list.bad, ...bad].toSorted((one, other) => one.line - other.line),
  };
}

/**
 * Read the facts of a line: names of the API, or words of the viewer's language. A blank cell says nothing. Returns why they
 * do not fit the order.
 */
function addFacts(
  facts: Partial<ManifestFacts>,
  columns: OrderColumns,
  of: (column: number) => string,
  order: ListedOrder | undefined,
  words: Words,
): Fault | undefined {
  for (const name of FACT_NAMES) {
    const column = columns.facts[name];
    const text = column === undefined ? '' : of(column);
    if (isMissing(text)) continue;
    const isNamed = (choice: string) =>
      [choice, statusIn(words, choice)].some((one) => fold(one) === fold(text));
    const choice = factOf(name).choices.find(isNamed);
    const field = (said: Words) => factLabel(said, name);
    if (!choice) return (said) => said.t('line.badValue', { field: field(said) });
    if (order && (order[name] ?? factOf(name).unset) !== choice)
      return (said) => said.t('line.otherValue', { field: field(said), line: String(order.lines[0]!.line) });
    Object.assign(facts, { [name]: choice });
  }
  return undefined;
}

const textAt = ({ cells }: GoodLine, column: number): string => written(cells[column - 1] ?? '').text.trim();

type ReadDate = (text: string) => ReturnType<typeof readTypedDate>;

/** Reads the dates of a column. Each text is read once. */
function dateReader(
  { good }: PalletList,
  { fieldType }: ShipmentCustomField,
  column: number,
  { timeZone, now }: Site,
  budget: Budget<'dates'>,
): ReadDate {
  const order: DayOrder =
    fieldType === 'DATE_TIME' ? dayOrderOf(good.map((line) => textAt(line, column))) : undefined;
  const known = new Map<string, ReturnType<ReadDate>>();
  return (text) => {
    let date = known.get(text);
    if (date === undefined) {
      budget.charge('dates');
      date = readTypedDate(text, { zone: timeZone, now, order });
      known.set(text, date);
    }
    return date;
  };
}

function nameFault(name: string, kind: 'order' | 'shipment'): Fault | undefined {
  if (!hasLength(name, 0, NAME_LENGTH_MAXIMUM))
    return ({ t }) => t(kind === 'order' ? 'line.badOrder' : 'line.badShipment');
  if (isMissing(name)) return ({ t }) => t('line.noOrder');
  if (isShortened(name)) return ({ t }) => t('line.shortened');
  if (isSheetError(name)) return ({ t }) => t('line.error');
  const isName = isStorable(name) && !isDots(name);
  return isName ? undefined : ({ t }) => t(kind === 'order' ? 'line.badOrder' : 'line.badShipment');
}

const otherShipment =
  ({ externalIdentifier, lines }: ListedOrder): Fault =>
  ({ t }) =>
    t('line.otherShipment', { order: externalIdentifier, line: String(lines[0]!.line) });

/** Add a value to the values of a shipment; returns why it cannot be added. A blank cell adds nothing. */
function addValue(
  values: Map<string, Value>,
  { fieldKey, fieldType, role }: ShipmentCustomField,
  { line, value }: { line: number; value: string },
  readDate: ReadDate,
): Fault | undefined {
  const nameIn = ({ t }: Words): string => (role === null ? fieldKey : t(`column.${role}`));
  if (!hasLength(value, 0, VALUE_LENGTH_MAXIMUM))
    return (words) => words.t('line.badValue', { field: nameIn(words) });
  if (isMissing(value)) return undefined;
  const known = values.get(fieldKey);
  if (known && known.value !== value) {
    return (words) => words.t('line.otherValue', { field: nameIn(words), line: String(known.line) });
  }
  if (known) return undefined;
  if (isSheetError(value) || isShortened(value)) return ({ t }) => t('line.error');
  let stored = value;
  if (fieldType === 'DATE_TIME') {
    const read = readDate(value);
    if ('fault' in read) return (words) => words.t(`moment.${read.fault}`, { field: nameIn(words) });
    stored = read.stored;
  }
  const isBadNumber = fieldType === 'NUMBER' && !Number.isFinite(Number(value));
  if (isBadNumber || !isStorable(value)) {
    return (words) => words.t('line.badValue', { field: nameIn(words) });
  }
  values.set(fieldKey, { line, value, stored });
  return undefined;
}
