import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { databaseFile } from '../../src/cli/migrate.ts';
import { type Answer, newTenant, type Tenant } from './client.ts';
import { randomOf } from './crash/random.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

/** After most restarts, accepted operations end within this time, before the next run of the schedule. */
const TAKEN_UP_MS = 8_000;
/** After any restart, they end within this time, also on a busy machine. */
const TAKEN_UP_MAXIMUM_MS = 60_000;
/** How long a test waits for the service to unlock its store. */
const LOCK_MAXIMUM_MS = 5_000;
const ROUNDS = 4;
const COUPLINGS = 24;
const SHIPMENTS = 5;
const ITEMS = 4_000;
/** SEED=… repeats the random choices of a failed run. Timing still differs. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

let service: Service | undefined;
afterAll(() => service?.dispose());

async function must(tenant: Tenant, path: string, json: unknown): Promise<Answer> {
  const answer = await tenant.send({ method: 'POST', path, json });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer;
}

/** The requests of a round: couplings, two of them for one pallet, and bulk upserts. */
function asked(round: number): [string, object][] {
  const items = (errorBehaviour: string): [string, object] => [
    '/shipment/bulk-upsert',
    {
      errorBehaviour,
      items: Array.from({ length: ITEMS }, (_, index) => ({
        shipmentExternalId: `S${index % SHIPMENTS}`,
        customFields: [{ fieldKey: 'k', fieldValue: `${round}-${index}` }],
      })),
    },
  ];
  const couplings = Array.from({ length: COUPLINGS }, (_, index): [string, object] => [
    '/track/get-and-couple?async=true&imageDelivery=URL',
    { wmsId: `P-${round}-${Math.max(index, 1)}` },
  ]);
  return [items('PROCEED'), ...couplings, items('ROLLBACK')];
}

/** Counts unfinished operations on the disk, without a request to the service. */
function outstanding({ stateDir }: Service): number {
  const file = databaseFile(stateDir, 'DB');
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_MAXIMUM_MS });
  const { count } = database
    .prepare("SELECT COUNT(*) AS count FROM operation WHERE status IN ('PENDING', 'RUNNING')")
    .get()!;
  database.close();
  return Number(count);
}

it('a restart resumes accepted operations, and each has one outcome', async () => {
  service = await ownService();
  const tenant = await newTenant(service, 'background', {
    dispatchStrategy: 'SHIPMENT',
    shipmentCustomFields: [{ fieldKey: 'k', fieldType: 'TEXT' }],
  });
  for (let index = 0; index < SHIPMENTS; index += 1) {
    await must(tenant, '/manifest', { externalIdentifier: `M${index}` });
    const manifests = [{ manifestExternalId: `M${index}` }];
    await must(tenant, '/shipment', { identifier: `S${index}`, manifests });
  }
  const random = randomOf(SEED);
  const accepted: string[] = [];
  let takenUp = 0;
  let soon = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    let acknowledged = 0;
    let reached = () => {};
    // Kill after the last acknowledgement, or earlier while requests are under way.
    const enough = round % 2 === 0 ? COUPLINGS : 1 + random.below(COUPLINGS);
    const armed = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const asking = asked(round).map(async ([path, json]) => {
      const answer = await tenant.send({ method: 'POST', path, json }).catch(() => undefined);
      // A 409 also counts: an earlier attempt has coupled the pallet.
      if (answer?.status === 202) accepted.push(answer.json.operationId);
      acknowledged += 1;
      if (acknowledged === enough) reached();
    });
    await armed;
    // Both kinds of kill follow both kinds of acknowledgement.
    const isPowerCut = round === 0 || round === ROUNDS - 1;
    await (isPowerCut ? service.kill() : service.crash());
    const start = Date.now();
    await (isPowerCut ? service.start() : service.recovered());
    await Promise.all(asking);
    // No request arrives, so an alarm must wake the organization's object.
    const begin = performance.now();
    while (outstanding(service) > 0 && performance.now() - begin < TAKEN_UP_MAXIMUM_MS) await sleep(100);
    if (performance.now() - begin < TAKEN_UP_MS) soon += 1;
    for (const operation of accepted) {
      const { status, json } = await tenant.get(`/operation/${operation}`);
      expect([operation, status, json.finishDate !== null], `SEED=${SEED}`).toEqual([operation, 200, true]);
      if (Date.parse(json.finishDate) > start) takenUp += 1;
    }
  }
  const outcomes = new Map<string, string[]>();
  const { content } = (await tenant.get('/event?limit=1000')).json;
  for (const { operationId, eventType } of content) {
    if (operationId !== null) outcomes.set(operationId, [...(outcomes.get(operationId) ?? []), eventType]);
  }
  for (const operation of accepted) {
    const { json } = await tenant.get(`/operation/${operation}`);
    const coupling = json.status === 'SUCCEEDED' ? 'COUPLING_SUCCEEDED' : 'COUPLING_FAILED';
    const expected = json.operationType === 'SHIPMENT_BULK_UPSERT' ? [] : [coupling];
    expect(outcomes.get(operation), `SEED=${SEED}`).toEqual([...expected, 'OPERATION_COMPLETED']);
  }
  for (const types of outcomes.values()) expect(types.at(-1)).toBe('OPERATION_COMPLETED');
  process.stdout.write(`${JSON.stringify({ seed: SEED, accepted: accepted.length, takenUp })}\n`);
  // A run proves something only if enough operations were accepted and resumed.
  expect(accepted.length).toBeGreaterThan(COUPLINGS);
  expect(takenUp).toBeGreaterThan(ROUNDS);
  expect(soon).toBeGreaterThan(ROUNDS / 2);
});
