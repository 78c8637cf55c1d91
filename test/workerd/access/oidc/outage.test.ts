import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { later } from '../../dispatch/device/devices.ts';
import { bindings, envOver, FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { newPerson, type Person, page } from '../session/person.ts';
import { claimsOf, comeBack, isIn, sentTo, setProvider, signInBy } from './company.ts';
import { endProviders, Provider } from './provider.ts';

let tenant: Tenant;
let admin: Person;
let provider: Provider;

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  tenant = await newTenant();
  admin = await newPerson(tenant);
  provider = new Provider();
  await setProvider(admin, provider);
  // The service has read the document to check the settings.
  provider.asked.length = 0;
  provider.claims = claimsOf(admin);
});
afterEach(endProviders);

const begin = (address?: string) =>
  page('GET', `/app/login/oidc?organization=${tenant.slug}&go=1`, {
    headers: address === undefined ? {} : { 'CF-Connecting-IP': address },
  });
const metadataAsked = (): number =>
  provider.asked.filter(({ url }) => url.endsWith('/.well-known/openid-configuration')).length;

describe('a sign-in by a company account', () => {
  it('a company sign-in can be finished after a 503 of the database', async () => {
    const { asked, cookie } = await sentTo(tenant);
    const led = provider.agree(asked);
    const { db } = failingD1({ message: FAILURES.locked, from: 1 });
    const request = new Request(led, { headers: { Cookie: `company=${cookie}` } });
    const failed = await fetchOver(envOver(db), request);
    expect([failed.status, failed.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(failed.headers.getSetCookie().filter((set) => set.startsWith('company='))).toEqual([]);
    expect(isIn(await comeBack(led, cookie))).toBe(true);
  });

  it('a company sign-in can be finished after the provider did not answer with its metadata', async () => {
    const { asked, cookie } = await sentTo(tenant);
    const led = provider.agree(asked);
    await later(5 * 60_000 + 1, async () => {
      provider.answer = () => Promise.reject(new TypeError('connection refused'));
      const failed = await comeBack(led, cookie);
      expect([failed.status, failed.headers.getSetCookie().join().includes('company=')]).toEqual([
        503,
        false,
      ]);
    });
    provider.answer = undefined;
    await later(5 * 60_000 + 20_000, async () => expect(isIn(await comeBack(led, cookie))).toBe(true));
  });
});

describe('a provider', () => {
  it('the service asks a provider for its metadata once in five minutes', async () => {
    for (let time = 0; time < 4; time += 1) expect((await begin()).status).toBe(303);
    expect(isIn(await signInBy(provider, tenant, claimsOf(admin)))).toBe(true);
    expect(metadataAsked()).toBe(1);
    await later(5 * 60_000 + 1, async () => expect((await begin()).status).toBe(303));
    expect(metadataAsked()).toBe(2);
  });

  it('the service asks a failing provider again after ten seconds', async () => {
    provider.answer = () => new Response('', { status: 500 });
    for (let time = 0; time < 4; time += 1) expect((await begin()).status).toBe(503);
    expect(metadataAsked()).toBe(1);
    provider.answer = undefined;
    await later(10_001, async () => expect((await begin()).status).toBe(303));
  });

  it('a provider that does not answer gets at most eight requests at a time', async () => {
    let answer!: (response: Response) => void;
    const waits = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    provider.answer = async () => (await waits).clone();
    const begun = Array.from({ length: 20 }, () => begin());
    await vi.waitUntil(() => metadataAsked() === 8);
    const refused = await Promise.race(begun);
    answer(new Response('', { status: 500 }));
    await Promise.all(begun);
    expect([refused.status, metadataAsked()]).toEqual([503, 8]);
  });

  it('all addresses of an IPv6 network are counted as one for a provider', async () => {
    const keys: string[] = [];
    vi.spyOn(bindings.PUBLIC_BY_ADDRESS, 'limit').mockImplementation(async ({ key }) => {
      keys.push(key);
      return { success: true };
    });
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:3::4']) await begin(address);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(2);
  });
});
