import { type SQL, sql } from 'drizzle-orm';
import type { Json } from './json.ts';

/** How much of a list that stands within a resource is stored and shown. */
export interface Extent {
  items: number;
  /** Bytes of the JSON of its items. */
  bytes: number;
}

/** The beginning of a list as it is stored: with whether there is more of it. What was stored before bounds is all. */
export type Bounded<T> = T[] | { items: T[]; more: 0 | 1 };

/**
 * JSON of the beginning of a list, a `Bounded`: `rows` is a query of the one column `item` (JSON text), which is asked
 * for one row more than is shown and no further.
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

/** What there is of a list. */
export const itemsOf = <T>(list: Bounded<T>): T[] => (Array.isArray(list) ? list : list.items);

/** Whether there is more of any of these lists. */
export const goesOn = (...lists: Bounded<unknown>[]): boolean =>
  lists.some((list) => !Array.isArray(list) && list.more === 1);

/** What a resource says that does not show all of its lists. */
export const truncation = (...lists: Bounded<unknown>[]): { truncated?: true } =>
  goesOn(...lists) ? { truncated: true } : {};
