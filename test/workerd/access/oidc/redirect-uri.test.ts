import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { cookieOf, newPerson, type Person, page } from '../session/person.ts';
import { invited, newUser } from '../user/users.ts';
import { claimsOf, comeBack, isIn, sentTo, setProvider } from './company.ts';
import { type Asked, backAt, endProviders, Provider } from './provider.ts';

const CALLBACK_PATH = '/app/login/oidc/callback';

let tenant: Tenant;
let admin: Person;
let provider: Provider;

/** A new organization with its own provider. */
async function company(): Promise<{ tenant: Tenant; admin: Person; provider: Provider }> {
  const own = await newTenant();
  const person = await newPerson(own);
  const its = new Provider();
  expect((await setProvider(person, its)).status).toBe(303);
  return { tenant: own, admin: person, provider: its };
}

beforeEach(async () => {
  ({ tenant, admin, provider } = await company());
});
afterEach(endProviders);

const pathOf = ({ redirectUri }: Pick<Asked, 'redirectUri'>): string => new URL(redirectUri).pathname;
const settings = async (): Promise<string> => (await admin.get('/app/company-account')).text;
const shownUri = async (): Promise<string> => /<code>([^<]+)<\/code>/.exec(await settings())![1]!;

describe('an evil provider that leads its visitor on to the honest provider of another organization', () => {
  it.each(['the honest one', 'its own'])(
    'an evil provider gets no code of an honest provider, with the redirect URI %s',
    async (which) => {
      const evil = await company();
      const victim = await newUser(tenant, invited({ authority: { authorityName: 'OPERATOR' } }));
      provider.claims = claimsOf(victim);
      // The owner of the evil provider starts a sign-in at the honest one, and keeps its parameters.
      const owner = await sentTo(tenant);
      // The victim starts at the evil provider. That sends the victim to the honest provider, with the
      // owner's parameters.
      const { asked, cookie } = await sentTo(evil.tenant);
      const uris: Record<string, string> = {
        'the honest one': owner.asked.redirectUri,
        // As if the honest provider accepted any redirect URI of this host.
        'its own': asked.redirectUri,
      };
      const led = provider.agree({ ...owner.asked, state: asked.state, redirectUri: uris[which]! });
      const returned = await comeBack(led, cookie);
      expect([returned.status, cookieOf(returned, 'session')]).toEqual([401, undefined]);
      // The owner learns the code if the service has sent it to the evil provider.
      const code = evil.provider.codesTaken > 0 ? led.searchParams.get('code')! : 'unknown';
      const answer = { code, state: owner.asked.state };
      const stolen = await comeBack(backAt(owner.asked, answer), owner.cookie);
      expect([stolen.status, cookieOf(stolen, 'session')]).toEqual([401, undefined]);
      // Even a provider that accepts any redirect URI is safe, because its code is valid only with that
      // URI.
      expect(evil.provider.codesTaken).toBe(which === 'its own' ? 1 : 0);
    },
  );
});

describe('the redirect URI of a company account', () => {
  it('each issuer of each organization has its own redirect URI, shown with a copy button', async () => {
    const { asked } = await sentTo(tenant);
    expect(pathOf(asked)).toMatch(/^\/app\/login\/oidc\/callback\/[0-9a-f-]{36}$/);
    expect(await shownUri()).toBe(asked.redirectUri);
    expect(await settings()).toContain('data-copy');
    const other = await newTenant();
    const its = await newPerson(other);
    expect((await its.get('/app/company-account')).text).toContain('Save the settings first.');
    await setProvider(its, provider);
    expect((await sentTo(other)).asked.redirectUri).not.toBe(asked.redirectUri);
    const next = new Provider();
    await setProvider(admin, next);
    expect((await sentTo(tenant)).asked.redirectUri).not.toBe(asked.redirectUri);
    // The redirect URI that was registered with the first provider leads only to it, also later.
    await setProvider(admin, provider);
    expect((await sentTo(tenant)).asked.redirectUri).toBe(asked.redirectUri);
    await setProvider(admin, provider, { clientId: 'another' });
    expect((await sentTo(tenant)).asked.redirectUri).toBe(asked.redirectUri);
  });

  it('a company sign-in refuses a browser that returns to another redirect URI', async () => {
    const { asked, cookie } = await sentTo(tenant);
    provider.claims = claimsOf(admin);
    const led = provider.agree(asked);
    for (const path of [`${CALLBACK_PATH}/${crypto.randomUUID()}`, `${CALLBACK_PATH}/x`]) {
      expect([path, (await comeBack(new URL(`${path}${led.search}`, led), cookie)).status]).toEqual([
        path,
        401,
      ]);
    }
    expect(provider.codesTaken).toBe(0);
    expect(isIn(await comeBack(led, cookie))).toBe(true);
  });

  it('a changed issuer ends the sign-ins that began at the former one', async () => {
    const { asked, cookie } = await sentTo(tenant);
    const next = new Provider();
    await setProvider(admin, next);
    provider.claims = claimsOf(admin);
    expect((await comeBack(provider.agree(asked), cookie)).status).toBe(401);
    expect([provider.codesTaken, next.codesTaken]).toEqual([0, 0]);
  });
});

it('no sign-in begins at an organization without a company account', async () => {
  await admin.agree('/app/company-account', 'remove');
  const shown = await page('GET', `/app/login/oidc?organization=${tenant.slug}&go=1`);
  expect(shown.status).toBe(200);
});
