import { type SQL, sql } from 'drizzle-orm';
import type { Json } from './json.ts';

/** How much of a nested list is stored and shown. */
export interface Extent {
  items: number;
  /** The maximum bytes of JSON for all items. */
  bytes: number;
}

/** The stored beginning of a list, and whether there is more. Older rows hold a plain array, which is complete. */
export type Bounded<T> = T[] | { items: T[]; more: 0 | 1 };

/**
 * SQL for the JSON of a `Bounded`. `rows` is a query with one column `item` (JSON text). One row beyond the limit is
 * read, to see whether there are more.
 */
export const bounded = <T>(rows: SQL<{ item: Json<T> }>, { items, bytes }: Extent): SQL<Bounded<T>> => {
  const fits = sql.raw(`position <= ${items} AND length <= ${bytes}`);
  return sql<
    Bounded<T>
  >`json((SELECT json_object('items', json(json_group_array(json(item)) FILTER (WHERE ${fits})),
      'more', coalesce(max(NOT (${fits})), 0))
    FROM (SELECT item, row_number() OVER w AS position, sum(octet_length(item)) OVER w AS length
      FROM (${rows} LIMIT ${sql.raw(String(items + 1))}) WINDOW w AS (ROWS UNBOUNDED PRECEDING))))`;
};

export const itemsOf = <T>(list: Bounded<T>): T[] => (Array.isArray(list) ? list : list.items);

/** Whether any of these lists has more items than are stored. */
export const isTruncated = (...lists: Bounded<unknown>[]): boolean =>
  lists.some((list) => !Array.isArray(list) && list.more === 1);

/** `truncated: true` for a resource if any of its lists is not complete. */
export const truncation = (...lists: Bounded<unknown>[]): { truncated?: true } =>
  isTruncated(...lists) ? { truncated: true } : {};
