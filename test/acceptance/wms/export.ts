import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Field } from '../../../src/cli/demo-answers.ts';
import type { Gate } from '../../../src/cli/demo-provision.ts';
import { palletSscc } from '../../../src/cli/sscc.ts';

/** An order line: what is on one pallet. */
export interface WmsPallet {
  sscc: string;
  fields: Field[];
}

/** An order: what becomes a manifest. */
export interface WmsOrder {
  manifestId: string;
  /** The day on which it left, such as 1996-07-16. */
  shippedDay: string | undefined;
  shipper: { id: string; name: string };
  gateId: string;
  fields: Field[];
  pallets: WmsPallet[];
}

/** A whole export. */
export interface WmsExport {
  orders: WmsOrder[];
  gates: Gate[];
}

/** The texts of its files. */
export interface ExportTexts {
  orders: string;
  orderDetails: string;
  customers: string;
  shippers: string;
}

/** Read an export: orders.csv, order-details.csv, customers.csv and shippers.csv of a folder. */
export async function readExport(folder: string): Promise<WmsExport> {
  const [orders, orderDetails, customers, shippers] = await Promise.all(
    ['orders', 'order-details', 'customers', 'shippers'].map((name) =>
      readFile(join(folder, `${name}.csv`), 'utf8'),
    ),
  );
  return mapExport({
    orders: orders!,
    orderDetails: orderDetails!,
    customers: customers!,
    shippers: shippers!,
  });
}

/**
 * What is to become of an export.
 * @throws Error for a file without the columns it should begin with, an order line without its order, an order
 *   or line that stands twice, or a shipped date that is no date.
 */
export function mapExport(texts: ExportTexts): WmsExport {
  const customers = names(texts.customers, 'customerID');
  const shippers = names(texts.shippers, 'shipperID');
  const pallets = palletsByOrder(texts.orderDetails);
  const { header, rows } = table(texts.orders, ORDER_COLUMNS);
  const orders = new Map<string, WmsOrder>();
  const gates = new Map<string, Gate>();
  for (const row of rows) {
    const [orderId = '', customerId = '', , orderDate, requiredDate, shippedDate, shipperId = ''] = row;
    if (orders.has(orderId)) throw new Error(`Order ${orderId} stands twice`);
    const shipper = shippers.get(shipperId);
    const shipperOrOther = { id: filled(shipperId) ?? 'OTHER', name: shipper ?? 'other shippers' };
    const gateId = `GATE-${shipperOrOther.id}`;
    gates.set(gateId, { externalIdentifier: gateId, name: `Gate of ${shipperOrOther.name}` });
    const shippedDay = day(shippedDate);
    if (shippedDay === undefined && filled(shippedDate) !== undefined) {
      throw new Error(`Order ${orderId} was shipped on ${shippedDate}, which is no date`);
    }
    orders.set(orderId, {
      manifestId: `ORDER-${orderId}`,
      shippedDay,
      shipper: shipperOrOther,
      gateId,
      fields: fieldsOf({
        customer: customers.get(customerId),
        shipper,
        orderDate: day(orderDate),
        requiredDate: day(requiredDate),
        shipCountry: countryOf(row, header.length),
      }),
      pallets: pallets.get(orderId) ?? [],
    });
  }
  const orphan = [...pallets.keys()].find((orderId) => !orders.has(orderId));
  if (orphan !== undefined) throw new Error(`Order ${orphan} has lines, but is not among the orders`);
  return { orders: [...orders.values()], gates: [...gates.values()] };
}

/** Well-formed in every row; behind them, names and addresses may hold commas that nobody quoted. */
const ORDER_COLUMNS = [
  'orderID',
  'customerID',
  'employeeID',
  'orderDate',
  'requiredDate',
  'shippedDate',
  'shipVia',
  'freight',
];

/**
 * The rows of a file. Exports of this kind quote nothing, so that a comma inside a name or an address makes a
 * row longer than its header: rows of any length are taken, and only the leading columns by their position.
 */
function table(text: string, leading: readonly string[]): { header: string[]; rows: string[][] } {
  const [header = [], ...rows] = parse(text, {
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
  }) as string[][];
  if (!leading.every((name, index) => header[index] === name)) {
    throw new Error(`A file has to begin with the columns ${leading.join(', ')}, not ${header.join(', ')}`);
  }
  return { header, rows };
}

/** Company names by id: the first two columns, before any address. */
function names(text: string, id: string): Map<string, string> {
  return new Map(table(text, [id, 'companyName']).rows.map(([key = '', name = '']) => [key, name]));
}

function palletsByOrder(text: string): Map<string, WmsPallet[]> {
  const found = new Map<string, WmsPallet[]>();
  const seen = new Set<string>();
  const { rows } = table(text, ['orderID', 'productID', 'unitPrice', 'quantity']);
  for (const [orderId = '', productId = '', , quantity] of rows) {
    const sscc = palletSscc(orderId, productId);
    if (seen.has(sscc)) throw new Error(`Product ${productId} stands twice in order ${orderId}`);
    seen.add(sscc);
    const pallets = found.get(orderId) ?? [];
    pallets.push({ sscc, fields: fieldsOf({ product: productId, quantity }) });
    found.set(orderId, pallets);
  }
  return found;
}

/**
 * The country, which is the last column. However many commas stand before it, it stays last, as no country has
 * one in its name; in a row that is cut short, or where the last column is no name, it is not known.
 */
function countryOf(row: readonly string[], columns: number): string | undefined {
  const last = filled(row.at(-1));
  return row.length >= columns && last !== undefined && /^\p{L}[\p{L} .'-]*$/u.test(last) ? last : undefined;
}

/** A value that is there: the exporting database writes NULL for one that is not. */
function filled(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'NULL' ? undefined : value;
}

/** The day of a date such as `1996-08-01 00:00:00.000`. */
function day(value: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(value ?? '')?.[0];
}

function fieldsOf(values: Record<string, string | undefined>): Field[] {
  return Object.entries(values).flatMap(([fieldKey, value]) => {
    const fieldValue = filled(value);
    return fieldValue === undefined ? [] : [{ fieldKey, fieldValue }];
  });
}
