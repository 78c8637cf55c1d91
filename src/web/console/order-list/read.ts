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
import { cellText, isMissing, isSheetError, isShortened, NO_VALUE } from '../pallet-list/cell.ts';
import type { BadLine, GoodLine, PalletList } from '../pallet-list/read.ts';
import type { OrderColumns } from './columns.ts';

/** The work for a list of orders. `dates`: the different dates in the columns. 200 shipments have at most 2,400. */
const ORDER_LIST = declareReader('order-list', { dates: 3_000 });

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
  /** Whether an empty cell has the order of the line above. */
  fillsOrders?: boolean;
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
  const orders = new Map<string, ListedOrder & { facts: Map<string, Value> }>();
  const shipments = new Map<string, Map<string, Value>>();
  const facts = factColumns(columns, words);
  const fields = columns.fields.flatMap(({ field, column }) =>
    column === undefined ? [] : [fieldColumn(field, column, dateReader(list, field, column, site, budget))],
  );
  const bad: BadLine[] = [];
  const above = site.fillsOrders ? ordersAbove(list, columns.order!) : new Map<number, string>();
  for (const good of list.good) {
    const of = (column: number) => textAt(good, column);
    const externalIdentifier = above.get(good.line) ?? of(columns.order!);
    const shipment = columns.shipment === undefined ? '' : of(columns.shipment);
    const found = orders.get(externalIdentifier);
    // A line without an order of its own is a further pallet of the order above.
    const inherited = above.has(good.line) && found ? found.shipment : null;
    const name = isMissing(shipment) ? inherited : shipment;
    const values = new Map((name !== null && shipments.get(name)) || []);
    const orderValues = new Map(found?.facts);
    const fault =
      nameFault(externalIdentifier, 'order') ??
      (name === null ? undefined : nameFault(name, 'shipment')) ??
      (found && found.shipment !== name ? otherShipment(found) : undefined) ??
      addValues(orderValues, facts, good) ??
      (name === null ? undefined : addValues(values, fields, good));
    if (fault) {
      bad.push({ line: good.line, text: good.cells.filter(Boolean).join(' · '), reason: () => fault(words) });
      continue;
    }
    if (name !== null) shipments.set(name, values);
    const order = found ?? { externalIdentifier, shipment: name, assets: [], lines: [], facts: orderValues };
    order.facts = orderValues;
    order.assets.push(good.pallet);
    order.lines.push(good);
    orders.set(externalIdentifier, order);
  }
  return {
    orders: [...orders.values()].map(({ facts: known, ...order }) => ({
      ...order,
      ...(Object.fromEntries([...known].map(([key, { stored }]) => [key, stored])) as Partial<ManifestFacts>),
    })),
    shipments: [...shipments].map(([externalIdentifier, values]) => ({
      externalIdentifier,
      customFields: [...values].map(([fieldKey, { stored }]) => ({ fieldKey, fieldValue: stored })),
    })),
    bad: [...list.bad, ...bad].toSorted((one, other) => one.line - other.line),
  };
}

/**
 * The orders of the lines without one, by line: the order of the line above. Bad lines count, because an order may begin
 * with one. None if hidden rows are left out, because they may have other orders.
 */
export function ordersAbove(list: PalletList, column: number): Map<number, string> {
  const orders = new Map<number, string>();
  if (list.hidden.isLeft && list.hidden.lines.length > 0) return orders;
  const lines = [...list.good, ...list.bad].toSorted((one, other) => one.line - other.line);
  let above = '';
  for (const { line, cells } of lines) {
    if (line <= (list.heading?.line ?? 0)) continue;
    const own = cells && textIn(cells, column);
    if (own === undefined || !isMissing(own)) above = own ?? '';
    else if (above !== '') orders.set(line, above);
  }
  return orders;
}

/** A column with a value of each order or shipment. */
interface ValueColumn {
  key: string;
  column: number;
  label: Fault;
  /** The value that is compared with the line above; by default the text. */
  meant?: (text: string) => string;
  /** What is stored for a value, or its fault. */
  read: (value: string) => { stored: string } | { fault: Fault };
}

/** The columns of facts: names of the API, or words of the viewer's language. */
const factColumns = (columns: OrderColumns, words: Words): ValueColumn[] =>
  FACT_NAMES.flatMap((name) => {
    const column = columns.facts[name];
    if (column === undefined) return [];
    const { choices } = factOf(name);
    const label = (said: Words) => factLabel(said, name);
    const meant = (text: string) =>
      choices.find((choice) => [choice, statusIn(words, choice)].some((one) => fold(one) === fold(text))) ??
      text;
    const read = (value: string) =>
      choices.includes(value)
        ? { stored: value }
        : { fault: (said: Words) => said.t('line.badValue', { field: label(said) }) };
    return [{ key: name, column, label, meant, read }];
  });

const textIn = (cells: readonly string[], column: number): string =>
  cellText(cells[column - 1] ?? '').text.trim();
const textAt = ({ cells }: GoodLine, column: number): string => textIn(cells, column);

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
  if (name === NO_VALUE) return ({ t }) => t('line.formula');
  const isName = isStorable(name) && !isDots(name);
  return isName ? undefined : ({ t }) => t(kind === 'order' ? 'line.badOrder' : 'line.badShipment');
}

const otherShipment =
  ({ externalIdentifier, lines }: ListedOrder): Fault =>
  ({ t }) =>
    t('line.otherShipment', { order: externalIdentifier, line: String(lines[0]!.line) });

/** The column of a custom field. */
function fieldColumn(
  { fieldKey: key, fieldType, role }: ShipmentCustomField,
  column: number,
  readDate: ReadDate,
): ValueColumn {
  const label = ({ t }: Words): string => (role === null ? key : t(`column.${role}`));
  const bad = { fault: (words: Words) => words.t('line.badValue', { field: label(words) }) };
  return {
    key,
    column,
    label,
    read(value) {
      if (!hasLength(value, 0, VALUE_LENGTH_MAXIMUM)) return bad;
      if (value === NO_VALUE) return { fault: ({ t }) => t('line.formula') };
      if (isSheetError(value) || isShortened(value)) return { fault: ({ t }) => t('line.error') };
      if (fieldType === 'DATE_TIME') {
        const date = readDate(value);
        return 'fault' in date
          ? { fault: (words) => words.t(`moment.${date.fault}`, { field: label(words) }) }
          : { stored: date.stored };
      }
      const isBadNumber = fieldType === 'NUMBER' && !Number.isFinite(Number(value));
      return isBadNumber || !isStorable(value) ? bad : { stored: value };
    },
  };
}

/** Add a value to the values of an order or shipment; returns why it cannot be added. A blank cell adds nothing. */
function addValue(
  values: Map<string, Value>,
  { key, column, label, meant = (text) => text, read }: ValueColumn,
  good: GoodLine,
): Fault | undefined {
  const text = textAt(good, column);
  if (isMissing(text)) return undefined;
  const value = meant(text);
  const known = values.get(key);
  if (known?.value === value) return undefined;
  if (known) {
    return (words) => words.t('line.otherValue', { field: label(words), line: String(known.line) });
  }
  const stored = read(value);
  if ('fault' in stored) return stored.fault;
  values.set(key, { line: good.line, value, ...stored });
  return undefined;
}

/** The same for all columns; the first fault. */
const addValues = (values: Map<string, Value>, columns: readonly ValueColumn[], good: GoodLine) =>
  columns.reduce<Fault | undefined>((fault, column) => fault ?? addValue(values, column, good), undefined);
