import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signed } from '../../../src/client/index.ts';
import { newTenant, type Served, type Tenant } from '../client.ts';
import { freePort } from '../ports.ts';
import { Receivers } from '../receivers.ts';
import { sharedService } from '../shared.ts';
import { Between, present, Receiver, run } from './sample-runs.ts';

const MANIFESTS = 105;
const ORDER = { externalIdentifier: 'ORDER-10248' };

let service: Served;
beforeAll(async () => {
  service = await sharedService();
});

const create = (tenant: Tenant, json: object) => tenant.send({ method: 'POST', path: '/manifest', json });

describe.each(present)('the samples in $language', (language) => {
  let tenant: Tenant;
  let proxy: Between;
  const environment = () => ({ BASE_URL: proxy.origin, API_KEY: tenant.key });
  beforeAll(async () => {
    tenant = await newTenant(service, `samples-${language.language.toLowerCase()}`);
    proxy = await Between.before(service.origin);
  });
  afterAll(() => proxy.stop());
  const attempts = async (play: () => Promise<void>): Promise<number> => {
    const before = proxy.requests.length;
    await play();
    return proxy.requests.length - before;
  };

  it('authentication lists the gates with a valid key, and fails with a wrong one', async () => {
    const ran = await run('authentication', language, environment());
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.output).toContain('G1');
    const refused = await run('authentication', language, { ...environment(), API_KEY: 'wdk_wrong' });
    expect(refused.code).not.toBe(0);
    expect(refused.output + refused.errors).toContain('unauthorized');
  });

  it('retries create one manifest after a 503 and a lost answer, with the same key', async () => {
    const first = proxy.requests.length;
    proxy.intercept = async (response, number, forward) => {
      if (number === first + 1) response.writeHead(503, { 'Retry-After': '0' }).end('{}');
      // The service does the work, but its answer is lost.
      else if (number === first + 2) await forward().then(() => response.destroy());
      else return false;
      return true;
    };
    const ran = await run('retries', language, environment());
    proxy.intercept = async () => false;
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.output).toContain('ORDER-10248');
    const keys = proxy.requests.slice(first).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(Array.from({ length: 3 }, () => 'create-ORDER-10248'));
    expect((await tenant.get('/manifest')).json.totalElements).toBe(1);
  });

  it('retries get the first answer for a second run, and do not repeat a refusal', async () => {
    const again = await run('retries', language, environment());
    expect(again).toMatchObject({ code: 0 });
    expect((await tenant.get('/manifest')).json.totalElements).toBe(1);
    const wrong = { ...environment(), API_KEY: 'wdk_wrong' };
    let refused = again;
    const sent = await attempts(async () => {
      refused = await run('retries', language, wrong);
    });
    expect(refused.code).not.toBe(0);
    expect(refused.output + refused.errors).toContain('unauthorized');
    expect(sent).toBe(1);
  });

  it('If-Match reads again after a 412, and replaces the pallets', async () => {
    const first = proxy.requests.length;
    proxy.intercept = async (_, number) => {
      // Another client changes the manifest between the first read and the first write.
      if (number === first + 2)
        await tenant.send({ method: 'PUT', path: '/manifest/ORDER-10248', json: { assets: ['OTHER'] } });
      return false;
    };
    const ran = await run('if-match', language, environment());
    proxy.intercept = async () => false;
    expect(ran).toMatchObject({ code: 0 });
    const calls = proxy.requests.slice(first).map(({ method, headers }) => [method, headers['if-match']]);
    expect(calls.map(([method]) => method)).toEqual(['GET', 'PUT', 'GET', 'PUT']);
    expect(calls[1]![1]).not.toBe(calls[3]![1]);
    const assets = await tenant.get('/manifest/ORDER-10248/asset');
    expect(assets.text).toContain('PALLET-2');
    expect(assets.text).not.toContain('OTHER');
  });

  it('list prints every manifest of several pages once', async () => {
    const all = Array.from({ length: MANIFESTS }, (_, index) => `LIST-${String(index).padStart(3, '0')}`);
    await Promise.all(all.map((externalIdentifier) => create(tenant, { externalIdentifier })));
    // The links of the service lead past the proxy, so the program asks the service itself.
    const ran = await run('list', language, { ...environment(), BASE_URL: service.origin });
    expect(ran).toMatchObject({ code: 0 });
    const printed = [...ran.output.matchAll(/LIST-\d+|ORDER-10248/g)].map(([name]) => name);
    expect(printed.toSorted()).toEqual([...all, ORDER.externalIdentifier].toSorted());
  });

  it('verification accepts a delivery of the service, and refuses it tampered, old or signed by another secret', async () => {
    const receivers = await Receivers.start();
    const json = { name: 'Sample', url: receivers.url('/'), eventTypes: [] };
    const webhook = (await tenant.send({ method: 'POST', path: '/webhook', json })).json;
    await create(tenant, { externalIdentifier: 'FOR-WEBHOOK' });
    while (receivers.received.length === 0) await sleep(50);
    // During a rotation, a delivery has two signatures.
    const rotated = await tenant.send({ method: 'POST', path: `/webhook/${webhook.uuid}/rotate-secret` });
    const before = receivers.received.length;
    await tenant.send({ method: 'POST', path: `/webhook/${webhook.uuid}/test`, json: {} });
    while (receivers.received.length === before) await sleep(50);
    receivers.stop();
    const [first, test] = [receivers.received[0]!, receivers.received.at(-1)!];
    expect(String(test.headers['webhook-signature']).split(' ')).toHaveLength(2);

    const verify = await verifier(language, webhook.secret);
    // These signatures are correct, so only the time is wrong.
    const signedAt = (seconds: number) =>
      signed(webhook.secret, 'timed', first.body, new Date(Date.now() + 1_000 * seconds));
    expect({
      first: await verify.accepts(first.headers, first.body),
      again: await verify.accepts(first.headers, first.body),
      two: await verify.accepts(test.headers, test.body),
      tampered: await verify.accepts(first.headers, first.body.replace('FOR-WEBHOOK', 'FOR-NOBODY')),
      anotherId: await verify.accepts({ ...first.headers, 'webhook-id': 'another' }, first.body),
      old: await verify.accepts(signedAt(-400), first.body),
      future: await verify.accepts(signedAt(400), first.body),
      recent: await verify.accepts(signedAt(-200), first.body),
      noNumber: await verify.accepts({ ...first.headers, 'webhook-timestamp': 'x' }, first.body),
      unsigned: await verify.accepts({ ...first.headers, 'webhook-signature': 'v1,' }, first.body),
    }).toEqual({
      ...{ first: true, again: true, two: true, recent: true },
      ...{ tampered: false, anotherId: false, old: false, future: false, noNumber: false, unsigned: false },
    });
    // A receiver prints an event once, although the delivery came twice.
    const ids = verify.printed().trim().split('\n');
    const id = first.headers['webhook-id'];
    if (language.language !== 'curl') expect(ids).toEqual([id, test.headers['webhook-id'], 'timed']);
    verify.stop();
    const other = await verifier(language, rotated.json.secret);
    expect([
      await other.accepts(first.headers, first.body),
      await other.accepts(test.headers, test.body),
    ]).toEqual([false, true]);
    other.stop();
  });
});

/** The sample that verifies webhooks: a program for each delivery in curl, otherwise a server. */
async function verifier(language: (typeof present)[number], secret: string) {
  type Headers = Record<string, string | string[] | undefined>;
  const own = (headers: Headers) =>
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => [name, String(headers[name])] as const,
    );
  if (language.language === 'curl') {
    let printed = '';
    return {
      async accepts(headers: Headers, body: string): Promise<boolean> {
        const variables = own(headers).map(([name, value]) => [name.toUpperCase().replace('-', '_'), value]);
        const environment = { WEBHOOK_SECRET: secret, ...Object.fromEntries(variables) };
        const ran = await run('verify-webhook', language, environment, body);
        printed += ran.output;
        return ran.code === 0;
      },
      printed: () => printed,
      stop: () => undefined,
    };
  }
  const receiver = await Receiver.start(language, secret, await freePort());
  return {
    async accepts(headers: Headers, body: string): Promise<boolean> {
      const answer = await fetch(receiver.url, {
        method: 'POST',
        headers: Object.fromEntries(own(headers)),
        body,
      });
      return answer.status === 204;
    },
    printed: () => receiver.output,
    stop: () => receiver.stop(),
  };
}
