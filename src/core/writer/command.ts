import type { SQL } from 'drizzle-orm';
import type { Asks, RowsOf } from '../lib/asks.ts';
import { entityTag, tagListed } from '../lib/hash.ts';
import { type ProblemCode, type Refusal, type RefusalFacts, refusal } from '../lib/problem.ts';
import type { Scope, Write } from '../lib/scope.ts';
import type { Actor, AuditEntry } from './chain.ts';
import type { Entries, MadeEntries } from './log.ts';
import type { Place, Recall, RecallChange } from './recall.ts';
import type { OrganizationSettings } from './settings.ts';

/** The context of a command: everything it uses besides rows and input. */
export interface Context {
  /** The scope of its statements: the organization that the command belongs to. */
  scope: Scope;
  /** Settings of the organization; null in the operator's own log. */
  organization: OrganizationSettings | null;
  /** The next marker code of the organization; null in the operator's own log. */
  nextMarkerCode: number | null;
  actor: Actor;
  /** The caller's `traceparent` (W3C Trace Context); null if it sent none. */
  traceparent: string | null;
  /** The reason that the caller gave; null without one. Each audit record of the command has it, too. */
  reason: string | null;
  /** Epoch milliseconds; one value for the whole decision. `ask` may have been called a little earlier. */
  now: number;
  /**
   * False on the first attempt, which may skip reads that only repeat a check of a unique index. True on later
   * attempts, which must find out the cause of the collision.
   */
  isRetry: boolean;
}

/**
 * A command in three plain parts without I/O. It names its reads: `ask`, and `askMore` for reads that depend on
 * the first rows. It decides on the rows (`decide`). The decision contains the answer. The writer does the rest. It reads,
 * and commits the decision. If the commit fails, it starts again on fresh state.
 */
export interface Command<I, A> {
  /** The name of the command in requests to the writer. */
  readonly name: string;
  readonly ask: (context: Context, input: I) => Asks;
  readonly askMore: (context: Context, input: I, rows: never) => Asks;
  readonly decide: (context: Context, input: I, rows: never) => Change<A> | Refusal;
  /** Whether it reads so much that its reads must not be part of another command's commit. */
  readonly exclusive?: boolean;
  /**
   * Names of the things that it reads and that a run of the same command with another input may change. Two runs of
   * the command without a common name decide the same in either order, so they may be read and committed together. A
   * command that reads and has no `conflictKeys` is always decided alone.
   */
  readonly conflictKeys?: (input: I) => readonly string[];
  /**
   * Names of the things that the first rows show, and that a run of the same command may change. Two runs with a common
   * name are not decided on the same rows. For things that the input does not name, such as the pallet of a marker.
   */
  readonly rowKeys?: (rows: never) => readonly string[];
  /**
   * How a run takes its first rows from the writer's memory. It then skips the search for an earlier attempt, so a repeat
   * must collide in its commit.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the command checks its own reads and place
  readonly recall?: Recall<I, Record<string, unknown[]>, any, any>;
}

/** A command with any input and answer. */
// biome-ignore lint/suspicious/noExplicitAny: input and answer are checked where a command is named
export type AnyCommand = Command<any, any>;
type Nothing = Record<never, never>;
const NOTHING = () => ({});

/** Define a command. Without `ask` it decides only on the context. */
export function command<
  I,
  A,
  First extends Asks = Nothing,
  More extends Asks = Nothing,
  There extends Asks = Nothing,
  P extends Place = Place,
>(
  name: string,
  parts: {
    ask?: (context: Context, input: I) => First;
    askMore?: (context: Context, input: I, rows: RowsOf<First>) => More;
    decide: (context: Context, input: I, rows: RowsOf<First> & RowsOf<More>) => Change<A> | Refusal;
    exclusive?: boolean;
    conflictKeys?: (input: I) => readonly string[];
    rowKeys?: (rows: RowsOf<First>) => readonly string[];
    recall?: Recall<I, RowsOf<First>, There, P>;
  },
): Command<I, A> {
  return { ask: NOTHING, askMore: NOTHING, ...parts, name } as Command<I, A>;
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
 * Collect the commands that modules export. @throws if two commands have the same name, or one is exported under
 * another name
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

/** The commands of a registry by name. */
export const commandsOf = (registry: Registry): ReadonlyMap<string, AnyCommand> =>
  new Map(Object.values(registry).map((entry) => [entry.name, entry]));

export type InputOf<C> = C extends Command<infer I, infer _> ? I : never;

/** The decision to change something. It is committed completely or not at all. */
export interface Change<A = unknown> {
  writes: Write[];
  /** At least one entry if there are `writes`. A change without an entry has no `writes` either. */
  audit: AuditEntry[];
  /** Entries in timelines, which the log stores with the audit records. */
  entries?: readonly (Entries | MadeEntries)[];
  /** Whether it leaves work for jobs other than sending its events. */
  jobs?: true;
  /** Statements that insert the events of the change (`eventInsert`). They run after all other writes. */
  events?: Write[];
  /**
   * Writes without an audit record, such as the last heartbeat of a device. They do not move the end of the log, so
   * other writers do not notice them. Each must therefore check its precondition in its own SQL, and may only move a
   * value forward.
   */
  unauditedWrites?: Write[];
  /**
   * Whether its own writes are the record of its answer: a repeat of the command reads them, and decides the same
   * answer. Without an idempotency key, the answer is then not stored a second time.
   */
  recordsItself?: true;
  /** The answer: a JSON value, or an expression of JSON text that is evaluated after the writes. */
  answer: SQL<A> | { value: A };
  /** Its effect on the things in the writer's memory. Without it, the writer forgets all of them. */
  recalled?: RecallChange;
  /** Changes of the writer's state after the commit. */
  state?: { organization?: OrganizationSettings; lastMarkerCode?: number };
}

const EVENT_INSERTS = new WeakSet<Write>();

/**
 * Mark a statement that inserts events. A commit that has one, anywhere in its changes, makes sure that the events are sent.
 * Events about things that a change deletes are among its `writes`, before the deletion.
 */
export function eventInsert(statement: Write): Write {
  EVENT_INSERTS.add(statement);
  return statement;
}

/** Whether a change emits events. */
export const emitsEvents = ({ writes, events = [] }: Pick<Change, 'writes' | 'events'>): boolean =>
  [...writes, ...events].some((statement) => EVENT_INSERTS.has(statement));

/** Whether a decision is a refusal. */
export function isRefusal<T extends object>(decision: T | Refusal): decision is Refusal {
  return 'code' in decision;
}

/** A part of a change; `mergeChanges` merges parts. */
export type ChangePart = Omit<Change, 'answer'>;

/** A change that writes nothing, with this answer. */
export const unchanged = <A>(answer: Change<A>['answer']): Change<A> => ({ writes: [], audit: [], answer });

/** Merge the parts of a change, and give it an answer. */
export function mergeChanges<A>(answer: Change<A>['answer'], parts: readonly ChangePart[]): Change<A> {
  const state = Object.assign({}, ...parts.map((part) => part.state));
  return {
    writes: parts.flatMap((part) => part.writes),
    audit: parts.flatMap((part) => part.audit),
    entries: parts.flatMap((part) => part.entries ?? []),
    events: parts.flatMap((part) => part.events ?? []),
    unauditedWrites: parts.flatMap((part) => part.unauditedWrites ?? []),
    ...(parts.some((part) => part.jobs) ? { jobs: true as const } : {}),
    ...(Object.keys(state).length === 0 ? {} : { state }),
    answer,
  };
}

/** A request to the writer to run a command. */
export interface CommandRequest {
  name: string;
  input: unknown;
  /** The same for a request and all its internal retries. */
  commandId: string;
  /** The caller's Idempotency-Key, or null. */
  idempotencyKey: string | null;
  /** A digest of the parts of the request that must be equal in a repeat. */
  fingerprint: string;
  actor: Actor;
  requestId: string;
  ipAddress: string | null;
  /** The caller's `traceparent`, if it sent one. */
  traceparent?: string | null;
  /** The reason that the user gave. It becomes part of each audit record. */
  reason?: string;
  /**
   * When the action was made on a device that sent it later (epoch milliseconds). It becomes part of each audit record.
   */
  keptDate?: number;
}

/** The cost of a command: its share of the work of D1. */
export interface StoreCost {
  bookmark: string | null;
  /** The number of calls to D1 that the command waited for. A shared call counts for each command. */
  roundTrips: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The writer's answer. A refusal is a value, because RPC does not preserve error prototypes. */
export type Outcome = StoreCost &
  (
    | { kind: 'done'; body: string; replayed: boolean }
    | { kind: 'refused'; refusal: Refusal; replayed: boolean }
    | { kind: 'defect' }
  );

/** The outcome for one item of a command. */
export interface ItemResult {
  name: string;
  /** Why the item was not changed; null if it was changed. */
  refused: string | null;
  /** The problem code of a refused item. A page has turned it into a sentence if it is missing. */
  code?: ProblemCode;
  facts?: RefusalFacts;
}

/**
 * Decide on each of several items independently: a refused item does not block the others. Returns the items to change,
 * and the outcome of each in the order of the request.
 */
export function decideItems<T extends object>(
  uuids: readonly string[],
  decide: (uuid: string) => { name: string; of: T | Refusal },
): { taken: T[]; became: ItemResult[] } {
  const decided = [...new Set(uuids)].map(decide);
  return {
    taken: decided.flatMap(({ of }) => (isRefusal(of) ? [] : [of])),
    became: decided.map(({ name, of }) =>
      isRefusal(of)
        ? { name, refused: of.detail, code: of.code, ...(of.facts ? { facts: of.facts } : {}) }
        : { name, refused: null },
    ),
  };
}

/**
 * The refusal of a change if the resource has changed since the caller read it: `If-Match` does not list the current tag
 * (RFC 9110 section 13.1.1), with or without `W/`. `resource` is the name of the resource, such as `Gate "G7"`.
 */
export function staleMatch(ifMatch: string | null, view: string, resource: string): Refusal | undefined {
  return ifMatch === null || tagListed(ifMatch, entityTag(view))
    ? undefined
    : refusal('preconditionFailed', `${resource} has changed since you read it. Read it again.`);
}
