import type { Child, FC } from 'hono/jsx';
import type { ListedPage } from '../../../core/http/list-page.ts';
import { Icon } from '../parts/icons.tsx';
import { usePageState } from '../parts/view.ts';
import type { Bulk } from './bulk.tsx';
import { useQuery } from './filters.tsx';
import { FILE_FORMATS, type FileFormat } from './list-file.ts';
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

/** The actions that answer with a file of the chosen rows. Each list with chosen rows has them. */
export const FILE_ROWS = { xlsx: 'workbookRows', csv: 'fileRows' } as const satisfies Record<
  FileFormat,
  string
>;

/** The actions on chosen rows, with the files. */
export const withFile = <V, M>(bulk: Bulk<V, M>): Bulk<V, M> => ({
  ...bulk,
  offers: (more, at) => [
    ...bulk.offers(more, at).filter((offer) => !offer.more),
    ...FILE_FORMATS.map((format) => ({
      action: FILE_ROWS[format],
      right: 'see' as const,
      label: format.toUpperCase(),
      icon: 'download' as const,
    })),
    ...bulk.offers(more, at).filter((offer) => offer.more),
  ],
});

/** The links to the files of a table. */
export const FileLinks: FC<{ to: (format: FileFormat) => string }> = ({ to }) => (
  <>
    {FILE_FORMATS.map((format) => (
      <a class="button quiet" href={to(format)} download>
        <Icon name="download" /> {format.toUpperCase()}
      </a>
    ))}
  </>
);

/** The links to the files of all rows of a list. */
export const ListFiles: FC<{ path: string }> = ({ path }) => {
  const query = useQuery();
  query.delete('pageNumber');
  return <FileLinks to={(format) => `${path}.${format}${query.size > 0 ? `?${query}` : ''}`} />;
};
