import { statementsOf } from '../lib/asks.ts';
import { type Change, type CommandRequest, isRefusal } from './command.ts';
import type { Decided } from './commit.ts';
import type { Waiting } from './waiting.ts';
import type { WriterState } from './writer-state.ts';

/**
 * Limits of a shared commit: the number of commands, the number of writes after which no command joins, and the number
 * of conflict keys.
 */
const SHARED_MAXIMUM = 50;
const WRITES_MAXIMUM = 500;
const CONFLICT_KEYS_MAXIMUM = 40;
/** The most memory of the inputs of commands that are read or committed together, in bytes. */
export const SHARED_BYTES_MAXIMUM = 1024 * 1024;

/** A queued command with its decision, and the writer's state at the time of the decision. */
export type Deciding = Decided & { waiting: Waiting; state: WriterState };

/** Two commands with the same value do not share a commit. */
const keyOf = ({ idempotencyKey, commandId }: CommandRequest): string => idempotencyKey ?? commandId;

/** The writer's state after a change is committed, except for the end of the logs and the names. */
export function following({ state, change }: { state: WriterState; change: Change }): WriterState {
  const { organization = state.organization, lastMarkerCode = state.lastMarkerCode } = change.state ?? {};
  return { ...state, organization, lastMarkerCode };
}

/**
 * The first command of a queue, and the following commands that may be read together with it. They are runs of the same
 * command, and no two of them have a conflict key in common. A command that has failed before runs alone.
 */
export function together(queue: readonly Waiting[]): Waiting[] {
  const [first] = queue;
  if (!first?.conflictKeys || first.isRetry) return queue.slice(0, 1);
  const taken = new Set(first.conflictKeys);
  let { bytes } = first;
  const others = queue.slice(1, SHARED_MAXIMUM);
  const end = others.findIndex(({ command, isRetry, conflictKeys = [], bytes: own }) => {
    bytes += own;
    if (command !== first.command || isRetry || bytes > SHARED_BYTES_MAXIMUM) return true;
    if (conflictKeys.some((name) => taken.has(name))) return true;
    for (const name of conflictKeys) taken.add(name);
    return taken.size > CONFLICT_KEYS_MAXIMUM;
  });
  return [first, ...(end === -1 ? others : others.slice(0, end))];
}

/**
 * The first command of a queue with its decision, and the following commands that join its commit. A command joins in
 * two cases. It has no conflict key and no row key in common with the commands before it, and its reads are as of the
 * current commit (`commits`). Or it reads nothing, and is decided on the state after the commands before it. A command that has failed
 * before runs alone.
 */
export function share(first: Deciding, queue: readonly Waiting[], commits: number): Deciding[] {
  const shared = [first];
  if (first.waiting.isRetry) return shared;
  const keys = new Set([keyOf(first.request)]);
  const apart = together(queue).length;
  const shown = new Set(first.waiting.rowKeys(first.state));
  let writes = first.change.writes.length;
  let { bytes } = first.waiting;
  for (const waiting of queue.slice(1, SHARED_MAXIMUM)) {
    bytes += waiting.bytes;
    if (keys.has(keyOf(waiting.request)) || writes > WRITES_MAXIMUM) break;
    if (bytes > SHARED_BYTES_MAXIMUM) break;
    const isRead = shared.length < apart && waiting.read?.commits === commits && !waiting.read.earlier;
    const rowKeys = isRead ? waiting.rowKeys(first.state) : [];
    if (rowKeys.some((name) => shown.has(name))) break;
    for (const name of rowKeys) shown.add(name);
    const decided = decideUnasked(waiting, following(shared.at(-1)!), first.now, isRead);
    if (!decided) break;
    shared.push(decided);
    keys.add(keyOf(waiting.request));
    writes += decided.change.writes.length;
  }
  return shared;
}

/** Decide a command that needs no further read. Undefined if it needs one, is refused, or fails. */
function decideUnasked(
  waiting: Waiting,
  state: WriterState,
  now: number,
  isRead: boolean,
): Deciding | undefined {
  try {
    if (!isRead && waiting.statements(state).length > 0) return undefined;
    const more = waiting.more(state, now);
    if (statementsOf(more).length > 0) return undefined;
    const change = waiting.decide(state, now, more, []);
    return isRefusal(change) ? undefined : { waiting, request: waiting.request, change, now, state };
  } catch {
    // It fails again, and is answered, when it is the first of the queue.
    return undefined;
  }
}
