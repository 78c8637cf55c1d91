import type { Child, FC } from 'hono/jsx';
import type { ListedPage } from '../../../core/http/list-page.ts';
import { Icon } from '../parts/icons.tsx';
import { usePageState } from '../parts/view.ts';
import type { Bulk } from './bulk.tsx';
import { useQuery } from './filters.tsx';
import { countOf } from './pager.tsx';
import { type Column, type Picking, type SortedTable, Table } from './rows.tsx';

/** A page of rows, with headers that sort. */
export function Rows<V>({
  listed,
  ...table
}: {
  listed: ListedPage<V>;
  rows: readonly V[];
  columns: readonly Column<V>[];
  empty: Child;
  isLate: ((row: V) => boolean) | undefined;
  picking: Picking<V> | undefined;
}) {
  const { path } = usePageState();
  const query = useQuery();
  const to: SortedTable['to'] = (sortBy, direction) => {
    const next = new URLSearchParams(query);
    next.delete('pageNumber');
    next.set('sort.sortBy', sortBy);
    next.set('sort.direction', direction);
    return `${path}?${next}`;
  };
  return <Table {...table} caption={countOf(listed)} sorted={{ ...listed.sort, to }} />;
}

/** The action that answers with a CSV file of the chosen rows. Each list with chosen rows has it. */
export const FILE_ROWS = 'fileRows';

/** The actions on chosen rows, with the file. */
export const withFile = <V, M>(bulk: Bulk<V, M>): Bulk<V, M> => ({
  ...bulk,
  offers: (more, at) => [
    ...bulk.offers(more, at).filter((offer) => !offer.more),
    { action: FILE_ROWS, right: 'see', label: 'CSV', icon: 'download' },
    ...bulk.offers(more, at).filter((offer) => offer.more),
  ],
});

/** A link to the CSV file of all rows shown. */
export const CsvLink: FC<{ path: string }> = ({ path }) => {
  const query = useQuery();
  query.delete('pageNumber');
  return (
    <a class="button quiet" href={`${path}.csv${query.size > 0 ? `?${query}` : ''}`} download>
      <Icon name="download" /> CSV
    </a>
  );
};
