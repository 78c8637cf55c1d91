import type { Context } from 'hono';
import type { Actor } from '../audit/chain.ts';
import type { Env } from '../env.ts';
import { canonicalAddress } from '../lib/address.ts';
import type { Database } from '../lib/database.ts';
import type { OrganizationSettings } from '../organization/store.ts';

/** Who calls, and for which organization. */
export interface Principal {
  organization: OrganizationSettings;
  actor: Actor;
}

/** What a request carries from one layer to the next. */
export interface Variables {
  requestId: string;
  /** Set for the integration API. */
  principal?: Principal;
  /** Reads of this request. */
  database?: Database;
  /** Position in D1's log that the answer reflects. */
  bookmark?: string | null;
  /** D1 calls and rows of the writer for this request. */
  writerCost?: { roundTrips: number; rowsRead: number };
  /** The parsed body before validation, or the hash of a file, by which a repeat is known again. */
  json?: unknown;
  /** Of a page's form: its key in the place of an Idempotency-Key; null where it has none. */
  formKey?: string | null;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

/** `{origin}` of links in an answer: the host the caller used. */
export function origin(c: AppContext): string {
  return new URL(c.req.url).origin;
}

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
