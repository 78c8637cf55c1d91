import { afterAll, expect, it } from 'vitest';
import { heavyTenant, neighbourWaits } from '../heavy.ts';
import { must } from './client.ts';
import { ownService } from './shared.ts';

const service = await ownService();
afterAll(() => service.dispose());

/**
 * At least so many requests of the neighbour are answered before the last of the ten heavy ones. Short work may end before.
 * `npm run bench` measures the waits.
 */
const ANSWERED = 3;
const SHORT_MS = 1_000;

it('a request of one organization does not wait for ten heavy requests of another one', async () => {
  for await (const { name, statuses, idleMs, busyMs, answered } of neighbourWaits(service)) {
    console.log(JSON.stringify({ name, idleMs, busyMs, answered, statuses }));
    // A request is done, or refused for a moment.
    const done = statuses.filter((status) => status < 300);
    expect([name, done.length > 0]).toEqual([name, true]);
    expect([name, statuses.filter((status) => status >= 300 && status !== 503)]).toEqual([name, []]);
    expect([name, answered >= ANSWERED || busyMs < SHORT_MS || answered]).toEqual([name, true]);
  }
}, 300_000);

it('the service answers requests while a bulk upsert is carried out', async () => {
  const tenant = await heavyTenant(service, 'progress');
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    shipmentExternalId: `S${index}`,
    customFields: [{ fieldKey: 'note', fieldValue: 'x' }],
  }));
  const { operationId } = await must(tenant, 'POST', '/shipment/bulk-upsert', { items });
  const ask = () => must(tenant, 'GET', `/operation/${operationId}`);
  let { failedCount, finishDate } = await ask();
  while (failedCount === 0) ({ failedCount, finishDate } = await ask());
  expect([failedCount < items.length, finishDate]).toEqual([true, null]);
}, 60_000);
