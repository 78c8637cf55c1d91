import { afterEach, beforeEach, expect, it } from 'vitest';
import { deliveries, happen, newTenant, Receivers, register, until, verify } from './receiver.ts';

let receivers: Receivers;
beforeEach(() => {
  receivers = new Receivers();
});
afterEach(() => receivers.restore());

it('delivers each event as the log shows it, signed so that the official library verifies it', async () => {
  const tenant = await newTenant();
  await happen(tenant);
  const hook = await register(tenant);
  receivers.at(hook.url, 204);
  await happen(tenant, 2);
  await until(() => receivers.of(hook.url).length === 2);
  const { body: log } = await tenant.call('GET', '/event?afterSequence=1');
  for (const received of receivers.of(hook.url)) {
    const event = verify(hook.secret, received);
    expect(log.content).toContainEqual(event);
    expect(received.headers.get('webhook-id')).toBe(received.event.eventIdentifier);
    expect(received.redirect).toBe('manual');
  }
  expect(receivers.numbers(hook.url)).toEqual([2, 3]);
  await until(async () =>
    (await deliveries(tenant, hook.uuid)).every(({ status }) => status === 'SUCCEEDED'),
  );
  console.log(JSON.stringify(await deliveries(tenant, hook.uuid)));
});
