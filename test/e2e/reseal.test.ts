import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newTenant, operator, type Tenant } from './client.ts';
import { Receivers } from './receivers.ts';
import type { Service } from './service.ts';
import { ownService } from './shared.ts';

const [FORMER, NEXT] = ['local-the-key-there-was', 'local-the-key-that-comes-next'];
const HOOKS = 12;
const KILLS = 3;

let service: Service;
let receivers: Receivers;
let tenant: Tenant;
beforeAll(async () => {
  receivers = await Receivers.start();
  service = await ownService({ environment: { WEBHOOK_RETRY_DIVISOR: '50', SEALING_KEY: FORMER } });
  tenant = await newTenant(service, 'sealed');
});
afterAll(async () => {
  receivers.stop();
  await service.dispose();
});

/** Runs the schedule of every minute now. */
const schedule = () =>
  fetch(`${service.origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`).then((answer) =>
    answer.text(),
  );
const sealedOtherwise = async (): Promise<number> => {
  const { text } = await operator(service, 200, { method: 'GET', path: '/metrics' });
  const samples = [...text.matchAll(/webhooks_sealed_with_another_key\{.*\} (\d+)/g)];
  // A database has no value until it was measured with the current key.
  return samples.length < 2 ? HOOKS : samples.reduce((sum, [, value]) => sum + Number(value), 0);
};
const happen = (externalIdentifier: string) =>
  tenant.send({ method: 'POST', path: '/manifest', json: { externalIdentifier } });

it('every receiver continues while SEALING_KEY is rotated and the service is killed', async () => {
  const secrets = new Map<string, string>();
  for (let index = 0; index < HOOKS; index += 1) {
    const path = `/sealed-${index}`;
    const json = {
      name: path,
      url: receivers.url(path),
      customHeaders: [{ name: 'Authorization', value: `Bearer ${path}` }],
    };
    const answer = await tenant.send({ method: 'POST', path: '/webhook', json });
    secrets.set(path, answer.json.secret);
  }
  /** Checks that every receiver gets the event, signed with its own secret and with its own header. */
  const expectDelivery = async (externalIdentifier: string): Promise<void> => {
    await happen(externalIdentifier);
    const got = () =>
      receivers.received.filter(({ body }) => JSON.parse(body).entityExternalId === externalIdentifier);
    for (const end = performance.now() + 60_000; got().length < HOOKS && performance.now() < end; ) {
      await sleep(50);
    }
    expect([...new Set(got().map(({ path }) => path))].sort()).toEqual([...secrets.keys()].sort());
    for (const { path, headers, body } of got()) {
      new Webhook(secrets.get(path)!).verify(body, headers as Record<string, string>);
      expect(headers['authorization']).toBe(`Bearer ${path}`);
    }
  };
  await expectDelivery('with the former key');
  await service.kill();
  await service.start({ SEALING_KEY: NEXT, SEALING_KEY_PREVIOUS: FORMER });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const run = schedule().catch(() => undefined);
    await sleep(15 * (kill + 1));
    await service.crash();
    await run;
    await service.recovered();
  }
  await expectDelivery('with both');
  while ((await sealedOtherwise()) > 0) await schedule();
  await service.kill();
  await service.start({ SEALING_KEY: NEXT });
  await expectDelivery('with the next key');
});
