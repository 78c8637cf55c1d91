import { afterAll, expect, it } from 'vitest';
import { neighbourWaits } from '../heavy.ts';
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
