import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { Child, FC } from 'hono/jsx';
import type { List, PageQuery, PageSchema, Sorting } from '../http/list.ts';
import { askPage, type ListedPage } from '../http/list-page.ts';
import type { AppEnv } from '../http/types.ts';
import { type Column, Table, words } from './components.tsx';
import { type Action, type At, type Page, page } from './page.tsx';
import { useShown } from './view.ts';

/** A filter of a list as its form offers it. */
export interface Filter<Name extends string> {
  name: Name;
  label: string;
  /** Its values; a text where it has none. */
  options?: readonly string[];
  /** Whether it is a day: from it on, or before it. */
  day?: true;
}

/** What a list can be filtered by. */
export type FilterOf<Z extends PageSchema> = Filter<keyof z.output<Z> & string>;

/** The page of a list of the organization: where it stands, what it shows, and how it can be searched. */
export interface Listing<Z extends PageSchema, V, O extends unknown[] = []> {
  path: string;
  title: string;
  right: Page<never, never>['right'];
  feature?: 'SHIPMENT' | 'CLIENT';
  list: List<Z, V, O>;
  /** What `q` looks into; nothing for a list that is not searched. */
  search?: 'q' extends keyof z.output<Z> ? string : never;
  /** The list's filters that the page offers; it knows no others. */
  filters: readonly FilterOf<Z>[];
  columns(at: At): readonly Column<V>[];
  /** What stands there where nothing is found. */
  empty: string;
  /** Statements that what stands above or below needs, run with those of the list. */
  beside?(at: At): SQL[];
  /** What stands below the list, such as a form that adds to it. */
  below?(at: At, beside: Record<string, unknown>[][]): Child;
  actions?: Record<string, Action>;
}

/** When what is listed was created. */
export const CREATED = [
  { name: 'createDateAfter', label: 'Created from', day: true },
  { name: 'createDateBefore', label: 'Created before', day: true },
] as const satisfies readonly Filter<keyof PageQuery>[];

/** Serve the page of a list. */
export function listing<Z extends PageSchema, V>(app: Hono<AppEnv>, declared: Listing<Z, V>): void {
  listingOf(app, declared, (): [] => []);
}

/** Serve the page of a list; `of` is what else decides what it is a list of. One D1 round trip. */
export function listingOf<Z extends PageSchema, V, O extends unknown[]>(
  app: Hono<AppEnv>,
  declared: Listing<Z, V, O>,
  of: (at: At) => O,
): void {
  const { path, title, right, feature, list, filters } = declared;
  const search: string | undefined = declared.search;
  const offered = new Set<string>([
    ...filters.map(({ name }) => name),
    ...(search === undefined ? [] : ['q']),
  ]);
  const known = ([name]: [string, unknown]): boolean =>
    offered.has(name) || !Object.hasOwn(list.filters, name);
  page(app, {
    path,
    right,
    ...(feature === undefined ? {} : { feature }),
    query: z.preprocess(
      (asked: Record<string, unknown>) => Object.fromEntries(Object.entries(asked).filter(known)),
      list.query,
    ),
    async view(at, _, query) {
      const asked = askPage(list, at.database, query, ...of(at));
      const [rows, counts, ...beside] = await at.database.batch([
        ...asked.statements,
        ...(declared.beside?.(at) ?? []),
      ]);
      const listed = asked.page(rows!, counts!);
      return {
        title,
        body: (
          <>
            {offered.size > 0 && (
              <Filters
                filters={[...filters.filter(({ day }) => !day), ...filters.filter(({ day }) => day)]}
                search={search}
                sorting={list.sorting}
                sort={listed.sort}
              />
            )}
            <Table
              caption={countOf(listed)}
              columns={declared.columns(at)}
              rows={listed.rows}
              empty={declared.empty}
            />
            <Pager page={listed} />
            {declared.below?.(at, beside)}
          </>
        ),
      };
    },
    ...(declared.actions ? { actions: declared.actions } : {}),
  });
}

/** Which of how many rows a page shows. */
export function countOf({ rows, total, pageNumber, pageSize }: ListedPage<unknown>): string {
  if (rows.length === 0) return `${total} in all`;
  const first = (pageNumber - 1) * pageSize + 1;
  return `${first}–${first + rows.length - 1} of ${total}`;
}

/** What is asked for now: `name` and its value, or nothing. */
function useQuery(): URLSearchParams {
  return new URLSearchParams(useShown().search);
}

/** Filters that need no further step. */
const FILTERS_IN_SIGHT = 2;

const Filters: FC<{
  filters: readonly Filter<string>[];
  search: string | undefined;
  sorting: Sorting<string>;
  sort: { sortBy: string; direction: string };
}> = ({ filters, search, sorting, sort }) => {
  const query = useQuery();
  const { path } = useShown();
  const isOpen =
    filters.slice(FILTERS_IN_SIGHT).some(({ name }) => query.get(name)) ||
    sort.sortBy !== sorting.default.sortBy ||
    sort.direction !== sorting.default.direction;
  return (
    <search>
      <form method="get" action={path} class="filters">
        {search !== undefined && (
          <div class="field">
            <label for="q">Search in {search}</label>
            <input id="q" name="q" type="search" value={query.get('q') ?? ''} maxlength={255} />
          </div>
        )}
        {filters.slice(0, FILTERS_IN_SIGHT).map((filter) => (
          <FilterField filter={filter} value={query.get(filter.name) ?? ''} />
        ))}
        <button type="submit" class="button">
          Show
        </button>
        {query.size > 0 && (
          <a class="button quiet" href={path}>
            Clear
          </a>
        )}
        <details class="more" open={isOpen}>
          <summary>Further filters and order</summary>
          <div class="filters">
            {filters.slice(FILTERS_IN_SIGHT).map((filter) => (
              <FilterField filter={filter} value={query.get(filter.name) ?? ''} />
            ))}
            <Choice
              name="sort.sortBy"
              label="Sort by"
              value={sort.sortBy}
              options={Object.keys(sorting.columns).map((name) => ({ value: name, label: spaced(name) }))}
            />
            <Choice
              name="sort.direction"
              label="Order"
              value={sort.direction}
              options={[
                { value: 'ASC', label: 'Ascending' },
                { value: 'DESC', label: 'Descending' },
              ]}
            />
          </div>
        </details>
      </form>
    </search>
  );
};

/** `createDate` in people's words. */
const spaced = (name: string): string => words(name.replace(/([A-Z])/g, '_$1'));

const FilterField: FC<{ filter: Filter<string>; value: string }> = ({
  filter: { name, label, options, day },
  value,
}) =>
  options ? (
    <Choice
      name={name}
      label={label}
      value={value}
      options={[
        { value: '', label: 'Any' },
        ...options.map((option) => ({ value: option, label: words(option) })),
      ]}
    />
  ) : (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={day ? 'date' : 'text'}
        value={day ? value.slice(0, 10) : value}
        maxlength={day ? undefined : 255}
      />
    </div>
  );

const Choice: FC<{
  name: string;
  label: string;
  value: string;
  options: { value: string; label: string }[];
}> = ({ name, label, value, options }) => (
  <div class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {options.map((option) => (
        <option value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>
  </div>
);

/** Leads to the pages before and after; `hash` is the part of the page where the list stands. */
export const Pager: FC<{ page: ListedPage<unknown>; hash?: string }> = ({ page: shown, hash = '' }) => {
  const { path } = useShown();
  const query = useQuery();
  const last = Math.max(1, Math.ceil(shown.total / shown.pageSize));
  if (last === 1 && shown.pageNumber === 1) return null;
  const to = (pageNumber: number): string => {
    const next = new URLSearchParams(query);
    next.set('pageNumber', String(pageNumber));
    return `${path}?${next}${hash}`;
  };
  return (
    <nav class="pager" aria-label="Pages">
      {shown.pageNumber > 1 && (
        <a class="button quiet" href={to(Math.min(shown.pageNumber - 1, last))} rel="prev">
          <span aria-hidden="true">←</span> Previous
        </a>
      )}
      <span>
        Page {shown.pageNumber} of {last}
      </span>
      {shown.pageNumber < last && (
        <a class="button quiet" href={to(shown.pageNumber + 1)} rel="next">
          Next <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  );
};
