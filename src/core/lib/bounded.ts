import { type SQL, sql } from 'drizzle-orm';
import type { Json } from './json.ts';

/** How much of a list within a resource is stored and shown. */
export interface Extent {
  items: number;
  /** The most bytes of JSON that its items take. */
  bytes: number;
}

/**
 * The beginning of a list as it is stored, and whether there is more. A plain array, from before lists were bounded, is
 * complete.
 */
export type Bounded<T> = T[] | { items: T[]; more: 0 | 1 };

/**
 * The beginning of a list as JSON of a `Bounded`. `rows` is a query with the one column `item` (JSON text), of which
 * one row more than is shown is read.
 */
export const bounded = <T>(rows: SQL<{ item: Json<T> }>, { items, bytes }: Extent): SQL<Bounded<T>> => {
  const fits = sql.raw(`place <= ${items} AND length <= ${bytes}`);
  return sql<
    Bounded<T>
  >`json((SELECT json_object('items', json(json_group_array(json(item)) FILTER (WHERE ${fits})),
      'more', coalesce(max(NOT (${fits})), 0))
    FROM (SELECT item, row_number() OVER w AS place, sum(octet_length(item)) OVER w AS length
      FROM (${rows} LIMIT ${sql.raw(String(items + 1))}) WINDOW w AS (ROWS UNBOUNDED PRECEDING))))`;
};

/** The items of a list that are stored. */
export const itemsOf = <T>(list: Bounded<T>): T[] => (Array.isArray(list) ? list : list.items);

/** Whether any of these lists goes on. */
export const goesOn = (...lists: Bounded<unknown>[]): boolean =>
  lists.some((list) => !Array.isArray(list) && list.more === 1);

/** `truncated: true` for a resource that does not show all of its lists. */
export const truncation = (...lists: Bounded<unknown>[]): { truncated?: true } =>
  goesOn(...lists) ? { truncated: true } : {};
