import { statementsOf } from '../lib/asks.ts';
import { type Change, isRefusal } from './command.ts';
import type { Decided } from './commit.ts';
import { storedKey } from './idempotency.ts';
import type { Known } from './known.ts';
import type { Waiting } from './waiting.ts';

/** Commands that share a commit, and the writes after which no other joins. */
const SHARED_MAXIMUM = 50;
const WRITES_MAXIMUM = 500;

/** A command that waits, what it was decided to be, and what was known then. */
export type Deciding = Decided & { waiting: Waiting; known: Known };

/** What the writer knows once a change is committed, but for the end of the log. */
export function following({ known, change }: { known: Known; change: Change }): Known {
  const { organization = known.organization, lastMarkerCode = known.lastMarkerCode } = change.known ?? {};
  return { ...known, organization, lastMarkerCode };
}

/**
 * The first of a queue as it was decided, and those behind it that go along: they ask nothing, so that what the writer
 * will know once those before them are committed is all that they are decided on. Who has failed before goes alone.
 */
export function share(first: Deciding, queue: readonly Waiting[]): Deciding[] {
  const shared = [first];
  if (first.waiting.isRetry) return shared;
  const keys = new Set([storedKey(first.request)]);
  let writes = first.change.writes.length;
  for (const waiting of queue.slice(1, SHARED_MAXIMUM)) {
    if (keys.has(storedKey(waiting.request)) || writes > WRITES_MAXIMUM) break;
    const decided = decideUnasked(waiting, following(shared.at(-1)!));
    if (!decided) break;
    shared.push(decided);
    keys.add(storedKey(waiting.request));
    writes += decided.change.writes.length;
  }
  return shared;
}

/** Decide a command that asks nothing; undefined for any other, and for one that is refused. */
function decideUnasked(waiting: Waiting, known: Known): Deciding | undefined {
  try {
    if (waiting.statements(known).length > 0) return undefined;
    const now = Date.now();
    const more = waiting.more(known, now);
    if (statementsOf(more).length > 0) return undefined;
    const change = waiting.decide(known, now, more, []);
    return isRefusal(change) ? undefined : { waiting, request: waiting.request, change, now, known };
  } catch {
    // It fails when it is the first.
    return undefined;
  }
}
