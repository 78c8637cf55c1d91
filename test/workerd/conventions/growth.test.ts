import { expect, it } from 'vitest';
import type { Answer } from '../client.ts';
import { named } from '../dispatch/load/shipment/bulk.ts';
import { type Dock, newDock } from '../dispatch/load/shipment/dock.ts';
import { addOthers } from './others.ts';

/** Sends requests at a dock. Each must succeed. The rows that D1 reads for it are recorded. */
interface Steps {
  step(method: string, path: string, json?: unknown): Promise<Answer>;
  scan(pallet: string | number, direction?: string): Promise<Answer>;
}

const rowsRead = ({ headers }: Answer): number =>
  Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);

/**
 * The rows that D1 reads in a day at a dock, by kind of step. For several steps of one kind, the highest
 * number.
 */
async function day(dock: Dock): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  const note = (name: string, answer: Answer): Answer => {
    if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
    rows[name] = Math.max(rows[name] ?? 0, rowsRead(answer));
    return answer;
  };
  const steps: Steps = {
    step: async (method, path, json) =>
      note(
        `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'uuid')}`,
        await dock.call(method, path, json),
      ),
    scan: async (pallet, direction = 'LOAD') =>
      note(`scan ${pallet} ${direction}`, await dock.scan(pallet, direction)),
  };
  await prepare(dock, steps);
  await dispatch(steps);
  await load(dock, steps);
  await clearUp(dock, steps);
  for (const list of ['manifest', 'shipment', 'track', 'gate', 'alert-event', 'client']) {
    await steps.step('GET', `/${list}`);
  }
  return rows;
}

/** Create pallets and manifests, and load manifest O alone. */
async function prepare(dock: Dock, { step }: Steps): Promise<void> {
  for (const wmsId of ['A', 'B', 'C', 'D', 'X', 'Y']) {
    const { body } = await step('POST', '/track/get-and-couple?imageDelivery=URL', { wmsId });
    dock.codes[wmsId] = body.markerCode;
  }
  const { entries } = (await step('POST', '/marker-code/allocate?imageDelivery=URL')).body;
  await step('POST', '/track/couple', { markerCode: entries[0].markerCode, wmsId: 'Z' });
  await step('POST', '/manifest', { externalIdentifier: 'M', assets: ['A', 'B'] });
  await step('POST', '/manifest', { externalIdentifier: 'N', assets: ['B', 'C'] });
  await step('POST', '/manifest', { externalIdentifier: 'O', assets: ['D'] });
  await step('GET', '/manifest/M');
  const customFields = [{ fieldKey: 'k', fieldValue: 'v' }];
  await step('PUT', '/manifest/O', { assets: ['D', 'Y'], customFields });
  await step('POST', '/manifest/O/track-record/Z');
  await step('DELETE', '/manifest/O/track-record/Z');
  await step('POST', '/manifest/O/gate/H');
  await step('POST', '/manifest/O/status/TO_DO');
  await step('POST', '/manifest/O/status/IN_PROGRESS');
  await step('PATCH', '/track/D/retire');
  await step('POST', '/manifest/O/status/COMPLETED');
}

/** Start shipment S with manifests M and N at gate G. */
async function dispatch({ step }: Steps): Promise<void> {
  await step('POST', '/shipment', { identifier: 'S', ...named(['M']) });
  await step('POST', '/shipment/S/manifest', named(['N']));
  await step('DELETE', '/shipment/S/manifest', named(['N']));
  await step('PUT', '/shipment/S', { notes: 'n', ...named(['M', 'N']) });
  await step('POST', '/shipment/S/gate/G');
  await step('POST', '/shipment/S/status/IN_PROGRESS');
}

/** Scan and correct pallets, and complete S. */
async function load(dock: Dock, { step, scan }: Steps): Promise<void> {
  await scan('A');
  await scan('A', 'UNLOAD');
  await scan('X');
  await scan(77);
  const path = '/shipment/S/asset-loading';
  const { body: records } = await step('GET', path);
  const ofA = records.find(({ trackIdentifier }: { trackIdentifier: string }) => trackIdentifier === 'A');
  await step('PATCH', `${path}/${ofA.recordUuid}/status`, { status: 'LOADED' });
  await step('PATCH', `${path}/track/B/status`, { status: 'LOADED' });
  await step('PATCH', `${path}/marker/${dock.codes['C']}/status`, { status: 'LOADED' });
  await step('DELETE', `${path}/track/X`);
  await step('DELETE', `${path}/marker/77`);
  for (const part of ['', '/validate', '/asset']) await step('GET', `/shipment/S${part}`);
  await step('POST', '/shipment/S/status/COMPLETED');
  await scan('A', 'OFFLOAD');
  await scan('A');
}

/** Read and change pallets afterwards. */
async function clearUp(dock: Dock, { step }: Steps): Promise<void> {
  for (const part of ['', '/comments', '/activity']) await step('GET', `/track/A${part}`);
  await step('GET', `/marker-code/${dock.codes['A']}`);
  const { uuid } = (await step('GET', '/track/X')).body;
  await step('PATCH', `/track/${uuid}/flag`, { reason: 'r' });
  await step('PATCH', `/track/${uuid}/retire`);
  await step('PATCH', `/track/${uuid}/revert-retirement`);
  await step('DELETE', `/track/${uuid}`);
  await step('DELETE', '/manifest/O');
}

/**
 * Lists in which each of the other rows appears at most once. A page may read a fixed number of rows for
 * each item, independent of the other rows.
 */
const LISTS = ['manifest', 'shipment', 'track', 'gate', 'alert-event', 'client'].map(
  (list) => `GET /${list}`,
);
const ITEM_ROWS = 40;
const LIST_ROWS = 100;
const FEW = 10;
const MANY = 2_000;
/** Number of items on a full page. */
const ITEMS = 20;
/**
 * A search may also read the row after its last one, which may belong to another organization. These are
 * few rows; a walk reads 2,000.
 */
const SLACK_ROWS = 25;
/** The list of gates has no stored total. Its count reads a row for each gate. */
const COUNTED = 'GET /gate';

/** The steps that read more rows than at the other dock, with both numbers. */
function moreThan(few: Record<string, number>, rows: Record<string, number>): unknown[] {
  expect(Object.keys(rows)).toEqual(Object.keys(few));
  return Object.entries(rows).flatMap(([name, read]) => {
    const allowed = LISTS.includes(name) ? ITEMS * ITEM_ROWS + LIST_ROWS : few[name]! + SLACK_ROWS;
    return read > allowed + (name === COUNTED ? MANY : 0) ? [[name, few[name], read]] : [];
  });
}

it('a day costs as many rows among 2,000 manifests, shipments and tracks as among 10', async () => {
  const [first, large, last] = [await newDock(), await newDock(), await newDock()];
  await addOthers(first, FEW);
  const few = await day(first);
  expect(Object.keys(few).length).toBeGreaterThanOrEqual(50);
  await addOthers(large, MANY);
  expect(moreThan(few, await day(large))).toEqual([]);
  await addOthers(last, FEW);
  expect(moreThan(few, await day(last))).toEqual([]);
}, 120_000);
