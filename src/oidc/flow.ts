import * as oauth from 'oauth4webapi';
import type { Settings } from '../env.ts';
import { SECOND_MS } from '../lib/time.ts';
import { urlFault } from '../webhook/rules.ts';
import type { Claimed } from './store.ts';

/** The timeout for a provider, and the most bytes of its answer. */
const TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_BYTES_MAXIMUM = 256 * 1024;
/** The requested claims: the subject, and the address by which the user is found the first time. */
const SCOPE = 'openid email';

/** A provider, and this service's registration with it. */
export interface Relying {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

/** The state of a sign-in that the browser carries to the provider and back, sealed. */
export interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

type Where = Pick<Settings, 'WEBHOOK_ALLOW_LOOPBACK'>;

/** Why a provider may not be at a URL; undefined where it may. The rules are those of webhooks. */
export const providerFault = (url: string, { WEBHOOK_ALLOW_LOOPBACK }: Where): string | undefined =>
  urlFault(url, { allowLoopback: WEBHOOK_ALLOW_LOOPBACK }) === undefined
    ? undefined
    : 'A provider is at a public host, by https.';

/** `fetch` for requests to a provider. The URLs that it names itself are checked as well. */
function optionsFor(where: Where) {
  return {
    // `providerFault` allows only loopback without https.
    [oauth.allowInsecureRequests]: where.WEBHOOK_ALLOW_LOOPBACK,
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
    [oauth.customFetch]: async (url: string, init: oauth.CustomFetchOptions<string, unknown>) => {
      const fault = providerFault(url, where);
      if (fault) throw new Error(fault);
      return boundedAnswer(await fetch(url, init as RequestInit));
    },
  };
}

/** Read an answer. @throws where it has too many bytes */
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

/** The metadata of a provider. @throws where it does not match the settings */
async function discovered(issuer: string, where: Where): Promise<oauth.AuthorizationServer> {
  const identifier = new URL(issuer);
  const answer = await oauth.discoveryRequest(identifier, optionsFor(where));
  return oauth.processDiscoveryResponse(identifier, answer);
}

/**
 * The URL to redirect the browser to, and the state that it carries: authorization code flow with PKCE (RFC 7636),
 * state and nonce. @throws where the provider does not answer properly
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
 * The claims of the provider after the browser has returned. The library validates state, issuer, audience, times,
 * nonce and signature. @throws where anything is wrong
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

  /** Providers include the address in the token, or answer with it at the userinfo endpoint. */
  async function claimsOfEmail(): Promise<{ readonly [name: string]: unknown }> {
    if (claims['email'] !== undefined || server.userinfo_endpoint === undefined) return claims;
    const told = await oauth.userInfoRequest(server, client, tokens.access_token, options);
    return oauth.processUserInfoResponse(server, client, claims.sub, told);
  }
}

/**
 * The e-mail address, if the provider says that it is verified: by `email_verified` (OpenID Connect Core 1.0, section
 * 5.1), or by `xms_edov`, which Microsoft Entra ID has in its place and writes in several ways.
 */
const verifiedEmail = ({
  email,
  email_verified,
  xms_edov,
}: {
  readonly [name: string]: unknown;
}): string | null => {
  const isVerified = email_verified === true || [true, 1, '1', 'true'].includes(xms_edov as string);
  return typeof email === 'string' && isVerified ? email : null;
};

/** The client authentication: `client_secret_basic`, which is the default, or in the body. */
function authenticationOf(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return taken.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}
