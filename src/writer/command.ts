import type { SQL } from 'drizzle-orm';
import type { Actor, AuditEntry } from '../audit/chain.ts';
import type { Database, Write } from '../lib/database.ts';
import type { Refusal } from '../lib/problem.ts';
import type { OrganizationSettings } from '../organization/store.ts';

/**
 * A command decides, it does not write: it reads what it needs and says what should change. The writer
 * commits that, or throws it away and asks again on fresher state.
 */
export type Command<I> = (context: Context, input: I) => Promise<Change | Refusal>;

/** What a command decides with. */
export interface Context {
  /** Reads of this organization, from the primary. */
  database: Database;
  /** Settings of the organization; null in the operator's own log. */
  organization: OrganizationSettings | null;
  actor: Actor;
  /** Epoch milliseconds; one instant for everything a command does. */
  now: number;
  /**
   * False on the first attempt, when reads that only repeat what a unique index enforces may be left out;
   * true after a collision, when the command has to find out what it collided with.
   */
  careful: boolean;
  /** A value the writer keeps between commands while its view of the log is known to be current. */
  memo<T>(key: string, load: () => Promise<T>): Promise<T>;
}

/** What should happen, all of it or nothing. */
export interface Change {
  writes: Write[];
  /** At least one for a change that writes; none means that nothing had to change. */
  audit: AuditEntry[];
  /** Whether it leaves something for duties beside events. */
  duties?: true;
  /** Writes that tell of the change (`tell` of the event room), made after all others. */
  events?: Write[];
  /**
   * Writes that nobody has to hear of, such as "still alive". They go without the fence of an audit entry, so
   * each has to say in its own condition what it holds for, and only move forward.
   */
  notes?: Write[];
  /** The answer: a JSON value, or an expression of JSON text that is evaluated after the writes. */
  answer: SQL | { value: unknown };
  /** New values for what the command had from `memo`, valid once committed. */
  memo?: Record<string, unknown>;
}

/** Whether a decision is a refusal. */
export function isRefusal<T extends object>(decision: T | Refusal): decision is Refusal {
  return 'code' in decision;
}

/** What a room adds to a change. */
export type Part = Pick<Change, 'writes' | 'audit' | 'events'>;

/** Merge what several decisions of one command want into one change with the given answer. */
export function mergeChanges(answer: Change['answer'], changes: Part[]): Change {
  return {
    writes: changes.flatMap((change) => change.writes),
    audit: changes.flatMap((change) => change.audit),
    events: changes.flatMap((change) => change.events ?? []),
    answer,
  };
}

/** A command on its way to the writer. */
export interface CommandRequest {
  name: string;
  input: unknown;
  /** One id for a request and all its internal retries. */
  commandId: string;
  /** The caller's Idempotency-Key. */
  idempotencyKey: string | null;
  fingerprint: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
}

/** What the writer answers. A business failure is a value: error prototypes do not cross RPC. */
export type Outcome = { bookmark: string | null; roundTrips: number; rowsRead: number } & (
  | { kind: 'done'; body: string; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal; replayed: boolean }
  | { kind: 'defect' }
);

/** The commands a writer knows, by name. */
// biome-ignore lint/suspicious/noExplicitAny: each command checks its own input type where it is called
export type Registry = Record<string, Command<any>>;
