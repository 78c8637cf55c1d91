import { z } from '@hono/zod-openapi';
import type { SQL } from 'drizzle-orm';
import type { Hono } from 'hono';
import type { Child, FC } from 'hono/jsx';
import type { List, PageQuery, PageSchema } from '../../http/list.ts';
import { askPage, type ListedPage } from '../../http/list-page.ts';
import type { AppEnv } from '../../http/types.ts';
import { type Column, Table } from './components.tsx';
import { type Filter, Filters, useQuery, withFind } from './filters.tsx';
import { type Action, type At, type Page, page } from './page.tsx';
import { useShown } from './view.ts';

/** What a list can be filtered by. */
export type FilterOf<Z extends PageSchema> = Filter<keyof z.output<Z> & string>;

/** The page of a list of the organization: where it stands, what it shows, and how it can be searched. */
export interface Listing<Z extends PageSchema, V, O extends unknown[] = [], M = never> {
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
  /** What else stands below needs, asked with the list. */
  more?(at: At): SQL<M>;
  /** What stands below the list, such as a form that adds to it. */
  below?(at: At, more: readonly M[]): Child;
  actions?: Record<string, Action>;
}

/** When what is listed was created. */
export const CREATED = [
  { name: 'createDateAfter', label: 'Created from', day: true },
  { name: 'createDateBefore', label: 'Created before', day: true },
] as const satisfies readonly Filter<keyof PageQuery>[];

/** Serve the page of a list. */
export function listing<Z extends PageSchema, V, M = never>(
  app: Hono<AppEnv>,
  declared: Listing<Z, V, [], M>,
): void {
  listingOf(app, declared, (): [] => []);
}

/** Serve the page of a list; `of` is what else decides what it is a list of. One D1 round trip. */
export function listingOf<Z extends PageSchema, V, O extends unknown[], M = never>(
  app: Hono<AppEnv>,
  declared: Listing<Z, V, O, M>,
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
    query: withFind(
      z.preprocess(
        (asked: Record<string, unknown>) => Object.fromEntries(Object.entries(asked).filter(known)),
        list.query,
      ),
    ),
    async view(at, _, query) {
      const asked = askPage(list, at.database, query, ...of(at));
      const { more, ...found } = await at.database.ask({ ...asked.asks, more: declared.more?.(at) });
      const listed = asked.page(found);
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
            {declared.below?.(at, more)}
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
