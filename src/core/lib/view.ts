import { type Column, type GetColumnData, getTableName, type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from './json.ts';
import type { Scope, TenantTable } from './scope.ts';
import { rendered } from './sql.ts';

/** The members of a view: columns, or expressions that JSON functions of SQLite accept as a value. */
type Shape = Readonly<Record<string, Column | SQL>>;
type ValueOf<E> = E extends Column ? GetColumnData<E, 'query'> : E extends SQL<infer T> ? T : never;

/** The type that the JSON of a view parses to. */
export type Viewed<V> = V extends SQL<infer T> ? T : never;
/** A row of `SELECT ${view} AS view`. */
export interface ViewRow<V> {
  view: Json<Viewed<V>>;
}
/** The parsed views of rows. */
export const parseViews = <T>(rows: readonly ViewRow<SQL<T>>[]): T[] =>
  rows.map(({ view }) => parseJson(view));

/** The maximum number of members that one JSON function of a view gets. A function of D1 takes at most 32 arguments. */
const MEMBERS_AT_ONCE = 15;

/**
 * An SQL expression for the JSON of a stored resource, typed by its parsed form. So the form of a resource is declared
 * once for reads, lists, answers and events. Dates are epoch milliseconds, booleans 0 and 1.
 */
export const view = <S extends Shape>(shape: S): SQL<{ -readonly [K in keyof S]: ValueOf<S[K]> }> =>
  rendered(jsonOf(Object.entries(shape)));

/** A JSON object with these members in this order. The first members are in `json_object`, the others are inserted. */
function jsonOf(members: readonly (readonly [string, Column | SQL])[]): SQL<never> {
  const first = members
    .slice(0, MEMBERS_AT_ONCE)
    .map(([name, value]) => sql`${sql.raw(`'${name}'`)}, ${value}`);
  let object = sql<never>`json_object(${sql.join(first, sql`, `)})`;
  for (let from = MEMBERS_AT_ONCE; from < members.length; from += MEMBERS_AT_ONCE) {
    const more = members
      .slice(from, from + MEMBERS_AT_ONCE)
      .map(([name, value]) => sql`${sql.raw(`'$.${name}'`)}, ${value}`);
    object = sql<never>`json_insert(${object}, ${sql.join(more, sql`, `)})`;
  }
  return object;
}

/** A view that shows as much of a resource as an extent allows. Its text is built once per extent. */
export function viewOfExtent<E extends object, T>(made: (extent: E) => SQL<T>): (extent: E) => SQL<T> {
  const views = new WeakMap<E, SQL<T>>();
  return (extent) => {
    const known = views.get(extent);
    if (known) return known;
    const view = rendered(made(extent));
    views.set(extent, view);
    return view;
  };
}

/** An expression for a value that is already JSON. */
export const json = <T>(expression: SQL): SQL<T> => sql<T>`json(${expression})`;

/**
 * A function that selects the view of a resource by uuid. Used as the answer of a command, evaluated after its writes.
 */
export const viewOf =
  <T>(shown: SQL<T>, table: TenantTable) =>
  ({ organization }: Scope, uuid: string): SQL<T> =>
    sql<T>`SELECT ${shown} FROM ${sql.identifier(getTableName(table))}
      WHERE organization_uuid = ${organization} AND uuid = ${uuid}`;
