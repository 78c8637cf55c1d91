import * as oauth from 'oauth4webapi';
import { MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';
import { optionsFor, providerFault, type Where } from './metadata.ts';
import { saysVerification, verifiedEmail } from './rules.ts';
import type { ClaimedIdentity } from './store.ts';

/** The requested claims: the subject, and the e-mail address, which identifies the user the first time. */
const SCOPE = 'openid email';
/** How far the clock of a provider may be ahead. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** A provider, and this service's registration with it. */
export interface Relying {
  issuer: string;
  server: oauth.AuthorizationServer;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** The sealed state of a sign-in, which the browser carries to the provider and back. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

/**
 * Start the authorization code flow with PKCE (RFC 7636), state and nonce. Returns the URL for the browser, and the
 * state that it carries. @throws if the provider's answer is not valid
 */
export async function beginFlow(
  { server, clientId, redirectUri }: Relying,
  where: Where,
): Promise<{ url: string; pending: Pending }> {
  const endpoint = server.authorization_endpoint;
  if (endpoint === undefined || providerFault(endpoint, where)) throw new Error('no authorization endpoint');
  const pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  })) {
    url.searchParams.set(name, value);
  }
  return { url: url.href, pending };
}

/**
 * Get the provider's claims after the browser has returned. The library validates state, issuer, audience, expiry,
 * nonce and signature. @throws if anything is wrong
 */
export async function finishFlow(
  { issuer, server, clientId, clientSecret, redirectUri }: Relying,
  pending: Pending,
  answered: URLSearchParams,
  where: Where,
): Promise<ClaimedIdentity> {
  const options = optionsFor(where);
  const client: oauth.Client = { client_id: clientId };
  const parameters = oauth.validateAuthResponse(server, client, answered, pending.state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticationOf(server, clientSecret),
    parameters,
    redirectUri,
    pending.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, answer, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens)!;
  if (claims.iat * SECOND_MS > Date.now() + CLOCK_SKEW_MS) throw new Error('a token from the future');
  return { issuer, subject: claims.sub, email: verifiedEmail(await claimsOfEmail()) };

  /**
   * Providers send the e-mail address and its verification in the token or at the userinfo endpoint. A verification of
   * another address than the token's does not count.
   */
  async function claimsOfEmail(): Promise<{ readonly [name: string]: unknown }> {
    if (saysVerification(claims) || server.userinfo_endpoint === undefined) return claims;
    const answered = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    const userInfo = await oauth.processUserInfoResponse(server, client, claims.sub, answered);
    return [undefined, userInfo.email].includes(claims['email'] as string | undefined) ? userInfo : claims;
  }
}

/** The client authentication: `client_secret_basic`, which is the default, or the secret in the body. */
function authenticationOf(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}
