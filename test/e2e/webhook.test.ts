import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newTenant, type Tenant } from './client.ts';
import { Receivers } from './receivers.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

/** If a kill hits claimed deliveries, they continue within this time: a claim of 20 s ends, and the next sweep comes. */
const TAKEN_UP_MS = 27_000;
/** After any restart, delivery continues within this time: queued deliveries are queued again after 30 s. */
const TAKEN_UP_MAXIMUM_MS = 60_000;
const KILLS = 3;
/** A kill may hit no claimed deliveries, so the test kills until it has seen this many taken up, up to a maximum. */
const TAKEN_UP_MINIMUM = 2;
const KILLS_MAXIMUM = 10;

let service: Service;
let receivers: Receivers;
let tenant: Tenant;
beforeAll(async () => {
  receivers = await Receivers.start();
  service = await ownService({ environment: { WEBHOOK_RETRY_DIVISOR: '50', REQUEST_LOG: 'true' } });
  tenant = await newTenant(service, 'hooks');
});
afterAll(async () => {
  receivers.stop();
  await service.dispose();
});

const register = async (path: string) =>
  (await tenant.send({ method: 'POST', path: '/webhook', json: { name: path, url: receivers.url(path) } }))
    .json;
let manifests = 0;
const happen = () => {
  manifests += 1;
  return tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier: `M${manifests}` } });
};
const log = async (): Promise<number[]> =>
  (await tenant.get('/event?limit=1000')).json.content.map(
    (event: { sequenceNumber: number }) => event.sequenceNumber,
  );

it('every webhook receives every event although the service is killed at any instant', async () => {
  const paths = ['/good', '/redirects', '/fails-first'];
  const secrets = new Map<string, string>();
  for (const path of paths) secrets.set(path, (await register(path)).secret);
  receivers.at('/redirects', (response) => {
    const done = receivers.received.filter(({ path }) => path === '/redirects').length % 2 === 0;
    response.writeHead(done ? 200 : 308, { Location: receivers.url('/trap') }).end();
  });
  receivers.at('/fails-first', (response) => {
    const got = receivers.received.filter(({ path }) => path === '/fails-first').length;
    response.writeHead(got % 3 === 0 ? 200 : 500).end();
  });
  let takenUp = 0;
  for (let kill = 0; kill < KILLS || takenUp < TAKEN_UP_MINIMUM; kill += 1) {
    expect(kill, `${takenUp} restarts took up claimed deliveries`).toBeLessThan(KILLS_MAXIMUM);
    let answered = 0;
    const write = () =>
      happen()
        .then(() => (answered += 1))
        .catch(() => undefined);
    const writes = Array.from({ length: 40 }, write);
    while (answered < 4 + 6 * (kill % KILLS)) await sleep(5);
    // Kill all processes, as a power cut does, or only the process that runs the Worker.
    const isPowerCut = kill % 2 === 0;
    await (isPowerCut ? service.kill() : service.crash());
    const before = receivers.received.length;
    await (isPowerCut ? service.start() : service.recovered());
    await Promise.all(writes);
    const begin = performance.now();
    // No request arrives, so an alarm must wake the service.
    while (receivers.received.length === before) {
      expect(performance.now() - begin).toBeLessThan(TAKEN_UP_MAXIMUM_MS);
      await sleep(20);
    }
    if (performance.now() - begin < TAKEN_UP_MS) takenUp += 1;
  }
  const all = await log();
  const deadline = performance.now() + 120_000;
  while (paths.some((path) => receivers.numbers(path).length < all.length) && performance.now() < deadline) {
    await sleep(100);
  }
  for (const path of paths) expect([path, receivers.numbers(path)]).toEqual([path, all]);
  expect(all.length).toBeGreaterThan(KILLS);
  expect(receivers.numbers('/trap')).toEqual([]);
  for (const { path, body, headers } of receivers.received) {
    expect(() =>
      new Webhook(secrets.get(path)!).verify(body, headers as Record<string, string>),
    ).not.toThrow();
  }
});

it('a webhook receiver in the test prints its requests on demand', async () => {
  await tenant.get('/gate');
  const line = '"route":"/integration/rest/api/v1/gate","status":200';
  await vi.waitFor(() => expect(service.output).toContain(line), 5_000);
});
