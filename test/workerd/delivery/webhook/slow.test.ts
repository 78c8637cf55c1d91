import { expect, it } from 'vitest';
import { MESSAGE_DELIVERIES } from '../../../../src/delivery/webhook/dispatch.ts';
import { LIMITS } from '../../../platform/limits.ts';
import { deliveries, happen, newTenant, Receivers, register, until } from './receiver.ts';

/** As long as a receiver may take, almost. */
const SLOW_MS = 12_000;
/** More than fit into one message. */
const EVENTS = 12;

it('a receiver that answers after 12 seconds gets each event exactly once', async () => {
  const tenant = await newTenant();
  const receivers = new Receivers();
  const hook = await register(tenant);
  receivers.at(hook.url, async () => {
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
    return new Response('late');
  });
  await happen(tenant, EVENTS);
  const settled = async () =>
    (await deliveries(tenant, hook.uuid)).filter(({ status }) => status === 'SUCCEEDED').length === EVENTS;
  await until(settled, 40_000);
  const numbers = receivers.numbers(hook.url).sort((a, b) => a - b);
  expect(numbers).toEqual([...new Set(numbers)]);
  expect(numbers).toHaveLength(EVENTS);
}, 60_000);

it('the deliveries of a message leave a connection for D1', () => {
  expect(MESSAGE_DELIVERIES).toBeLessThan(LIMITS.connections);
});
