import { statementsOf } from '../lib/asks.ts';
import { type Change, isRefusal } from './command.ts';
import type { Decided } from './commit.ts';
import { storedKey } from './idempotency.ts';
import type { Known } from './known.ts';
import type { Waiting } from './waiting.ts';

/** Commands that share a commit, the writes after which no other joins, and the names of what they touch. */
const SHARED_MAXIMUM = 50;
const WRITES_MAXIMUM = 500;
const TOUCHES_MAXIMUM = 40;

/** A command that waits, what it was decided to be, and what was known then. */
export type Deciding = Decided & { waiting: Waiting; known: Known };

/** What the writer knows once a change is committed, but for the end of the log. */
export function following({ known, change }: { known: Known; change: Change }): Known {
  const { organization = known.organization, lastMarkerCode = known.lastMarkerCode } = change.known ?? {};
  return { ...known, organization, lastMarkerCode };
}

/**
 * The first of a queue and those behind it that are read with it: they are the same command and touch nothing that one
 * before them does. Who has failed before goes alone.
 */
export function together(queue: readonly Waiting[]): Waiting[] {
  const [first] = queue;
  if (!first?.touches || first.isRetry) return queue.slice(0, 1);
  const touched = new Set(first.touches);
  const others = queue.slice(1, SHARED_MAXIMUM);
  const end = others.findIndex(({ command, isRetry, touches = [] }) => {
    if (command !== first.command || isRetry || touches.some((name) => touched.has(name))) return true;
    for (const name of touches) touched.add(name);
    return touched.size > TOUCHES_MAXIMUM;
  });
  return [first, ...(end === -1 ? others : others.slice(0, end))];
}

/**
 * The first of a queue as it was decided, and those behind it that go along, read after so many commits: either they
 * touch nothing that those before them do, or they ask nothing, so that what the writer will know once those before them
 * are committed is all that they are decided on. Who has failed before goes alone.
 */
export function share(first: Deciding, queue: readonly Waiting[], commits: number): Deciding[] {
  const shared = [first];
  if (first.waiting.isRetry) return shared;
  const keys = new Set([storedKey(first.request)]);
  const apart = together(queue).length;
  let writes = first.change.writes.length;
  for (const waiting of queue.slice(1, SHARED_MAXIMUM)) {
    if (keys.has(storedKey(waiting.request)) || writes > WRITES_MAXIMUM) break;
    const isRead = shared.length < apart && waiting.read?.commits === commits && !waiting.read.earlier;
    const decided = decideUnasked(waiting, following(shared.at(-1)!), first.now, isRead);
    if (!decided) break;
    shared.push(decided);
    keys.add(storedKey(waiting.request));
    writes += decided.change.writes.length;
  }
  return shared;
}

/** Decide a command that asks nothing, or nothing more; undefined for any other, and for one that is refused. */
function decideUnasked(waiting: Waiting, known: Known, now: number, isRead: boolean): Deciding | undefined {
  try {
    if (!isRead && waiting.statements(known).length > 0) return undefined;
    const more = waiting.more(known, now);
    if (statementsOf(more).length > 0) return undefined;
    const change = waiting.decide(known, now, more, []);
    return isRefusal(change) ? undefined : { waiting, request: waiting.request, change, now, known };
  } catch {
    // It fails when it is the first.
    return undefined;
  }
}
