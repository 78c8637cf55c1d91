import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { json, type Send, succeed } from './client.ts';
import { keyed } from './comparisons.ts';
import { API, DEVICE_API, inParallel, provision } from './seed.ts';
import { startService } from './server.ts';
import { storeFile } from './sizes.ts';

/** Target: the most bytes that a pallet may leave permanently. */
export const KEPT_MAXIMUM = 3_600;

const SLUG = 'kept';
const ORDERS = 1_000;
const PALLETS = 5;
const GATES = Array.from({ length: 20 }, (_, index) => `DOCK-${index + 1}`);
/** Tables whose rows housekeeping deletes after a time. */
const PRUNED = new Set([
  'event',
  'idempotency',
  'operation',
  'operation_part',
  'scan',
  'webhook_delivery',
  'webhook_message',
]);

/** Bytes that a pallet leaves in a table or an index. */
export interface Kept {
  name: string;
  /** The table, also of an index. */
  table: string;
  /** Bytes of pages, with their unused parts. */
  bytes: number;
  /** Whether housekeeping deletes the bytes after a time. */
  pruned: boolean;
}

/**
 * Measure the bytes that a day of orders leaves for each pallet. The orders go through the service: couple
 * markers, create manifests and shipments, scan one by one, complete. The bytes are read from the file of
 * the stopped service, minus the bytes before.
 */
export async function keptBytes(state: string): Promise<Kept[]> {
  const first = await startService(state);
  const { send, device } = await provision(first.origin, SLUG, GATES);
  await first.stop();
  const before = pages(state);
  const service = await startService(state, Number(new URL(first.origin).port));
  try {
    await inParallel(
      Array.from({ length: ORDERS }, (_, order) => order),
      (order) => dispatch(send, device, order),
    );
  } finally {
    await service.stop();
  }
  return pages(state)
    .map(({ name, table, bytes }) => ({
      name,
      table,
      bytes: (bytes - (before.find((other) => other.name === name)?.bytes ?? 0)) / (ORDERS * PALLETS),
      pruned: PRUNED.has(table),
    }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** Handle an order, from its first pallet to the departure of its truck. */
async function dispatch(send: Send, device: Send, order: number): Promise<void> {
  const name = `ORDER-${String(order).padStart(6, '0')}`;
  const gate = GATES[order % GATES.length]!;
  const post = (path: string, body?: unknown) => succeed(send, keyed(`${API}${path}`, body));
  // Serial shipping container codes have 18 digits.
  const assets = Array.from(
    { length: PALLETS },
    (_, pallet) => `34012345${String(order * PALLETS + pallet).padStart(10, '0')}`,
  );
  await post('/manifest', { externalIdentifier: name, assets });
  await post('/shipment', {
    identifier: `SHIP-${name}`,
    gateIdentifier: gate,
    manifests: [{ manifestExternalId: name }],
  });
  const codes: number[] = [];
  for (const wmsId of assets) {
    const { markerCode } = await json<{ markerCode: number }>(
      send,
      keyed(`${API}/track/get-and-couple?imageDelivery=URL`, { wmsId }),
    );
    codes.push(markerCode);
  }
  await post(`/shipment/SHIP-${name}/status/IN_PROGRESS`);
  for (const markerCode of codes) {
    const scan = { scanId: randomUUID(), markerCode, direction: 'LOAD' };
    await succeed(device, { method: 'POST', path: `${DEVICE_API}/gate/${gate}/scan`, json: scan });
  }
  await post(`/shipment/SHIP-${name}/status/COMPLETED`);
}

/** The bytes of each table and index in the organization's database. */
function pages(state: string): Omit<Kept, 'pruned'>[] {
  const store = new DatabaseSync(storeFile(state, SLUG), { readOnly: true });
  try {
    return store
      .prepare(
        `SELECT s.name, max(coalesce(m.tbl_name, s.name)) AS "table", sum(s.pgsize) AS bytes FROM dbstat s
         LEFT JOIN sqlite_schema m ON m.name = s.name GROUP BY s.name`,
      )
      .all() as unknown as Omit<Kept, 'pruned'>[];
  } finally {
    store.close();
  }
}
