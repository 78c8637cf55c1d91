import * as oauth from 'oauth4webapi';
import type { Settings } from '../../core/env.ts';
import { urlFault } from '../../core/lib/outgoing-url.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';
import { isIssuer } from './rules.ts';

/** The timeout for a provider, and the maximum bytes of its answer. */
const TIMEOUT_MS = 10 * SECOND_MS;
const ANSWER_BYTES_MAXIMUM = 256 * 1024;

/** How long metadata is cached, and how long a failed provider is not called again. */
const KEPT_MS = 5 * MINUTE_MS;
const FAILED_MS = 10 * SECOND_MS;
/** The maximum number of cached providers per isolate, and the maximum characters of each one's metadata. */
const PROVIDERS_MAXIMUM = 200;
const METADATA_MAXIMUM = 8 * 1024;
/** The maximum number of simultaneous requests of an isolate for one provider's metadata. */
const UNDER_WAY_MAXIMUM = 8;

export type Where = Pick<Settings, 'WEBHOOK_ALLOW_LOOPBACK'>;

/** Why a provider must not have this URL; undefined if it may. The rules are the same as for webhooks. */
export const providerFault = (url: string, { WEBHOOK_ALLOW_LOOPBACK }: Where): string | undefined =>
  urlFault(url, { allowLoopback: WEBHOOK_ALLOW_LOOPBACK }) === undefined
    ? undefined
    : 'The provider must have a public host and use https.';

/** `fetch` for requests to a provider. It also checks the URLs in the provider's metadata. */
export function optionsFor(where: Where) {
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

/** Read an answer. @throws if it is too large */
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

/**
 * An isolate's cache entry of a provider. It contains plain data only, because in workerd requests cannot wait for each
 * other.
 */
interface Known {
  /** Undefined if the provider failed, or has not answered yet. */
  server: oauth.AuthorizationServer | undefined;
  /** Until when the provider is not called again. */
  untilDate: number;
  /** The start dates of current requests. */
  asked: readonly number[];
}

const providers = new Map<string, Known>();

/** Cache a provider. If there are too many providers, the provider with the oldest change is removed. */
function remember(issuer: string, known: Known): void {
  providers.delete(issuer);
  providers.set(issuer, known);
  for (const oldest of providers.keys()) {
    if (providers.size <= PROVIDERS_MAXIMUM) break;
    providers.delete(oldest);
  }
}

/**
 * The metadata of a provider. It is cached for some minutes. Otherwise strangers who start sign-ins could make this
 * service flood the provider. @throws if the provider's answer is not valid, or it failed a moment ago
 */
export async function metadataOf(issuer: string, where: Where): Promise<oauth.AuthorizationServer> {
  const now = Date.now();
  const { server: kept, untilDate, asked } = providers.get(issuer) ?? { untilDate: 0, asked: [] };
  // A request whose browser disconnects ends without notice, so old requests do not count.
  const underWay = asked.filter((date) => date > now - TIMEOUT_MS);
  if (untilDate > now && kept) return kept;
  if (untilDate > now || underWay.length >= UNDER_WAY_MAXIMUM) {
    throw new Error('The provider was asked a moment ago.');
  }
  remember(issuer, { server: undefined, untilDate: 0, asked: [...underWay, now] });
  let server: oauth.AuthorizationServer | undefined;
  try {
    server = await discovered(issuer, where);
    return server;
  } finally {
    const answeredDate = Date.now();
    remember(issuer, {
      server,
      untilDate: answeredDate + (server ? KEPT_MS : FAILED_MS),
      asked: (providers.get(issuer)?.asked ?? []).filter((date) => date !== now),
    });
  }
}

/** The parts of the metadata that a sign-in uses. */
const USED = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'token_endpoint_auth_methods_supported',
  'id_token_signing_alg_values_supported',
  'userinfo_signing_alg_values_supported',
  'authorization_response_iss_parameter_supported',
] as const satisfies readonly (keyof oauth.AuthorizationServer)[];

/** Request the metadata of a provider. @throws if it does not match the settings */
async function discovered(issuer: string, where: Where): Promise<oauth.AuthorizationServer> {
  if (!isIssuer(issuer)) throw new Error('An issuer has neither query nor fragment.');
  const identifier = new URL(issuer);
  const answer = await oauth.discoveryRequest(identifier, optionsFor(where));
  return usedMetadata(await oauth.processDiscoveryResponse(identifier, answer));
}

/** The parts of a provider's document that a sign-in uses. @throws if they are too long */
export function usedMetadata(all: oauth.AuthorizationServer): oauth.AuthorizationServer {
  const server: oauth.AuthorizationServer = {
    issuer: all.issuer,
    ...Object.fromEntries(USED.map((name) => [name, all[name]])),
  };
  if (JSON.stringify(server).length > METADATA_MAXIMUM) throw new Error('The metadata is too long.');
  return server;
}
