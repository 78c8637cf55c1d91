import type { z } from '@hono/zod-openapi';
import type { Child } from 'hono/jsx';
import { OPERATOR_LOG } from '../../../access/credential/operator.ts';
import type { List, PageSchema } from '../../../core/http/list.ts';
import { askPage, pageOf } from '../../../core/http/list-page.ts';
import { readsOf } from '../../../core/http/read.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { Filters } from '../../ui/list/filters.tsx';
import type { FilterOf } from '../../ui/list/list-declaration.ts';
import { Rows } from '../../ui/list/listing-parts.tsx';
import { Pager } from '../../ui/list/pager.tsx';
import type { Column } from '../../ui/list/rows.tsx';

/** A list for operators. */
interface Listed<Z extends PageSchema, V, O extends unknown[]> {
  list: List<Z, V, O>;
  columns: readonly Column<V>[];
  empty: string;
  /** Label of the search, which names the searched fields. Without it, the list has no search. */
  search?: string;
  filters?: readonly FilterOf<Z>[];
  /** The organization of the list; undefined for a list of the whole service. */
  organization?: string;
}

/** The page of a list, with its search and filters. */
export async function operatorList<Z extends PageSchema, V, O extends unknown[]>(
  { c }: PageContext,
  { list, columns, empty, search, filters, organization = OPERATOR_LOG }: Listed<Z, V, O>,
  query: z.output<NoInfer<Z>>,
  ...of: O
): Promise<Child> {
  const database = readsOf(c, organization);
  const asked = askPage(list, database, query, ...of);
  const page = await pageOf(c, database, asked, await database.ask(asked.asks));
  return (
    <>
      {(search !== undefined || filters) && (
        <Filters filters={filters ?? []} search={search} sorting={list.sorting} sort={page.sort} />
      )}
      <Rows
        listed={page}
        rows={page.rows}
        columns={columns}
        empty={empty}
        isLate={undefined}
        picking={undefined}
      />
      <Pager page={page} />
    </>
  );
}
