import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseFile } from '../../src/cli/migrate.ts';
import { type Answer, API, newTenant, OPERATOR_KEY, send, type Tenant } from './client.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

const CALLERS = 4;
const LOCKS = 3;
const LOCKED_MS = 2_500;

let service: Service;
let tenant: Tenant;
beforeAll(async () => {
  service = await ownService();
  tenant = await newTenant(service, 'outage');
});
afterAll(() => service?.dispose());

/** Locks the store, as a backup program does. No other process can write then, or read through D1. */
async function locked<T>(run: () => Promise<T>): Promise<T> {
  const db = new DatabaseSync(databaseFile(service.stateDir, 'DB'), { timeout: 10_000 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return await run();
  } finally {
    db.exec('ROLLBACK');
    db.close();
  }
}

it('every page and operation reports a locked store, and its recovery', async () => {
  const asked: [string, string, Record<string, string>][] = [
    ['GET', '/health', {}],
    ['GET', `${API}/manifest`, { 'X-AUTH-KEY': tenant.key }],
    ['POST', `${API}/marker-code/allocate`, { 'X-AUTH-KEY': tenant.key }],
    ['GET', '/operator/rest/api/v1/organization', { 'X-OPERATOR-KEY': OPERATOR_KEY }],
    ['GET', `/public/shipment-summary/${'a'.repeat(32)}`, {}],
    ['GET', `/public/proof-of-shipment/${'a'.repeat(32)}.pdf`, {}],
    ['GET', '/app', { Cookie: 'session=x' }],
    ['GET', '/app/board', { Cookie: 'session=x' }],
  ];
  const answers = () =>
    Promise.all(asked.map(([method, path, headers]) => send(service, { method, path, headers })));
  const during = await locked(answers);
  expect(during.map(({ status, headers }) => [status, headers.get('Retry-After')])).toEqual(
    asked.map(() => [503, '2']),
  );
  expect(during[0]!.json).toEqual({ status: 'DOWN' });
  for (const page of during.slice(4)) {
    expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  }
  const after = await answers();
  expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 404, 200, 200]);
  expect(after[0]!.json).toEqual({ status: 'UP' });
});

it('a service loses and doubles nothing while its store locks repeatedly and it is killed', async () => {
  let over = false;
  const answered: number[] = [];
  const defects: Answer[] = [];
  const codes: number[] = [];
  const caller = async (who: number) => {
    for (let index = 0; !over; index += 1) {
      const headers = { 'Idempotency-Key': `outage-${who}-${index}` };
      const call = { method: 'POST', path: '/marker-code/allocate?imageDelivery=URL', headers };
      for (let status = 0; status !== 200; ) {
        try {
          const answer = await tenant.send(call);
          status = answer.status;
          answered.push(status);
          if (status === 200) codes.push(answer.json.entries[0].markerCode);
          else if (status !== 503) defects.push(answer);
        } catch {
          // The service is being killed.
        }
        if (status !== 200) await sleep(100);
      }
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, who) => caller(who));
  for (let round = 0; round < LOCKS; round += 1) {
    await sleep(1_000);
    await locked(async () => {
      await sleep(LOCKED_MS);
      if (round === 1) await service.kill();
    });
    if (round === 1) await service.start();
  }
  await sleep(1_000);
  over = true;
  await Promise.all(callers);
  expect(defects.map(({ text }) => text)).toEqual([]);
  expect(answered.filter((status) => status === 503).length).toBeGreaterThan(0);
  // The codes have no gap and no repeat, so none was given twice or lost with an answer.
  const sorted = codes.sort((one, other) => one - other);
  const next = await tenant.send({ method: 'POST', path: '/marker-code/allocate?imageDelivery=URL' });
  expect(next.json.entries[0].markerCode).toBe(sorted.at(-1)! + 1);
  expect(sorted.slice(1).every((code, index) => code === sorted[index]! + 1)).toBe(true);
});
