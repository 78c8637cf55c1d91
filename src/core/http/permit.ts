import { streamOf } from '../lib/stream.ts';
import { SECOND_MS } from '../lib/time.ts';
import { type Permit, turns } from '../lib/turns.ts';
import { organizationOf } from './request-log.ts';
import { type AppContext, callerAddress } from './types.ts';

/** A request with a body up to this size, or an answer that is made from as many bytes, needs no permit. */
export const SMALL_BYTES = 256 * 1024;
/** How long a reader of a large body may read nothing. Its body holds memory. */
const PATIENCE_MS = 30 * SECOND_MS;
/** The memory that making a file takes that is written in parts, in bytes. */
export const FILE_BYTES = 4 * 1024 * 1024;
/** So many labels or images of markers are drawn at once. An image takes two milliseconds. */
const FEW_DRAWINGS = 8;

/**
 * Get the permit of a request for heavy work. It belongs to the organization of the request, or to the caller's address.
 * It ends with the request. `bytes` is the memory that the request will hold.
 * @throws 503 if too many heavy requests wait
 */
export async function enter(c: AppContext, bytes: number): Promise<Permit> {
  const permit = c.get('permit') ?? (await turns.enter(organizationOf(c) ?? callerAddress(c) ?? '', bytes));
  c.set('permit', permit);
  return permit;
}

/** Do a piece of work in the turn of the request's organization if the request has a permit, else at once. */
export const inTurn = async <T>(c: AppContext, piece: () => T | Promise<T>): Promise<T> => {
  const permit = c.get('permit');
  return permit ? permit.work(piece) : piece();
};

/** Get a permit to draw so many labels or images of markers if they are many. @throws 503 as `enter` */
export async function enterToDraw(c: AppContext, count: number): Promise<void> {
  if (count > FEW_DRAWINGS) await enter(c, FILE_BYTES);
}

/** Return the permit of a request. */
export function leave(c: AppContext): void {
  c.get('permit')?.leave();
  c.set('permit', undefined);
}

/** Does a piece of work when it is the turn of the organization. */
export type Work = Permit['work'];

/** A body in parts. */
type Parts = AsyncIterable<string | Uint8Array>;

/**
 * A body whose parts are made as the client reads them. If the request has a permit, they can be made in turns, and the
 * permit ends with the body.
 */
export async function streamed(
  c: AppContext,
  parts: (work: Work) => Parts | Promise<Parts>,
): Promise<ReadableStream<Uint8Array>> {
  const permit = c.get('permit');
  const made = await parts(permit ? permit.work : async (piece) => piece());
  // Nobody reads the body of an answer to HEAD, so the permit ends with the request.
  if (!permit || c.req.method === 'HEAD') return streamOf(made);
  c.set('permit', undefined);
  return streamOf(leaving(made, permit), { patienceMs: PATIENCE_MS });
}

async function* leaving<T>(parts: AsyncIterable<T>, permit: Permit): AsyncGenerator<T> {
  try {
    yield* parts;
  } finally {
    permit.leave();
  }
}

/** How many bytes of a body are made in one turn. */
const TURN_BYTES = 16 * 1024;

/** The parts of a body, made in turns. A turn makes several small parts. */
export async function* inTurns<T extends string | Uint8Array>(
  work: Work,
  parts: AsyncIterable<T>,
): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  for (let ended = false; !ended; ) {
    const made: T[] = [];
    await work(async () => {
      for (let length = 0; !ended && length < TURN_BYTES; length += made.at(-1)?.length ?? 0) {
        const { done = false, value } = await iterator.next();
        ended = done;
        if (!done) made.push(value);
      }
    });
    yield* made;
  }
}

/** A body whose parts are made in turns. */
export const streamedInTurns = (
  c: AppContext,
  parts: () => Parts | Promise<Parts>,
): Promise<ReadableStream<Uint8Array>> => streamed(c, async (work) => inTurns(work, await parts()));
