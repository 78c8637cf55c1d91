import { describe, expect, it } from 'vitest';
import { MESSAGE_DELIVERIES } from '../../../../src/delivery/webhook/rules.ts';
import { LIMITS } from '../../../platform/limits.ts';
import { sent, slow } from '../../../platform/mail.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { deliveries, happen, newTenant, Receivers, register, registerMail, until } from './receiver.ts';

/** As long as a receiver may take, almost. */
const SLOW_MS = 12_000;
/** More than fit into one message. */
const EVENTS = 12;
const ALERTS = MESSAGE_DELIVERIES + 1;

const late = async () => {
  await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  return new Response('late');
};

describe('a receiver that answers after 12 seconds', () => {
  it('gets each event exactly once', async () => {
    const tenant = await newTenant();
    const receivers = new Receivers();
    const hook = await register(tenant);
    receivers.at(hook.url, late);
    await happen(tenant, EVENTS);
    const settled = async () =>
      (await deliveries(tenant, hook.uuid)).filter(({ status }) => status === 'SUCCEEDED').length === EVENTS;
    await until(settled, 40_000);
    const numbers = receivers.numbers(hook.url).sort((a, b) => a - b);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(numbers).toHaveLength(EVENTS);
  }, 60_000);

  it('gets each message exactly once, as a chat service and as an e-mail service', async () => {
    const dock = await loadingDock();
    const pallets = Array.from({ length: ALERTS }, (_, index) => `wrong-${index}`);
    await dock.couple(...pallets);
    const receivers = new Receivers();
    const address = `slow-${crypto.randomUUID()}@example.com`;
    const hooks = await Promise.all(['SLACK', 'TEAMS'].map((format) => register(dock, { format })));
    for (const { url } of hooks) receivers.at(url, late);
    const mail = await registerMail(dock, address);
    slow.set(address, SLOW_MS);
    for (const pallet of pallets) await dock.scan(pallet);
    const logs = () => Promise.all([...hooks, mail].map(({ uuid }) => deliveries(dock, uuid)));
    await until(
      async () =>
        (await logs()).every(
          (log) => log.length >= ALERTS && log.every(({ status }) => status === 'SUCCEEDED'),
        ),
      40_000,
    ).catch(() => undefined);
    for (const log of await logs())
      expect(log.map(({ status, attemptsCount }) => [status, attemptsCount])).toEqual(
        pallets.map(() => ['SUCCEEDED', 1]),
      );
    const bodies = hooks.map(({ url }) => receivers.of(url).map(({ body }) => body));
    const mails = sent.filter(({ to }) => to === address).map(({ text }) => text);
    for (const messages of [...bodies, mails]) {
      expect(messages).toHaveLength(ALERTS);
      expect(new Set(messages).size).toBe(ALERTS);
    }
  }, 60_000);
});

it('the deliveries of a message leave a connection for D1', () => {
  expect(MESSAGE_DELIVERIES).toBeLessThan(LIMITS.connections);
});
