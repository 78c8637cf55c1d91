import type { Tenant } from '../../client.ts';
import { cookieOf, type Person, page, type Shown } from '../session/person.ts';
import { type Asked, CLIENT, type Provider } from './provider.ts';

/** Have an administrator set the provider of the organization. */
export const setProvider = (
  admin: Person,
  { issuer }: Pick<Provider, 'issuer'>,
  more: Record<string, string> = {},
): Promise<Shown> =>
  admin.post('/app/company-account', 'put', {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    ...more,
  });

/** A browser on its way to the provider: what it was sent there with, and its cookie. */
export async function sentTo(
  tenant: Tenant,
  more: Record<string, string> = {},
): Promise<{ asked: Asked; cookie: string; shown: Shown }> {
  const query = new URLSearchParams({
    organization: tenant.slug,
    go: '1',
    next: '/app/manifest',
    ...more,
  });
  const shown = await page('GET', `/app/login/oidc?${query}`);
  const url = new URL(shown.headers.get('Location')!);
  const asked = {
    state: url.searchParams.get('state')!,
    nonce: url.searchParams.get('nonce')!,
    challenge: url.searchParams.get('code_challenge')!,
    redirectUri: url.searchParams.get('redirect_uri')!,
  };
  return { asked, cookie: cookieOf(shown, 'company')!, shown };
}

/** A browser that comes back. */
export const comeBack = (to: URL, cookie: string | undefined): Promise<Shown> =>
  page('GET', to.href, { headers: cookie === undefined ? {} : { Cookie: `company=${cookie}` } });

/** Sign in by the provider, as whom it says. */
export async function signInBy(
  provider: Provider,
  tenant: Tenant,
  claims: Record<string, unknown>,
): Promise<Shown> {
  const { asked, cookie } = await sentTo(tenant);
  provider.claims = claims;
  return comeBack(provider.agree(asked), cookie);
}

/** Claims about somebody whose address is verified. */
export const claimsOf = ({ email }: { email: string }, more: object = {}) => ({
  sub: `sub of ${email}`,
  email,
  email_verified: true,
  ...more,
});

/** Whether a browser is signed in by an answer. */
export const isIn = (shown: Shown): boolean => shown.status === 303 && Boolean(cookieOf(shown, 'session'));
