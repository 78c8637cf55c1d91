import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { ProblemError } from '../lib/problem.ts';
import {
  ANSWER_BYTES,
  bytesOf,
  FIRST_BYTES,
  fitting,
  LARGE_ANSWER_BYTES,
  linkNext,
  PORTION_BYTES,
} from './bounded.ts';
import { badCursor, fromOpaque, opaque } from './cursor.ts';
import { JsonParts } from './json-parts.ts';
import type { ListOwner } from './list-page.ts';
import { measured } from './list-statements.ts';
import { enter, inTurn } from './permit.ts';
import { type AppContext, origin } from './types.ts';

const ITEMS_MAXIMUM = 5_000;
/** The number of items that the first call reads at most. */
const FIRST_ITEMS = 500;
const AFTER_LENGTH_MAXIMUM = 2_000;

/** The description of a list that is answered as one array, for the contract. */
export const GOES_ON =
  'The response is one array of up to 5,000 items and 10 MB. If there are more, `Link: <…>; ' +
  'rel="next"` gives the URL of the rest.';

/** The query of a list that is answered as one array: the position where an earlier answer ended. */
export const wholeQuery = z.object({
  after: z
    .string()
    .max(AFTER_LENGTH_MAXIMUM)
    .optional()
    .describe('Opaque, from the `Link: <…>; rel="next"` header of an incomplete response'),
});

/** A row of a list: its view, and JSON of its position in the order. */
export interface WholeRow<V, P = unknown> {
  view: Json<V>;
  position: Json<P>;
}

/** A list that is answered as one array. `P` is a position in its order. */
export interface WholeList<V, P> {
  /** The query for the rows after a position, in their order. */
  rowsAfter(position: P | undefined): SQL<WholeRow<V, P>>;
  /** The position where the answer begins. */
  after: P | undefined;
}

/** A row of a portion, and the bytes of its view and of the views before it. */
interface PortionRow<V, P> extends WholeRow<V, P> {
  through: number;
}

/** The first rows of an ordered query, up to the row with which their views exceed the bytes. */
const portionOf = <V, P>(rows: SQL<WholeRow<V, P>>, limit: number, bytes: number): SQL<PortionRow<V, P>> =>
  sql`SELECT view, position, before + octet_length(view) AS through FROM ${measured(sql`${rows} LIMIT ${limit}`)}
    WHERE before < ${bytes}`;

/** Parse a caller's position with the schema `position`. @throws 400 for a text that this service did not create */
export function positionAfter<T>(after: string | undefined, position: z.ZodType<T>): T | undefined {
  if (after === undefined) return undefined;
  const parsed = position.safeParse(fromOpaque(after));
  if (!parsed.success) throw badCursor('The position does not come from this service.', 'after');
  return parsed.data;
}

/** Answer with a list as one array. If it is not complete, `Link` points to the rest. */
export async function answerWhole<V, P>(
  c: AppContext,
  database: Database,
  { rowsAfter, after }: WholeList<V, P>,
  present: (links: string, stored: V) => object,
  owner: ListOwner,
): Promise<Response> {
  const { owners, rows } = await database.ask({
    owners: owner.query,
    rows: portionOf(rowsAfter(after), FIRST_ITEMS + 1, FIRST_BYTES),
  });
  if (owners.length === 0) throw new ProblemError(owner.missing);
  const parts = new JsonParts();
  let [count, bytes] = [0, 0];
  let last: Json<P> | undefined;
  /** Add rows up to the limits of an answer. Returns whether all were added. */
  const add = (portion: readonly WholeRow<V, P>[]): boolean => {
    for (const { view, position } of portion) {
      const text = fitting(present(origin(c), parseJson(view)), ANSWER_BYTES);
      bytes += bytesOf(text) + 1;
      if (count === ITEMS_MAXIMUM || (bytes > ANSWER_BYTES && count > 0)) return false;
      parts.add((count === 0 ? '[' : ',') + text);
      count += 1;
      last = position;
    }
    return true;
  };
  const goesOn = (portion: readonly PortionRow<V, P>[], limit: number, maximum: number): boolean =>
    portion.length > limit || (portion.at(-1)?.through ?? 0) >= maximum;
  let hasMore = goesOn(rows, FIRST_ITEMS, FIRST_BYTES);
  let isAll = add(rows.slice(0, FIRST_ITEMS));
  // Ask for as many views as may fit, because D1 reads the rows of each.
  let limit = rows.length * (PORTION_BYTES / FIRST_BYTES);
  while (isAll && hasMore) {
    await enter(c, LARGE_ANSWER_BYTES);
    limit = Math.min(limit, ITEMS_MAXIMUM + 1 - count);
    const portion = await database.all(portionOf(rowsAfter(parseJson(last!)), limit + 1, PORTION_BYTES));
    hasMore = goesOn(portion, limit, PORTION_BYTES);
    isAll = await inTurn(c, () => add(portion.slice(0, limit)));
    limit = portion.length;
  }
  if (!isAll) linkNext(c, { name: 'after', value: opaque(parseJson(last!)) });
  parts.add(count === 0 ? '[]' : ']');
  return parts.answer(c);
}
