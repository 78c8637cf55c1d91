import type { SQL } from 'drizzle-orm';
import type { Asks, RowsOf } from '../lib/asks.ts';
import type { Refusal } from '../lib/problem.ts';
import type { Scope, Write } from '../lib/scope.ts';
import type { Actor, AuditEntry } from './chain.ts';
import type { OrganizationSettings } from './settings.ts';

/** What a command asks and decides with, besides rows. */
export interface Context {
  /** The organization whose command it is. */
  scope: Scope;
  /** Settings of the organization; null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The next marker code of the organization; null in the operator's own log. */
  nextMarkerCode: number | null;
  actor: Actor;
  /** The caller's place in a trace; null where it said none. */
  traceparent: string | null;
  /** Epoch milliseconds. One instant for everything that is decided; what is asked may be asked a little before. */
  now: number;
  /**
   * False on the first attempt, when reads that only repeat what a unique index enforces may be left out; true after a
   * collision, when the command has to find out what it collided with.
   */
  isRetry: boolean;
}

/**
 * A command in three plain parts, none of which reads or writes by itself: what it asks the store (`ask`, and `askMore`
 * where that depends on the first rows), and what it decides on the answers. The writer does the rest: it asks, commits
 * what was decided, or throws that away and begins again on fresher state.
 */
export interface Command<I, A> {
  /** What it is called on its way to the writer. */
  readonly name: string;
  readonly ask: (context: Context, input: I) => Asks;
  readonly askMore: (context: Context, input: I, rows: never) => Asks;
  readonly decide: (context: Context, input: I, rows: never) => Change<A> | Refusal;
  /** Whether it reads so much that its reads are not sent along with another command's commit. */
  readonly goesAlone?: boolean;
  /**
   * Names for all that it reads and that the same command with another input may change. Two of it without a name in
   * common decide the same in either order, so that they are read together, and committed together. Without this no two
   * are, where they ask.
   */
  readonly touches?: (input: I) => readonly string[];
}

/** Any command; who calls one checks its input against the command itself. */
// biome-ignore lint/suspicious/noExplicitAny: input and answer are checked where a command is named
export type AnyCommand = Command<any, any>;
/** What asks nothing. */
type Nothing = Record<never, never>;
const NOTHING = () => ({});

/** Define a command; one without `ask` decides on what the writer knows by itself. */
export function command<I, A, First extends Asks = Nothing, More extends Asks = Nothing>(
  name: string,
  parts: {
    ask?: (context: Context, input: I) => First;
    askMore?: (context: Context, input: I, rows: RowsOf<First>) => More;
    decide: (context: Context, input: I, rows: RowsOf<First> & RowsOf<More>) => Change<A> | Refusal;
    goesAlone?: boolean;
    touches?: (input: I) => readonly string[];
  },
): Command<I, A> {
  return { ask: NOTHING, askMore: NOTHING, ...parts, name };
}

/** Everything that a writer can be asked to do. */
export type Registry = Readonly<Record<string, AnyCommand>>;

/** The commands of a registry by the names that they are sent under. */
export const commandsOf = (registry: Registry): ReadonlyMap<string, AnyCommand> =>
  new Map(Object.values(registry).map((entry) => [entry.name, entry]));

/** What a command takes. */
export type InputOf<C> = C extends Command<infer I, infer _> ? I : never;

/** What should happen, all of it or nothing. */
export interface Change<A = unknown> {
  writes: Write[];
  /** At least one for a change that writes; none means that nothing had to change. */
  audit: AuditEntry[];
  /** Whether it leaves work for jobs besides sending its events. */
  jobs?: true;
  /** Writes of the events that tell of the change, made after all others. */
  events?: Write[];
  /**
   * Writes that nobody has to hear of, such as "still alive". They leave no audit entry, by which others would learn of
   * them, so each has to say in its own condition what it holds for, and only move forward.
   */
  notes?: Write[];
  /** The answer: a JSON value, or an expression of JSON text that is evaluated after the writes. */
  answer: SQL<A> | { value: A };
  /** What the commit changes of what the writer keeps in memory. */
  known?: { organization?: OrganizationSettings; lastMarkerCode?: number };
}

/** Whether a decision is a refusal. */
export function isRefusal<T extends object>(decision: T | Refusal): decision is Refusal {
  return 'code' in decision;
}

/** What a part of a decision adds to a change. */
export type Part = Omit<Change, 'answer'>;

/** A change that writes nothing, with this answer. */
export const unchanged = <A>(answer: Change<A>['answer']): Change<A> => ({ writes: [], audit: [], answer });

/** Merge what several decisions of one command want into one change with the given answer. */
export function mergeChanges<A>(answer: Change<A>['answer'], parts: readonly Part[]): Change<A> {
  const known = Object.assign({}, ...parts.map((part) => part.known));
  return {
    writes: parts.flatMap((part) => part.writes),
    audit: parts.flatMap((part) => part.audit),
    events: parts.flatMap((part) => part.events ?? []),
    notes: parts.flatMap((part) => part.notes ?? []),
    ...(parts.some((part) => part.jobs) ? { jobs: true as const } : {}),
    ...(Object.keys(known).length === 0 ? {} : { known }),
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
  /** The caller's place in a trace, if it said one. */
  traceparent?: string | null;
  /** Why it is done, where somebody was asked: it stands in each of its audit records. */
  reason?: string;
}

/** What a command has cost: its share of what D1 did. */
export interface Cost {
  bookmark: string | null;
  /** Calls to D1 that it waited for; one that was shared counts for each. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

/** What the writer answers. A business failure is a value: error prototypes do not cross RPC. */
export type Outcome = Cost &
  (
    | { kind: 'done'; body: string; replayed: boolean }
    | { kind: 'refused'; refusal: Refusal; replayed: boolean }
    | { kind: 'defect' }
  );
