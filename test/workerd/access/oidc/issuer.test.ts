import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { newPerson, PASSWORD, type Person, trySignIn } from '../session/person.ts';
import { claimsOf, isIn, setProvider, signInBy } from './company.ts';
import { endProviders, Provider } from './provider.ts';

let tenant: Tenant;
let admin: Person;
let provider: Provider;

beforeEach(async () => {
  tenant = await newTenant();
  admin = await newPerson(tenant);
  provider = new Provider();
});
afterEach(endProviders);

/** The issuer that the page shows as the current setting. */
async function storedIssuer(): Promise<string | undefined> {
  const { text } = await admin.get('/app/company-account');
  return /name="issuer"[^>]*value="([^"]*)"|value="([^"]*)"[^>]*name="issuer"/
    .exec(text)
    ?.slice(1)
    .find(Boolean);
}
const saved = (issuer: string, more: Record<string, string> = {}) => setProvider(admin, { issuer }, more);

describe('the issuer of a company account', () => {
  it.each([
    ['with blanks around it', (issuer: string) => ` \t${issuer}\n`],
    ['with invisible characters', (issuer: string) => `\u200b${issuer}\u2060`],
    [
      'as the URL of its well-known document',
      (issuer: string) => `${issuer}/.well-known/openid-configuration`,
    ],
    [
      'as that URL with blanks and a slash',
      (issuer: string) => ` ${issuer}/.well-known/openid-configuration/ `,
    ],
  ])('an issuer that is entered %s is saved as the provider names it', async (_, spelt) => {
    expect((await saved(spelt(provider.issuer))).status).toBe(303);
    expect(await storedIssuer()).toBe(provider.issuer);
    expect(isIn(await signInBy(provider, tenant, claimsOf(admin)))).toBe(true);
  });

  it('an issuer with a path and a slash at its end is found from the URL of its document', async () => {
    provider.path = '/application/o/dispatch/';
    const own = `${provider.issuer}/application/o/dispatch/`;
    expect((await saved(`${own}.well-known/openid-configuration`)).status).toBe(303);
    expect(await storedIssuer()).toBe(own);
    const refused = await saved(own.slice(0, -1));
    expect([refused.status, refused.text.includes(`calls itself ${own}.`)]).toEqual([400, true]);
  });

  it('an issuer with another name than its document is refused, and the page shows the right one', async () => {
    provider.metadata = { issuer: 'https://elsewhere.example.com/tenant' };
    for (const typed of [provider.issuer, `${provider.issuer}/.well-known/openid-configuration`]) {
      const refused = await saved(typed);
      expect([refused.status, refused.text.includes('https://elsewhere.example.com/tenant')]).toEqual([
        400,
        true,
      ]);
    }
    expect(await storedIssuer()).toBeUndefined();
    // Only the named issuer was not asked.
    expect(provider.asked.every(({ url }) => url.startsWith(provider.issuer))).toBe(true);
  });

  it.each([
    ['https://id.example.com/?x=1', 'contains no'],
    ['https://10.0.0.1', 'must have a public host'],
    ['http://id.example.com/oauth2/default', 'must have a public host'],
    ['https://login.microsoftonline.com/{tenantid}/v2.0', 'template for many tenants'],
  ])('the page shows the issuer %s of the document, and why it cannot be used', async (issuer, reason) => {
    provider.metadata = { issuer };
    const refused = await saved(provider.issuer);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`calls itself ${issuer}.`);
    expect(refused.text).toContain(reason);
    expect(await storedIssuer()).toBeUndefined();
  });

  it.each([
    ['a name that is not a URL', { issuer: 'dispatch' }],
    ['a name with a line break', { issuer: 'https://id.example.com/a\nb' }],
    ['a name that is very long', { issuer: `https://id.example.com/${'x'.repeat(600)}` }],
    ['no name', { issuer: undefined }],
    ['too many bytes', { service_documentation: 'x'.repeat(300 * 1024) }],
    ['too long metadata', { jwks_uri: `https://id.example.com/${'x'.repeat(9 * 1024)}` }],
  ])('an issuer with a document that has %s is refused as unreadable', async (_, metadata) => {
    provider.metadata = metadata;
    const refused = await saved(provider.issuer);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`cannot read ${provider.issuer}/.well-known/openid-configuration`);
    expect(refused.text).not.toContain('x'.repeat(501));
    expect(await storedIssuer()).toBeUndefined();
  });

  it.each([
    ['does not exist', () => new Response('nothing', { status: 404 })],
    ['fails', () => new Response('', { status: 500 })],
    ['redirects', () => new Response(null, { status: 302, headers: { Location: 'http://10.0.0.1/' } })],
    ['is no JSON', () => new Response('<html>', { headers: { 'Content-Type': 'text/html' } })],
    ['cannot be reached', () => Promise.reject(new TypeError('connection refused'))],
    ['does not end in time', () => Promise.reject(new DOMException('timed out', 'TimeoutError'))],
  ])('an issuer with a document that %s is refused', async (_, answer) => {
    provider.answer = answer;
    const refused = await saved(provider.issuer);
    expect([refused.status, refused.text.includes('cannot read')]).toEqual([400, true]);
    expect(provider.asked).toHaveLength(1);
  });

  it('the service waits ten seconds for the document of an issuer', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await saved(provider.issuer);
    expect(timeout).toHaveBeenCalledWith(10_000);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'an issuer with a document that has no public %s is refused by the name of the member',
    async (name) => {
      for (const value of [undefined, 'http://10.0.0.1/x', 'https://localhost/x', 'javascript:alert(1)']) {
        provider.metadata = { [name]: value };
        const refused = await saved(provider.issuer);
        expect([value, refused.status, refused.text.includes(`no usable ${name}`)]).toEqual([
          value,
          400,
          true,
        ]);
      }
    },
  );

  it.each([
    'https://login.microsoftonline.com/{tenantid}/v2.0',
    'https://login.microsoftonline.com/%7Btenantid%7D/v2.0',
    'https://login.microsoftonline.com/<tenant>/v2.0/.well-known/openid-configuration',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.us/organizations/v2.0/.well-known/openid-configuration',
  ])('the template %s is refused with an explanation, without a request', async (issuer) => {
    const asked = vi.mocked(globalThis.fetch).mock.calls.length;
    const refused = await saved(issuer);
    expect([refused.status, refused.text.includes('template for many tenants')]).toEqual([400, true]);
    expect(vi.mocked(globalThis.fetch).mock.calls.length).toBe(asked);
  });

  it.each([
    'http://id.example.com',
    'https://10.0.0.1',
    'https://localhost',
    'https://a@id.example.com',
    'https://[::1]',
  ])('the service sends no request to an issuer at %s', async (issuer) => {
    for (const typed of [issuer, ` ${issuer}/.well-known/openid-configuration`]) {
      const refused = await saved(typed);
      expect([refused.status, refused.text.includes('must have a public host')]).toEqual([400, true]);
    }
    expect(provider.asked).toEqual([]);
  });

  it('a company account that has worked can allow passwords again while its provider is down', async () => {
    expect((await saved(provider.issuer)).status).toBe(303);
    expect(isIn(await signInBy(provider, tenant, claimsOf(admin)))).toBe(true);
    expect((await saved(provider.issuer, { clientSecret: '', onlyCompany: 'yes' })).status).toBe(303);
    provider.answer = () => Promise.reject(new TypeError('connection refused'));
    expect((await saved(` ${provider.issuer}`, { clientSecret: '' })).status).toBe(303);
    const typed = { organization: tenant.slug, email: admin.email, password: PASSWORD };
    expect((await trySignIn(typed)).status).toBe(303);
  });
});
