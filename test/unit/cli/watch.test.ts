import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, gone } from '../../../src/cli/watch.ts';

const PATIENCE = { pause: 20, answer: 400, refused: 300, silent: 2_500 };
const UP = JSON.stringify({ status: 'UP' });

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A service that answers its n-th question with this text after so many milliseconds; never where there is none. */
async function service(answer: (n: number) => { text: string; afterMs?: number } | undefined) {
  let asked = 0;
  const listening = createServer(async (_, response) => {
    asked += 1;
    const said = answer(asked);
    if (!said) return;
    await sleep(said.afterMs ?? 0);
    response.end(said.text);
  }).listen(0, '127.0.0.1');
  server = listening;
  await new Promise((resolve) => listening.once('listening', resolve));
  return { origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, asked: () => asked };
}

const isStillThere = async (watched: Promise<string>, ms: number): Promise<boolean> =>
  (await Promise.race([watched, sleep(ms, 'there')])) === 'there';

describe('a service that is watched', () => {
  it('is up where it says so, silent where it says something else or nothing, refused where nobody listens', async () => {
    const up = await service((n) => (n === 1 ? { text: UP } : n === 2 ? { text: '{}' } : undefined));
    expect([await ask(up.origin, 500), await ask(up.origin, 500), await ask(up.origin, 100)]).toEqual([
      'up',
      'silent',
      'silent',
    ]);
    server!.closeAllConnections();
    await new Promise((resolve) => server!.close(resolve));
    expect(await ask(up.origin, 500)).toBe('refused');
  });

  it('is gone soon after nobody listens', async () => {
    const { origin, asked } = await service(() => ({ text: UP }));
    const watched = gone(origin, PATIENCE);
    expect(await isStillThere(watched, 500)).toBe(true);
    expect(asked()).toBeGreaterThan(3);
    server!.closeAllConnections();
    server!.close();
    const begin = performance.now();
    expect(await watched).toBe(`Nothing listens at ${origin} any more.`);
    expect(performance.now() - begin).toBeLessThan(PATIENCE.silent);
  });

  it('is gone where it takes connections and answers none of them, but not before it has had its time', async () => {
    const { origin } = await service(() => undefined);
    const begin = performance.now();
    expect(await gone(origin, PATIENCE)).toBe(`${origin}/health has not been answered for 3 s.`);
    expect(performance.now() - begin).toBeGreaterThan(PATIENCE.silent - 50);
  });

  it('is there as long as it answers now and then, be it slowly', async () => {
    const { origin } = await service((n) => (n % 3 === 0 ? { text: UP, afterMs: 50 } : undefined));
    expect(await isStillThere(gone(origin, PATIENCE), 4_000)).toBe(true);
  });
});
