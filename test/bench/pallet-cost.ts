import type { Send, succeed } from './client.ts';
import { costOf } from './cost.ts';
import { API, DEVICE_API, provision } from './seed.ts';

const GATE = 'PALLET';
const PALLETS = 5;
/** Orders that are measured. An order before them stores the names of actions and actors. */
const ORDERS = 4;

/** The rows of D1 for a pallet, without webhooks. */
export interface PalletCost {
  /** The rows written for a request of each kind, and how many of them count for a pallet. */
  steps: { name: string; rowsWritten: number; ofPallet: number }[];
  perPallet: { rowsRead: number; rowsWritten: number };
}

/**
 * Measure a day of orders of 5 pallets: couple, create the manifest and its shipment, start, scan one by one, complete.
 * The requests have no idempotency keys. A key costs a row more.
 */
export async function palletCost(service: string): Promise<PalletCost> {
  const { send, device } = await provision(service, 'pallet', [GATE]);
  const written = new Map<string, number[]>();
  let rowsRead = 0;
  const step = async (order: number, name: string, by: Send, path: string, json?: unknown) => {
    const { cost, answer } = await costOf(name, by, { method: 'POST', path, ...(json ? { json } : {}) });
    if (order === 0) return answer;
    written.set(name, [...(written.get(name) ?? []), cost.rowsWritten]);
    rowsRead += cost.rowsRead;
    return answer;
  };
  for (let order = 0; order <= ORDERS; order += 1) await handle(order, send, device, step);
  const sum = (rows: number[]) => rows.reduce((all, one) => all + one, 0);
  const pallets = ORDERS * PALLETS;
  return {
    steps: [...written].map(([name, rows]) => ({
      name,
      rowsWritten: sum(rows) / rows.length,
      ofPallet: sum(rows) / pallets,
    })),
    perPallet: {
      rowsRead: rowsRead / pallets,
      rowsWritten: sum([...written.values()].flat()) / pallets,
    },
  };
}

type Step = (
  order: number,
  name: string,
  by: Send,
  path: string,
  json?: unknown,
) => ReturnType<typeof succeed>;

/** Handle an order, from its first pallet to the departure of its truck. */
async function handle(order: number, send: Send, device: Send, step: Step): Promise<void> {
  const assets = Array.from({ length: PALLETS }, (_, pallet) => `${order}-${pallet}`);
  const codes: number[] = [];
  for (const wmsId of assets) {
    const path = `${API}/track/get-and-couple?imageDelivery=URL`;
    const answer = await step(order, 'get-and-couple', send, path, { wmsId });
    codes.push((JSON.parse(answer.body.toString()) as { markerCode: number }).markerCode);
  }
  await step(order, 'manifest of 5', send, `${API}/manifest`, { externalIdentifier: `M${order}`, assets });
  await step(order, 'shipment', send, `${API}/shipment`, {
    identifier: `S${order}`,
    gateIdentifier: GATE,
    manifests: [{ manifestExternalId: `M${order}` }],
  });
  await step(order, 'status IN_PROGRESS', send, `${API}/shipment/S${order}/status/IN_PROGRESS`);
  for (const [at, markerCode] of codes.entries()) {
    const scan = { scanId: `${order}-${at}`, markerCode, direction: 'LOAD' };
    await step(order, 'scan', device, `${DEVICE_API}/gate/${GATE}/scan`, scan);
  }
  await step(order, 'status COMPLETED', send, `${API}/shipment/S${order}/status/COMPLETED`);
}
