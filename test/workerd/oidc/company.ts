import { ORIGIN, type Tenant } from '../client.ts';
import { cookieOf, type Person, page, type Shown } from '../session/person.ts';
import { type Asked, CLIENT, ISSUER, type Provider } from './provider.ts';

/** Have an administrator set the provider of the organization. */
export const setProvider = (admin: Person, more: Record<string, string> = {}): Promise<Shown> =>
  admin.post('/app/company-account', 'put', {
    issuer: ISSUER,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    ...more,
  });

/** A browser on its way to the provider: what it was sent there with, and its cookie. */
export async function sentTo(
  tenant: Tenant,
  next = '/app/manifest',
): Promise<{ asked: Asked; cookie: string; shown: Shown }> {
  const query = new URLSearchParams({ organization: tenant.slug, go: '1', next });
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
export const comeBack = (
  query: URLSearchParams,
  cookie: string | undefined,
  origin = ORIGIN,
): Promise<Shown> =>
  page('GET', `${origin}/app/login/oidc/callback?${query}`, {
    headers: cookie === undefined ? {} : { Cookie: `company=${cookie}` },
  });

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
