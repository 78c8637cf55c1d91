import type { Tenant } from '../../client.ts';
import { cookieOf, type Person, page, type Shown } from '../session/person.ts';
import { type Asked, CLIENT, type Provider } from './provider.ts';

/** Set the provider of the organization as an administrator. */
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

/** Start a sign-in. @returns the request to the provider, and the cookie of the browser. */
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

/** Return from the provider with a browser. */
export const comeBack = (to: URL, cookie: string | undefined): Promise<Shown> =>
  page('GET', to.href, { headers: cookie === undefined ? {} : { Cookie: `company=${cookie}` } });

/** Sign in through the provider, with the claims that it returns. */
export async function signInBy(
  provider: Provider,
  tenant: Tenant,
  claims: Record<string, unknown>,
): Promise<Shown> {
  const { asked, cookie } = await sentTo(tenant);
  provider.claims = claims;
  return comeBack(provider.agree(asked), cookie);
}

/** Claims about a user with a verified address. */
export const claimsOf = ({ email }: { email: string }, more: object = {}) => ({
  sub: `sub of ${email}`,
  email,
  email_verified: true,
  ...more,
});

/** Whether an answer signs a browser in. */
export const isIn = (shown: Shown): boolean => shown.status === 303 && Boolean(cookieOf(shown, 'session'));
