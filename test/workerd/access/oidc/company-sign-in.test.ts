import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newTenant, ORIGIN, operator, type Tenant } from '../../client.ts';
import { cookieOf, newPerson, PASSWORD, type Person, page, trySignIn } from '../session/person.ts';
import { invited, newUser, unchanged, withPassword } from '../user/users.ts';
import { comeBack, isIn, claimsOf as of, sentTo, setProvider, signInBy } from './company.ts';
import { backAt, CLIENT, endProviders, Provider } from './provider.ts';

const db = (env as unknown as { DB: D1Database }).DB;
let tenant: Tenant;
let admin: Person;
let provider: Provider;

beforeEach(async () => {
  tenant = await newTenant();
  admin = await newPerson(tenant);
  provider = new Provider();
  expect((await setProvider(admin, provider)).status).toBe(303);
});
afterEach(endProviders);

/** Set a new provider, which then gets false values in its discovery document. */
async function lying(metadata: Record<string, unknown>): Promise<void> {
  provider = new Provider();
  expect((await setProvider(admin, provider)).status).toBe(303);
  provider.metadata = metadata;
}
const newMember = (more: object = {}) =>
  newUser(tenant, invited({ authority: { authorityName: 'OPERATOR' }, ...more }));

describe('a company account', () => {
  it('a company account matches a user by verified address once and by subject afterwards', async () => {
    const user = await newMember();
    const first = await signInBy(provider, tenant, of({ email: user.email.toUpperCase() }, { sub: 's1' }));
    expect([isIn(first), first.headers.get('Location')]).toEqual([true, '/app/manifest']);
    const again = await signInBy(provider, tenant, { sub: 's1' });
    expect(isIn(again)).toBe(true);
    const headers = { Cookie: `session=${cookieOf(again, 'session')}` };
    expect((await page('GET', '/app/account', { headers })).text).toContain(user.email);
    const other = await signInBy(provider, tenant, of(user, { sub: 's2' }));
    expect([other.status, cookieOf(other, 'session')]).toEqual([403, undefined]);
    const { body } = await tenant.call('GET', '/audit-log?pageSize=20');
    const signedIn = body.content.filter(({ action }: { action: string }) => action === 'USER_SIGNED_IN');
    expect(signedIn[0].changes).toContainEqual({
      field: 'issuer',
      oldValue: null,
      newValue: provider.issuer,
    });
  });

  it('a company account ends a temporary password and asks for no new one', async () => {
    const user = await newUser(tenant, withPassword({ password: PASSWORD }));
    const shown = await signInBy(provider, tenant, of(user));
    const headers = { Cookie: `session=${cookieOf(shown, 'session')}` };
    expect((await page('GET', '/app', { headers })).headers.get('Location')).toBe('/app/board');
    expect((await page('GET', '/app/board', { headers })).status).toBe(200);
    const typed = { organization: tenant.slug, email: user.email, password: PASSWORD };
    expect((await trySignIn(typed)).status).toBe(401);
  });

  it('a company sign-in uses code, PKCE, state and nonce, and contacts its provider only', async () => {
    const { shown, asked } = await sentTo(tenant, { next: 'https://evil.example/app' });
    const url = new URL(shown.headers.get('Location')!);
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      client_id: CLIENT.id,
      scope: 'openid email',
    });
    expect(asked.state.length + asked.nonce.length).toBeGreaterThan(80);
    expect(shown.headers.get('Set-Cookie')).toMatch(
      /^company=v1\.[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/,
    );
    expect(provider.asked.every(({ redirect }) => redirect === 'manual')).toBe(true);
    for (const next of ['https://evil.example/app', '//evil.example', '/app//evil.example', '/logout']) {
      const { asked: again, cookie } = await sentTo(tenant, { next });
      provider.claims = of(admin);
      expect((await comeBack(provider.agree(again), cookie)).headers.get('Location')).toBe('/app');
    }
  });

  it('a company sign-in fails if none was started, if another one was started, and a second time', async () => {
    provider.claims = of(admin);
    const one = await sentTo(tenant);
    const two = await sentTo(tenant);
    const back = provider.agree(one.asked);
    const altered = one.cookie.replace(/.(?=.{9}$)/, (sign) => (sign === 'A' ? 'B' : 'A'));
    for (const cookie of [undefined, '', 'nonsense', altered, two.cookie]) {
      expect([cookie, (await comeBack(back, cookie)).status]).toEqual([cookie, 401]);
    }
    const elsewhere = new URL(back.pathname + back.search, 'http://other.localhost:8787');
    expect((await comeBack(elsewhere, one.cookie)).status).toBe(401);
    const returned = await comeBack(back, one.cookie);
    expect(isIn(returned)).toBe(true);
    // The browser has lost its cookie. A copy of the cookie is useless, because the code is used.
    expect(cookieOf(returned, 'company')).toBe('');
    expect((await comeBack(back, one.cookie)).status).toBe(401);
    const refused = backAt(two.asked, { error: 'access_denied', state: two.asked.state });
    expect((await comeBack(refused, two.cookie)).status).toBe(401);
  });

  it('a company sign-in expires after ten minutes at the provider', async () => {
    provider.claims = of(admin);
    const { asked, cookie } = await sentTo(tenant);
    const later = Date.now() + 10 * 60_000 + 1;
    vi.spyOn(Date, 'now').mockReturnValue(later);
    expect((await comeBack(provider.agree(asked), cookie)).text).toContain('This sign-in has expired');
  });

  it.each<[string, Record<string, unknown>]>([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: undefined }],
    ['another issuer', { iss: 'https://elsewhere.example.com' }],
    ['another audience', { aud: 'another' }],
    ['a time that is over', { exp: 1_000, iat: 900 }],
    ['no subject', { sub: undefined }],
    ['a time that is yet to come', { iat: Math.floor(Date.now() / 1_000) + 28 * 3_600, exp: 9_000_000_000 }],
  ])('a company sign-in refuses %s', async (_, claims) => {
    const shown = await signInBy(provider, tenant, of(admin, claims));
    expect([shown.status, cookieOf(shown, 'session')]).toEqual([401, undefined]);
  });

  it("a company sign-in refuses a foreign signature and another provider's answer", async () => {
    provider.forges = true;
    expect((await signInBy(provider, tenant, of(admin))).status).toBe(401);
    provider.forges = false;
    expect(isIn(await signInBy(provider, tenant, of(admin)))).toBe(true);
    for (const metadata of [
      { issuer: 'https://elsewhere.example.com' },
      { authorization_endpoint: 'javascript:alert(1)' },
      { authorization_endpoint: 'http://10.0.0.1/authorize' },
    ]) {
      await lying(metadata);
      const shown = await page('GET', `/app/login/oidc?organization=${tenant.slug}&go=1`);
      expect([metadata, shown.status, shown.headers.get('Location')]).toEqual([metadata, 503, null]);
    }
    for (const metadata of [
      { token_endpoint: 'https://10.0.0.1.example.com:8443/token' },
      { token_endpoint: 'http://169.254.169.254/token' },
      { jwks_uri: 'https://localhost/jwks' },
    ]) {
      await lying(metadata);
      expect([metadata, (await signInBy(provider, tenant, of(admin))).status]).toEqual([metadata, 401]);
      expect(provider.asked.every(({ url }) => url.startsWith(`${provider.issuer}/`))).toBe(true);
    }
  });

  it('a company sign-in does not follow redirects or read oversized answers of a provider', async () => {
    const begin = () => page('GET', `/app/login/oidc?organization=${tenant.slug}&go=1`);
    provider.answer = () => new Response(null, { status: 302, headers: { Location: 'http://10.0.0.1/' } });
    expect((await begin()).status).toBe(503);
    await lying({ service_documentation: 'x'.repeat(200 * 1024) });
    expect((await begin()).status).toBe(303);
    await lying({ service_documentation: 'x'.repeat(300 * 1024) });
    expect((await begin()).status).toBe(503);
    await lying({ jwks_uri: `${provider.issuer}/${'x'.repeat(9 * 1024)}` });
    expect((await begin()).status).toBe(503);
    await lying({});
    provider.answer = () => Promise.reject(new TypeError('connection refused'));
    expect((await begin()).status).toBe(503);
  });

  it('a company sign-in finds no user for an unverified, unknown or foreign address', async () => {
    const elsewhere = await newTenant();
    const stranger = await newUser(elsewhere, invited());
    const twin = await newMember({ email: `kiss.${crypto.randomUUID()}@a.example` });
    for (const claims of [
      of(admin, { email_verified: false }),
      of(admin, { email_verified: 'false' }),
      of(admin, { email_verified: 'TRUE' }),
      of(admin, { email_verified: 1 }),
      of(admin, { email_verified: '' }),
      of(admin, { email_verified: ['true'] }),
      of(admin, { email_verified: null }),
      of(admin, { email_verified: undefined }),
      of(admin, { email_verified: undefined, xms_edov: false }),
      of(admin, { email_verified: undefined, xms_edov: '0' }),
      of({ email: 'nobody@example.com' }),
      of(stranger),
      { sub: 'x' },
      { sub: 'x', email: '', email_verified: true },
      ...[twin.email.replace('ss', '\u00df'), twin.email.replace('kiss', '\u212aiss')].map((email) =>
        of({ email }),
      ),
      of({ email: twin.email.replace('ss', '\u017f\u017f') }),
    ]) {
      const shown = await signInBy(provider, tenant, claims);
      expect([claims, shown.status, cookieOf(shown, 'session')]).toEqual([claims, 403, undefined]);
    }
  });

  it('a company sign-in accepts a provider that writes email_verified as text', async () => {
    expect(isIn(await signInBy(provider, tenant, of(admin, { email_verified: 'true' })))).toBe(true);
  });

  it.each<[string, object, object]>([
    ['address', {}, { email_verified: true }],
    ['address and its verification as text', {}, { email_verified: 'true' }],
    ['verification', { email: true }, { email_verified: true }],
  ])('a company sign-in asks the userinfo endpoint for the %s', async (_, inToken, atEndpoint) => {
    const [sub, { email }] = ['sub of the endpoint', admin];
    provider = new Provider();
    provider.userInfo = { sub, email, ...atEndpoint };
    expect((await setProvider(admin, provider)).status).toBe(303);
    const claims = { sub, ...('email' in inToken ? { email } : {}) };
    expect(isIn(await signInBy(provider, tenant, claims))).toBe(true);
  });

  it('a company sign-in refuses claims of another subject, and an unverified address, at the userinfo endpoint', async () => {
    provider = new Provider();
    const { email } = admin;
    for (const [claims, status] of [
      [{ sub: 'another', email, email_verified: true }, 401],
      [{ sub: 's', email, email_verified: false }, 403],
      [{ sub: 's', email_verified: true }, 403],
      [{ sub: 's', email: 'other@example.com', email_verified: true }, 403],
    ] as const) {
      provider.userInfo = claims;
      await setProvider(admin, provider);
      expect((await signInBy(provider, tenant, { sub: 's' })).status).toBe(status);
    }
    // A verification of another address does not verify the address of the token.
    provider.userInfo = { sub: 's', email: 'other@example.com', email_verified: true };
    expect((await signInBy(provider, tenant, { sub: 's', email })).status).toBe(403);
  });

  it('a company sign-in finds an international address by each spelling of its domain, and by no other letters', async () => {
    await newMember({ email: 'm\u00fcller@b\u00fccher.example' });
    for (const email of [
      'muller@b\u00fccher.example',
      'M\u00dcLLER@b\u00fccher.example',
      'm\u00fcller@bucher.example',
    ]) {
      expect([email, (await signInBy(provider, tenant, of({ email }))).status]).toEqual([email, 403]);
    }
    const claims = of({ email: 'mu\u0308ller@xn--bcher-kva.example' });
    expect(isIn(await signInBy(provider, tenant, claims))).toBe(true);
  });

  it.each([true, 1, '1', 'true'])(
    'a company sign-in accepts the verified address of Entra ID by xms_edov: %j',
    async (xms_edov) => {
      const claims = of(admin, { email_verified: undefined, xms_edov });
      expect(isIn(await signInBy(provider, tenant, claims))).toBe(true);
    },
  );

  it('a company sign-in begins from our own link or a typed address and asks first after a foreign link', async () => {
    for (const [site, status] of [
      ['same-origin', 303],
      ['none', 303],
      ['same-site', 200],
      ['cross-site', 200],
    ] as const) {
      for (const origin of [ORIGIN, `http://${tenant.slug}.localhost:8787`]) {
        const path = `${origin}/app/login/oidc?organization=${tenant.slug}&go=1`;
        const shown = await page('GET', path, { headers: { 'Sec-Fetch-Site': site } });
        expect([origin, site, shown.status, cookieOf(shown, 'company') === undefined]).toEqual([
          origin,
          site,
          status,
          status === 200,
        ]);
      }
    }
  });

  it('a company sign-in ends with its user: deleted, erased, or with another address', async () => {
    const ends: Record<string, (uuid: string) => Promise<unknown>> = {
      deleted: (uuid) => tenant.call('DELETE', `/user/${uuid}`),
      erased: (uuid) => tenant.call('DELETE', `/user/${uuid}?erase=true`),
      moved: async (uuid) => {
        const { body } = await tenant.call('GET', `/user/${uuid}`);
        return tenant.call('PUT', `/user/${uuid}`, unchanged(body, { email: 'next@example.com' }));
      },
    };
    for (const [how, end] of Object.entries(ends)) {
      const user = await newMember();
      expect([how, isIn(await signInBy(provider, tenant, of(user)))]).toEqual([how, true]);
      await end(user.uuid);
      expect([how, (await signInBy(provider, tenant, of(user))).status]).toEqual([how, 403]);
      const left = await db.prepare('SELECT 1 FROM identity WHERE user_uuid = ?1').bind(user.uuid).all();
      expect([how, left.results]).toEqual([how, []]);
    }
  });

  it('a company sign-in admits no user of a suspended organization or without the permission', async () => {
    await operator('PUT', `/organization/${tenant.uuid}/authority/NOTHING`, { permissions: [] });
    const user = await newMember({ authority: { authorityName: 'NOTHING' } });
    expect((await signInBy(provider, tenant, of(user))).status).toBe(403);
    const { asked, cookie } = await sentTo(tenant);
    await operator('POST', `/organization/${tenant.uuid}/suspend`);
    provider.claims = of(admin);
    const shown = await comeBack(provider.agree(asked), cookie);
    expect([shown.status, cookieOf(shown, 'session')]).toEqual([403, undefined]);
  });
});

describe('the permission to set the company account', () => {
  it('only a user with every permission can set the company account', async () => {
    const lead = await newPerson(tenant, 'OPERATOR');
    expect((await lead.get('/app/company-account')).status).toBe(403);
    expect((await setProvider(lead, provider)).status).toBe(403);
  });

  it('the client secret never appears again, nor in log, events or rows', async () => {
    const shown = await admin.get('/app/company-account');
    expect([shown.status, shown.text.includes(provider.issuer)]).toEqual([200, true]);
    const { results } = await db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .all<{ name: string }>();
    const rows = await db.batch(results.map(({ name }) => db.prepare(`SELECT * FROM ${name}`)));
    for (const text of [shown.text, JSON.stringify(rows.map((table) => table.results))]) {
      expect(text).not.toContain(CLIENT.secret);
    }
  });

  it.each([
    'http://id.example.com',
    'https://10.0.0.1',
    'https://id.example.com:8443',
    'https://localhost',
    'https://id.example.com/?x=1',
    'https://id.example.com/?',
    'https://id.example.com/#x',
    'id',
  ])('the company account refuses a provider at %s', async (issuer) => {
    const refused = await setProvider(admin, provider, { issuer });
    expect([refused.status, refused.text.includes(CLIENT.secret)]).toEqual([400, false]);
  });

  it('the company account ends passwords only after a successful sign-in and never by accident', async () => {
    const typed = { organization: tenant.slug, email: admin.email, password: PASSWORD };
    const only = { clientSecret: '', onlyCompany: 'yes' };
    expect((await setProvider(admin, provider, only)).status).toBe(400);
    expect((await trySignIn(typed)).status).toBe(303);
    await signInBy(provider, tenant, of(admin));
    expect((await setProvider(admin, provider, only)).status).toBe(303);
    expect((await trySignIn(typed)).status).toBe(401);
    expect(isIn(await signInBy(provider, tenant, of(admin)))).toBe(true);
    // The new client was not tested by a sign-in, and its secret may be wrong.
    expect((await setProvider(admin, provider, { ...only, clientSecret: 'another' })).status).toBe(400);
    expect((await setProvider(admin, provider, { clientSecret: 'another' })).status).toBe(303);
    expect((await trySignIn(typed)).status).toBe(303);
    expect((await admin.agree('/app/company-account', 'remove')).status).toBe(303);
    expect((await page('GET', `/app/login/oidc?organization=${tenant.slug}&go=1`)).status).toBe(200);
  });

  it('a client secret never goes to another issuer, and another client matches users again', async () => {
    const user = await newMember();
    expect(isIn(await signInBy(provider, tenant, of(user, { sub: 'as the first client knows them' })))).toBe(
      true,
    );
    const refused = await setProvider(admin, provider, {
      issuer: 'https://other.example.com',
      clientSecret: '',
    });
    expect([refused.status, refused.text.includes('Enter the client secret of the new provider')]).toEqual([
      400,
      true,
    ]);
    expect((await setProvider(admin, provider, { clientSecret: '' })).status).toBe(303);
    const again = of(user, { sub: 'as another client knows them' });
    expect((await signInBy(provider, tenant, again)).status).toBe(403);
    const before = { ...CLIENT };
    CLIENT.id = 'another';
    try {
      expect((await setProvider(admin, provider, { clientId: CLIENT.id, clientSecret: '' })).status).toBe(
        303,
      );
      expect(isIn(await signInBy(provider, tenant, again))).toBe(true);
    } finally {
      Object.assign(CLIENT, before);
    }
  });
});
