import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { canonicalAddress } from '../lib/address.ts';
import type { Database } from '../lib/database.ts';
import type { Permit } from '../lib/turns.ts';
import type { Actor } from '../writer/chain.ts';
import type { OrganizationSettings } from '../writer/settings.ts';

/** The caller and its organization. */
export interface Principal {
  organization: OrganizationSettings;
  actor: Actor;
}

/** The variables that a request carries from one layer to the next. */
export interface Variables {
  requestId: string;
  /** The declared path of the matched route. */
  route?: string;
  /** Set for the integration API. */
  principal?: Principal;
  /** Set for the operator API, and on the pages of operators. */
  operator?: Actor;
  /** On operators' pages: the signed-in operator, and its scopes. Without `scopes` it has all of them. */
  signedIn?: { actor: Actor; scopes?: readonly string[] };
  /** Reads of this request. */
  database?: Database;
  /** The position in D1's log that the answer reflects. */
  bookmark?: string | null;
  /** D1 calls and rows of the writer for this request. */
  writerCost?: { roundTrips: number; rowsRead: number; rowsWritten: number };
  /** The permission of a heavy request: see `enter`. */
  permit?: Permit | undefined;
  /** The language of the page, as a language tag; without it the page is in English. */
  language?: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

/** The host of the last request, cached: parsing a URL takes a tenth of the time of a small read, and hosts are few. */
let last = { start: '', origin: '', hostname: '' };

function hostOf({ req: { url } }: AppContext): typeof last {
  const start = url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
  if (start !== last.start) {
    const { origin, hostname } = new URL(start);
    last = { start, origin, hostname };
  }
  return last;
}

/** The `{origin}` of links in an answer: the caller's host. */
export const origin = (c: AppContext): string => hostOf(c).origin;

/** Path and query of a request, as `URL` returns them, but without the cost of parsing. */
export function target(c: AppContext): string {
  const { url } = c.req;
  if (url.includes('#') || url.endsWith('?')) {
    const { pathname, search } = new URL(url);
    return pathname + search;
  }
  return url.slice(hostOf(c).start.length);
}

/** The name of the caller's host, without its port. */
export const hostname = (c: AppContext): string => hostOf(c).hostname;

/** The caller's IP address from the platform; null if it sends none. */
export function callerAddress(c: AppContext): string | null {
  return canonicalAddress(c.req.header('CF-Connecting-IP'));
}

/** The principal of an integration request. The access check has set it. */
export function principalOf(c: AppContext): Principal {
  const principal = c.get('principal');
  if (!principal) throw new Error('this route is not part of the integration API');
  return principal;
}
