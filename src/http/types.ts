import type { Context } from 'hono';
import type { Env } from '../env.ts';
import { canonicalAddress } from '../lib/address.ts';
import type { Database } from '../lib/database.ts';
import type { Actor } from '../writer/chain.ts';
import type { OrganizationSettings } from '../writer/settings.ts';

/** Who calls, and for which organization. */
export interface Principal {
  organization: OrganizationSettings;
  actor: Actor;
}

/** What a request carries from one layer to the next. */
export interface Variables {
  requestId: string;
  /** The declared path of the route that answers. */
  route?: string;
  /** Parameters of the path, where the router does not know them by their names. */
  params?: Record<string, string>;
  /** Set for the integration API. */
  principal?: Principal;
  /** Set for the operator API, and on the pages of operators. */
  operator?: Actor;
  /** On pages of operators: who is signed in, and with which scopes; all, where none are named. */
  signedIn?: { actor: Actor; scopes?: readonly string[] };
  /** Reads of this request. */
  database?: Database;
  /** Position in D1's log that the answer reflects. */
  bookmark?: string | null;
  /** D1 calls and rows of the writer for this request. */
  writerCost?: { roundTrips: number; rowsRead: number; rowsWritten: number };
  /** The parsed body before validation, or the hash of a file, by which a repeat is known again. */
  json?: unknown;
  /** Of a page's form: its key in the place of an Idempotency-Key; null where it has none. */
  formKey?: string | null;
  /** The languages that the page that answers is in, by their tags; without them it is in English. */
  languages?: readonly string[];
  /** Why somebody does what cannot be undone, as it was asked on a page. */
  reason?: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

/** The host of the last request: parsing an address is a tenth of a small read, and hosts are few. */
let last = { start: '', origin: '', hostname: '' };

function hostOf({ req: { url } }: AppContext): typeof last {
  const start = url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
  if (start !== last.start) {
    const { origin, hostname } = new URL(start);
    last = { start, origin, hostname };
  }
  return last;
}

/** `{origin}` of links in an answer: the host the caller used. */
export const origin = (c: AppContext): string => hostOf(c).origin;

/** Path and query of a request, as `URL` has them; a parsed one costs more than the slice that it comes to. */
export function target(c: AppContext): string {
  const { url } = c.req;
  if (url.includes('#') || url.endsWith('?')) {
    const { pathname, search } = new URL(url);
    return pathname + search;
  }
  return url.slice(hostOf(c).start.length);
}

/** The name of the host that the caller used, without its port. */
export const hostname = (c: AppContext): string => hostOf(c).hostname;

/** From where a request came, as the platform tells; null where it does not tell an address. */
export function callerAddress(c: AppContext): string | null {
  return canonicalAddress(c.req.header('CF-Connecting-IP'));
}

/** The principal of an integration request; the access check has set it. */
export function principalOf(c: AppContext): Principal {
  const principal = c.get('principal');
  if (!principal) throw new Error('this route is not part of the integration API');
  return principal;
}
