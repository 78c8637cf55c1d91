import { z } from '@hono/zod-openapi';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { ProblemError } from '../lib/problem.ts';
import { ANSWER_BYTES, firstFitting, fitting, jsonText, linkNext } from './bounded.ts';
import { badCursor, fromOpaque, opaque } from './cursor.ts';
import type { ListOwner } from './list-page.ts';
import { type AppContext, origin } from './types.ts';

const ITEMS_MAXIMUM = 5_000;
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

/** A row of `wholeRows`: its view, and JSON of its position in the order. */
export interface WholeRow<V> {
  view: Json<V>;
  position: Json<unknown>;
}

/** The rows of an ordered query that fit one answer, and one more. */
export const wholeRows = <V>(
  rows: SQL<WholeRow<V>>,
): SQL<WholeRow<V>> => sql`SELECT view, position FROM (SELECT view, position,
    sum(octet_length(view)) OVER (ROWS UNBOUNDED PRECEDING) - octet_length(view) AS before
  FROM (${rows} LIMIT ${ITEMS_MAXIMUM + 1})) WHERE before <= ${ANSWER_BYTES}`;

/** Parse a caller's position with the schema `position`. @throws 400 for a text that this service did not create */
export function positionAfter<T>(after: string | undefined, position: z.ZodType<T>): T | undefined {
  if (after === undefined) return undefined;
  const parsed = position.safeParse(fromOpaque(after));
  if (!parsed.success) throw badCursor('The position does not come from this service.', 'after');
  return parsed.data;
}

/** Answer with a list as one array. If it is not complete, `Link` points to the rest. */
export async function answerWhole<V>(
  c: AppContext,
  database: Database,
  query: SQL<WholeRow<V>>,
  present: (links: string, stored: V) => object,
  owner: ListOwner,
): Promise<Response> {
  const { owners, rows } = await database.ask({ owners: owner.query, rows: query });
  if (owners.length === 0) throw new ProblemError(owner.missing);
  const { texts } = firstFitting(shown(rows.slice(0, ITEMS_MAXIMUM), (stored) => present(origin(c), stored)));
  if (texts.length < rows.length) {
    linkNext(c, { name: 'after', value: opaque(parseJson(rows[texts.length - 1]!.position)) });
  }
  return jsonText(c, `[${texts.join(',')}]`);
}

/** A generator, so that items that do not fit are not serialised. */
function* shown<V>(rows: WholeRow<V>[], present: (stored: V) => object): Iterable<string> {
  for (const { view } of rows) yield fitting(present(parseJson(view)), ANSWER_BYTES);
}
