/**
 * The cost of a million pallets on Cloudflare beyond the included amounts, from the use of a pallet and the price list.
 * The guide `cost.md` shows the result.
 */

/** The date of the price list. */
export const PRICES_DATE = '2026-11-25';

/** Prices of the paid plan in US dollars for a million units; of storage for a gigabyte and month. */
const PRICES = {
  rowsWritten: 1,
  rowsRead: 0.001,
  storageGigabyteMonth: 0.75,
  requests: 0.3,
  cpuMilliseconds: 0.02,
  objectRequests: 0.15,
  objectGigabyteSeconds: 12.5,
  objectRowsWritten: 1,
  queueOperations: 0.4,
  logEvents: 0.6,
} as const;

/**
 * The rows that D1 writes for an operation of that day, as measured. A change that writes more has to say why.
 */
export const ROWS_WRITTEN = {
  'get-and-couple': 10,
  'manifest of 5': 30,
  // One of them is in the index of driver tokens, which finds the shipment of a driver's page.
  shipment: 20,
  'status IN_PROGRESS': 16,
  scan: 8,
  // One of them is in the index of closed shipments, which the list of shipments reads, and one has the figures of the
  // shipment for reports.
  'status COMPLETED': 32,
} as const;
/** The rows for a message to a webhook: a run of the job stores it, a consumer opens it, and its results are stored. */
export const MESSAGE_ROWS_WRITTEN = 3;

/** The rows that D1 writes for other actions, as measured by test/workerd/cost. */
export const MORE_ROWS_WRITTEN = {
  'a comment on a pallet': 8,
  'the arrival of a truck': 5,
  'a signature on a shipment': 8,
  'a back order of 2 pallets': 24,
  'an e-mail': 11,
  'a report': 0,
} as const;

/** The rows that D1 writes to archive a pallet of an order of 5, as measured. Most of them are deletions. */
export const ARCHIVED_ROWS_WRITTEN = 15;

/** Target: the most rows that D1 may write for a pallet with any WMS id, without and with one webhook. */
export const PALLET_MAXIMUM = 39;
export const PALLET_WEBHOOK_MAXIMUM = 44;

/** The use of a pallet: an order of 5 pallets has one manifest and one shipment, and each pallet is scanned once. */
export interface Usage {
  /** Rows of D1, as measured by test/workerd/cost. */
  rowsWritten: number;
  rowsRead: number;
  /** Rows that the daily deletion of expired rows writes. */
  rowsPruned: number;
  /** Kilobytes in D1 after a month. */
  kilobytes: number;
  /** Requests to the Worker, and messages that its queue consumer takes. */
  requests: number;
  /** Milliseconds of CPU, estimated. */
  cpuMilliseconds: number;
  /** Calls and alarms of the Durable Object, and how long it is busy beside D1, estimated. */
  objectRequests: number;
  objectSeconds: number;
  /** Watermarks and alarms. */
  objectRowsWritten: number;
  /** Messages of queues. Each is written, read and deleted. */
  messages: number;
  /** Log events, if all are kept: a line for each request of a caller. A delivery writes none. */
  logEvents: number;
}

/** The memory of a Durable Object, as billed. */
const OBJECT_GIGABYTES = 0.128;
const MESSAGE_OPERATIONS = 3;

export const USAGE = {
  withoutWebhook: {
    rowsWritten: 37.6,
    rowsRead: 330,
    rowsPruned: 5.6,
    kilobytes: 8.4,
    requests: 2.8,
    cpuMilliseconds: 22,
    objectRequests: 2.8,
    objectSeconds: 0.14,
    objectRowsWritten: 2.8,
    messages: 0,
    logEvents: 3,
  },
  withWebhook: {
    rowsWritten: 43,
    rowsRead: 560,
    rowsPruned: 9.2,
    kilobytes: 9.4,
    requests: 4.6,
    cpuMilliseconds: 36,
    objectRequests: 4.6,
    objectSeconds: 0.23,
    objectRowsWritten: 4.6,
    messages: 1.8,
    logEvents: 3,
  },
} as const satisfies Record<string, Usage>;

/**
 * Photos: two of each pallet, with 250 kB each, and each photo is opened once. R2 bills operations that write (class A)
 * and read (class B), and its storage. Deletions are free.
 */
export const PHOTOS = {
  ofPallet: 2,
  kilobytes: 250,
  /** Rows of D1 for a photo, as measured by test/workerd/cost. */
  rowsWritten: 16,
  opened: 1,
} as const;
const R2_PRICES = { classA: 4.5, classB: 0.36, gigabyteMonth: 0.015 } as const;

/** The cost of the photos of a million pallets, as a table of the guide. */
export function photoTable(): string {
  const { ofPallet, kilobytes, rowsWritten, opened } = PHOTOS;
  const gigabytes = (ofPallet * 1_000_000 * kilobytes) / 1_000_000;
  const lines: [string, number][] = [
    ['R2 class A operations, a photo written', ofPallet * R2_PRICES.classA],
    ['R2 class B operations, a photo opened', ofPallet * opened * R2_PRICES.classB],
    [`R2 storage for a month, ${gigabytes} GB`, gigabytes * R2_PRICES.gigabyteMonth],
    ['D1 rows written', ofPallet * rowsWritten * PRICES.rowsWritten],
    ['Worker requests', ofPallet * (1 + opened) * PRICES.requests],
  ];
  const sum = lines.reduce((all, [, dollars]) => all + dollars, 0);
  const rows = [...lines, ['Sum', sum] as const].map(
    ([name, dollars]) => `| ${name} | ${dollars.toFixed(1)} |`,
  );
  return ['| US dollars | 2 photos of each pallet |', '|---|---|', ...rows].join('\n');
}

/** A line of the bill, in US dollars for a million pallets. */
export interface BillLine {
  name: string;
  dollars: number;
}

/** The bill for a million pallets. Storage is for the month in which they are handled. */
export function billOf(usage: Usage): BillLine[] {
  const lines = [
    { name: 'D1 rows written', dollars: usage.rowsWritten * PRICES.rowsWritten },
    { name: 'D1 rows written, deletion after 30 days', dollars: usage.rowsPruned * PRICES.rowsWritten },
    { name: 'D1 rows read', dollars: usage.rowsRead * PRICES.rowsRead },
    { name: 'D1 storage for a month', dollars: usage.kilobytes * PRICES.storageGigabyteMonth },
    { name: 'Worker requests', dollars: usage.requests * PRICES.requests },
    { name: 'Worker CPU', dollars: usage.cpuMilliseconds * PRICES.cpuMilliseconds },
    { name: 'Durable Object requests', dollars: usage.objectRequests * PRICES.objectRequests },
    {
      name: 'Durable Object duration',
      dollars: usage.objectSeconds * OBJECT_GIGABYTES * PRICES.objectGigabyteSeconds,
    },
    { name: 'Durable Object rows written', dollars: usage.objectRowsWritten * PRICES.objectRowsWritten },
    { name: 'Queues', dollars: usage.messages * MESSAGE_OPERATIONS * PRICES.queueOperations },
    { name: 'Workers Logs', dollars: usage.logEvents * PRICES.logEvents },
  ];
  return [...lines, { name: 'Sum', dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0) }];
}

/** The bills without and with a webhook, as a table of the guide. */
export function costTable(): string {
  const [without, with_] = [billOf(USAGE.withoutWebhook), billOf(USAGE.withWebhook)];
  const rows = without.map(({ name, dollars }, at) => [name, dollars, with_[at]!.dollars] as const);
  return [
    '| US dollars | no webhook | one webhook for all events |',
    '|---|---|---|',
    ...rows.map(
      ([name, ...dollars]) => `| ${name} | ${dollars.map((amount) => amount.toFixed(1)).join(' | ')} |`,
    ),
  ].join('\n');
}

/** The rows of each action, as a table of the guide. */
export function rowsTable(): string {
  const { 'get-and-couple': couple, 'manifest of 5': manifest, shipment, scan, ...statuses } = ROWS_WRITTEN;
  const rows = [
    ['get-and-couple', couple],
    ['a manifest of 5 pallets', manifest],
    ['a shipment of one manifest', shipment],
    ['starting the shipment', statuses['status IN_PROGRESS']],
    ['a scan', scan],
    ['completing the shipment', statuses['status COMPLETED']],
    ['a message to a webhook, with 1 to 5 events', MESSAGE_ROWS_WRITTEN],
    ...Object.entries(MORE_ROWS_WRITTEN),
    ['a photo', PHOTOS.rowsWritten],
  ];
  return ['| Action | Rows written |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  );
}
