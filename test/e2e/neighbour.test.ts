import { afterAll, expect, it } from 'vitest';
import { neighbourWaits } from '../heavy.ts';
import { ownService } from './shared.ts';

const service = await ownService();
afterAll(() => service.dispose());

/** How much longer than without other work the neighbour may wait. Other tests slow down both. */
const FACTOR = 75;
const PIECES_MS = 300;

it('a request of one organization does not wait for ten heavy requests of another one', async () => {
  for await (const { name, statuses, idleMs, busyMs } of neighbourWaits(service)) {
    console.log(JSON.stringify({ name, idleMs, busyMs, statuses }));
    // A request is done, or refused for a moment.
    const done = statuses.filter((status) => status < 300);
    expect([name, done.length > 0]).toEqual([name, true]);
    expect([name, statuses.filter((status) => status >= 300 && status !== 503)]).toEqual([name, []]);
    expect([name, busyMs < FACTOR * idleMs + PIECES_MS || busyMs]).toEqual([name, true]);
  }
}, 300_000);
