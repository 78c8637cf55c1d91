import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { CustomFieldValue } from '../demo/answers.ts';
import type { Gate } from '../demo/provision.ts';
import { palletSscc } from '../demo/sscc.ts';

/** An order line. It becomes one pallet. */
export interface WmsPallet {
  sscc: string;
  fields: CustomFieldValue[];
}

/** An order. It becomes a manifest. */
export interface WmsOrder {
  manifestId: string;
  /** The day on which the order was shipped, such as 1996-07-16. */
  shippedDay: string | undefined;
  shipper: { id: string; name: string };
  gateId: string;
  fields: CustomFieldValue[];
  pallets: WmsPallet[];
}

/** A whole export. */
export interface WmsExport {
  orders: WmsOrder[];
  gates: Gate[];
}

/** The texts of the files of an export. */
export interface ExportTexts {
  orders: string;
  orderDetails: string;
  customers: string;
  shippers: string;
}

/** Read an export from orders.csv, order-details.csv, customers.csv and shippers.csv in a folder. */
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
 * Convert an export to orders and gates. @throws Error if a file does not begin with the expected columns,
 * an order line has no order, an order or line occurs twice, or a shipped date is invalid.
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
    if (orders.has(orderId)) throw new Error(`Order ${orderId} occurs twice.`);
    const shipper = shippers.get(shipperId);
    const shipperOrOther = { id: filled(shipperId) ?? 'OTHER', name: shipper ?? 'other shippers' };
    const gateId = `GATE-${shipperOrOther.id}`;
    gates.set(gateId, { externalIdentifier: gateId, name: `Gate of ${shipperOrOther.name}` });
    const shippedDay = day(shippedDate);
    if (shippedDay === undefined && filled(shippedDate) !== undefined) {
      throw new Error(`Order ${orderId} has the shipped date ${shippedDate}, which is not a date.`);
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
  if (orphan !== undefined) throw new Error(`Order ${orphan} has lines, but is not in the orders file.`);
  return { orders: [...orders.values()], gates: [...gates.values()] };
}

/**
 * The columns that every row has in this order. The names and addresses after them may contain unquoted
 * commas.
 */
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
 * The rows of a file. These exports quote nothing, so a comma in a name or an address makes a row longer
 * than its header. Rows may therefore have any length, and only the leading columns are read by position.
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
    throw new Error(`A file must begin with the columns ${leading.join(', ')}, not ${header.join(', ')}.`);
  }
  return { header, rows };
}

/** Company names by id. Both are in the first two columns, before any address. */
function names(text: string, id: string): Map<string, string> {
  return new Map(table(text, [id, 'companyName']).rows.map(([key = '', name = '']) => [key, name]));
}

function palletsByOrder(text: string): Map<string, WmsPallet[]> {
  const found = new Map<string, WmsPallet[]>();
  const seen = new Set<string>();
  const { rows } = table(text, ['orderID', 'productID', 'unitPrice', 'quantity']);
  for (const [orderId = '', productId = '', , quantity] of rows) {
    const sscc = palletSscc(orderId, productId);
    if (seen.has(sscc)) throw new Error(`Product ${productId} occurs twice in order ${orderId}.`);
    seen.add(sscc);
    const pallets = found.get(orderId) ?? [];
    pallets.push({ sscc, fields: fieldsOf({ product: productId, quantity }) });
    found.set(orderId, pallets);
  }
  return found;
}

/**
 * The country. It is the last column even if commas before it shift the row, because no country has a comma
 * in its name. It is unknown if the row is too short or the last column is not a name.
 */
function countryOf(row: readonly string[], columns: number): string | undefined {
  const last = filled(row.at(-1));
  return row.length >= columns && last !== undefined && /^\p{L}[\p{L} .'-]*$/u.test(last) ? last : undefined;
}

/** A value, or undefined if it is empty. The exporting database writes NULL for an empty value. */
function filled(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value === 'NULL' ? undefined : value;
}

/** The day of a date such as `1996-08-01 00:00:00.000`. */
function day(value: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}/.exec(value ?? '')?.[0];
}

function fieldsOf(values: Record<string, string | undefined>): CustomFieldValue[] {
  return Object.entries(values).flatMap(([fieldKey, value]) => {
    const fieldValue = filled(value);
    return fieldValue === undefined ? [] : [{ fieldKey, fieldValue }];
  });
}
