import type { SQL } from 'drizzle-orm';
import type { Asks, RowsOf } from '../lib/asks.ts';
import type { Refusal } from '../lib/problem.ts';
import type { Scope, Write } from '../lib/scope.ts';
import type { Actor, AuditEntry } from './chain.ts';
import type { OrganizationSettings } from './settings.ts';

/** The context of a command: all that it reads and decides with besides rows and input. */
export interface Context {
  /** The scope of its statements: the organization that the command belongs to. */
  scope: Scope;
  /** Settings of the organization; null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The next marker code of the organization; null in the operator's own log. */
  nextMarkerCode: number | null;
  actor: Actor;
  /** The caller's `traceparent` (W3C Trace Context); null where it sent none. */
  traceparent: string | null;
  /** Epoch milliseconds; the same for everything that is decided. `ask` may have been called a little earlier. */
  now: number;
  /**
   * False on the first attempt, which may leave out reads that only repeat what a unique index enforces. True on later
   * ones, where the command has to find out what it collided with.
   */
  isRetry: boolean;
}

/**
 * A command in three plain parts, none of which does I/O: the statements it reads with (`ask`, and `askMore` where
 * those depend on the first rows), the decision it makes on the rows (`decide`), and the answer as part of that
 * decision. The writer does the rest: it reads, and commits the decision or, if that fails, starts again on fresh
 * state.
 */
export interface Command<I, A> {
  /** The name under which it is sent to the writer. */
  readonly name: string;
  readonly ask: (context: Context, input: I) => Asks;
  readonly askMore: (context: Context, input: I, rows: never) => Asks;
  readonly decide: (context: Context, input: I, rows: never) => Change<A> | Refusal;
  /** Whether it reads so much that its reads must not ride along with another command's commit. */
  readonly exclusive?: boolean;
  /**
   * Names of everything that it reads and that the same command with another input may change. Two commands of this
   * kind without a common name decide the same in either order, so they may be read and committed together. A command
   * that reads and has no `conflictKeys` is always decided alone.
   */
  readonly conflictKeys?: (input: I) => readonly string[];
}

/** A command of any input and answer. */
// biome-ignore lint/suspicious/noExplicitAny: input and answer are checked where a command is named
export type AnyCommand = Command<any, any>;
/** No reads. */
type Nothing = Record<never, never>;
const NOTHING = () => ({});

/** Define a command. Without `ask` it decides on the context alone. */
export function command<I, A, First extends Asks = Nothing, More extends Asks = Nothing>(
  name: string,
  parts: {
    ask?: (context: Context, input: I) => First;
    askMore?: (context: Context, input: I, rows: RowsOf<First>) => More;
    decide: (context: Context, input: I, rows: RowsOf<First> & RowsOf<More>) => Change<A> | Refusal;
    exclusive?: boolean;
    conflictKeys?: (input: I) => readonly string[];
  },
): Command<I, A> {
  return { ask: NOTHING, askMore: NOTHING, ...parts, name };
}

/** All commands of a writer. */
export type Registry = Readonly<Record<string, AnyCommand>>;

type CommandsOf<M> = { [K in keyof M as M[K] extends AnyCommand ? K : never]: M[K] };
type Joined<M> = (M extends unknown ? (module: CommandsOf<M>) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

const isCommand = (value: unknown): value is AnyCommand =>
  typeof value === 'object' && value !== null && 'decide' in value;

/**
 * Join the commands that modules export. @throws if two have one name, or one is exported under another name
 */
export function registry<const M extends readonly object[]>(modules: M): Joined<M[number]> {
  const commands = new Map<string, AnyCommand>();
  for (const [exported, value] of modules.flatMap((module) => Object.entries(module))) {
    if (!isCommand(value)) continue;
    if (value.name !== exported) throw new Error(`command ${value.name} is exported as ${exported}`);
    if (commands.has(exported)) throw new Error(`two commands are named ${exported}`);
    commands.set(exported, value);
  }
  return Object.fromEntries(commands) as Joined<M[number]>;
}

/** The commands of a registry by the names under which they are sent. */
export const commandsOf = (registry: Registry): ReadonlyMap<string, AnyCommand> =>
  new Map(Object.values(registry).map((entry) => [entry.name, entry]));

/** The input of a command. */
export type InputOf<C> = C extends Command<infer I, infer _> ? I : never;

/** The decision to change something: all of it is committed, or nothing. */
export interface Change<A = unknown> {
  writes: Write[];
  /** At least one where the change writes anything; none means that nothing had to change. */
  audit: AuditEntry[];
  /** Whether it leaves work for jobs besides sending its events. */
  jobs?: true;
  /** Statements that insert the events of the change; they run after all other writes. */
  events?: Write[];
  /**
   * Writes without an audit record, such as when a device was last heard of. No other writer learns of them, so each
   * has to state in its own condition what it applies to, and may only move a value forward.
   */
  unauditedWrites?: Write[];
  /** The answer: a JSON value, or an expression of JSON text that is evaluated after the writes. */
  answer: SQL<A> | { value: A };
  /** What changes in the writer's memory once this is committed. */
  known?: { organization?: OrganizationSettings; lastMarkerCode?: number };
}

/** Whether a decision is a refusal. */
export function isRefusal<T extends object>(decision: T | Refusal): decision is Refusal {
  return 'code' in decision;
}

/** A part of a change, to be merged with others. */
export type ChangePart = Omit<Change, 'answer'>;

/** A change that writes nothing, with this answer. */
export const unchanged = <A>(answer: Change<A>['answer']): Change<A> => ({ writes: [], audit: [], answer });

/** Merge the parts of a change, and give it an answer. */
export function mergeChanges<A>(answer: Change<A>['answer'], parts: readonly ChangePart[]): Change<A> {
  const known = Object.assign({}, ...parts.map((part) => part.known));
  return {
    writes: parts.flatMap((part) => part.writes),
    audit: parts.flatMap((part) => part.audit),
    events: parts.flatMap((part) => part.events ?? []),
    unauditedWrites: parts.flatMap((part) => part.unauditedWrites ?? []),
    ...(parts.some((part) => part.jobs) ? { jobs: true as const } : {}),
    ...(Object.keys(known).length === 0 ? {} : { known }),
    answer,
  };
}

/** A command as it is sent to the writer. */
export interface CommandRequest {
  name: string;
  input: unknown;
  /** The same for a request and all its internal retries. */
  commandId: string;
  /** The caller's Idempotency-Key; null where there is none. */
  idempotencyKey: string | null;
  fingerprint: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
  /** The caller's `traceparent`, if it sent one. */
  traceparent?: string | null;
  /** The reason that somebody gave for it; becomes part of each of its audit records. */
  reason?: string;
  /** When it was done on a device that sent it later (epoch milliseconds); becomes part of each audit record, too. */
  keptDate?: number;
}

/** The cost of a command: its share of what D1 did. */
export interface StoreCost {
  bookmark: string | null;
  /** The number of calls to D1 that it waited for. A shared call counts for each command. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The writer's answer. A refusal is a value, since error prototypes do not survive RPC. */
export type Outcome = StoreCost &
  (
    | { kind: 'done'; body: string; replayed: boolean }
    | { kind: 'refused'; refusal: Refusal; replayed: boolean }
    | { kind: 'defect' }
  );
