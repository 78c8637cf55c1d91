import * as oauth from 'oauth4webapi';
import type { Settings } from '../env.ts';
import { SECOND_MS } from '../lib/time.ts';
import { urlFault } from '../webhook/rules.ts';
import type { Claimed } from './store.ts';

/** How long a provider has to answer, and how much of an answer is read. */
const TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_BYTES_MAXIMUM = 256 * 1024;
/** Who is signed in, and by which address the user is found the first time. */
const SCOPE = 'openid email';

/** A provider with what this service is to it. */
export interface Relying {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** What a browser takes along to the provider and back, sealed. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

type Where = Pick<Settings, 'WEBHOOK_ALLOW_LOOPBACK'>;

/** Why a provider may not be at a URL, or undefined: it may be where webhooks may be. */
export const providerFault = (url: string, { WEBHOOK_ALLOW_LOOPBACK }: Where): string | undefined =>
  urlFault(url, { allowLoopback: WEBHOOK_ALLOW_LOOPBACK }) === undefined
    ? undefined
    : 'A provider is at a public host, by https.';

/** Requests to a provider: of its own addresses too, which it names itself, each is looked at. */
function optionsFor(where: Where) {
  return {
    // Only loopback gets past `providerFault` without https.
    [oauth.allowInsecureRequests]: where.WEBHOOK_ALLOW_LOOPBACK,
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const fault = providerFault(url, where);
      if (fault) throw new Error(fault);
      return boundedAnswer(await fetch(url, init as RequestInit));
    },
  };
}

/** An answer that was read to its end. @throws where it has too many bytes */
async function boundedAnswer(answer: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.byteLength;
    if (bytes > ANSWER_BYTES_MAXIMUM) throw new Error('The provider has answered too much.');
    parts.push(part);
  }
  const { status, headers } = answer;
  return new Response(bytes === 0 ? null : Buffer.concat(parts), { status, headers });
}

/** What a provider says of itself. @throws where it is not what it is set to be */
async function discovered(issuer: string, where: Where): Promise<oauth.AuthorizationServer> {
  const identifier = new URL(issuer);
  const answer = await oauth.discoveryRequest(identifier, optionsFor(where));
  return oauth.processDiscoveryResponse(identifier, answer);
}

/**
 * Where a browser is sent to, and what it takes along: authorization code with PKCE (RFC 7636), state and nonce.
 * @throws where the provider does not answer as it has to
 */
export async function beginFlow(relying: Relying, where: Where): Promise<{ url: string; pending: Pending }> {
  const server = await discovered(relying.issuer, where);
  const endpoint = server.authorization_endpoint;
  if (endpoint === undefined || providerFault(endpoint, where)) throw new Error('no authorization endpoint');
  const pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries({
    client_id: relying.clientId,
    redirect_uri: relying.redirectUri,
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
 * What the provider vouches for, after a browser has come back: state, issuer, audience, times, nonce and signature are
 * looked at by the library.
 * @throws where anything is not as it has to be
 */
export async function finishFlow(
  relying: Relying,
  pending: Pending,
  answered: URLSearchParams,
  where: Where,
): Promise<Claimed> {
  const options = optionsFor(where);
  const server = await discovered(relying.issuer, where);
  const client: oauth.Client = { client_id: relying.clientId };
  const parameters = oauth.validateAuthResponse(server, client, answered, pending.state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticationOf(server, relying.clientSecret),
    parameters,
    relying.redirectUri,
    pending.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, answer, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens)!;
  return { issuer: relying.issuer, subject: claims.sub, email: verifiedEmail(await claimsOfEmail()) };

  /** Providers give the address in the token, or tell it who asks with one. */
  async function claimsOfEmail(): Promise<{ readonly [name: string]: unknown }> {
    if (claims['email'] !== undefined || server.userinfo_endpoint === undefined) return claims;
    const told = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    return oauth.processUserInfoResponse(server, client, claims.sub, told);
  }
}

/** The e-mail address that the provider says it has verified. */
const verifiedEmail = ({ email, email_verified }: { readonly [name: string]: unknown }): string | null =>
  typeof email === 'string' && email_verified === true ? email : null;

/** By `client_secret_basic`, which is what providers take that do not say, or by the body. */
function authenticationOf(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}
