import { getCookie } from 'hono/cookie';
import type { FC } from 'hono/jsx';
import { remember } from '../../../core/http/remember.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { useWords } from '../../../messages/context.ts';
import { usePageState } from '../parts/view.ts';
import { useQuery } from './filters.tsx';
import type { Column } from './rows.tsx';

/** The parameter that chooses columns: their keys, or `NONE`. */
export const COLUMNS_PARAMETER = 'columns';
const NONE = '-';

/** The cookie with the chosen columns of a list. */
const cookieOf = (path: string): string => `columns${path.replaceAll('/', '-')}`;

/**
 * The columns to show. The URL comes first, because saved views contain the columns. Then come
 * the columns that the browser remembers, then the default columns. A choice in the URL is
 * remembered.
 */
export function chosenColumns<T>(c: AppContext, path: string, columns: readonly Column<T>[]): Column<T>[] {
  const asked = c.req.queries(COLUMNS_PARAMETER)?.filter((key) => key === NONE || isOf(columns, key));
  const remembered = getCookie(c, cookieOf(path))?.split('.');
  if (asked && asked.length > 0) remember(c, cookieOf(path), asked.join('.'), '/app');
  const chosen = asked && asked.length > 0 ? asked : remembered;
  return columns.filter(({ key, extra }) => key === undefined || (chosen ? chosen.includes(key) : !extra));
}

const isOf = <T,>(columns: readonly Column<T>[], wanted: string): boolean =>
  columns.some(({ key }) => key === wanted);

/** A form that chooses the columns of a list. */
export const ColumnChooser: FC<{ columns: readonly Column<never>[]; shown: readonly Column<never>[] }> = ({
  columns,
  shown,
}) => {
  const { t } = useWords();
  const { path } = usePageState();
  const query = useQuery();
  query.delete(COLUMNS_PARAMETER);
  const choosable = columns.filter(({ key }) => key !== undefined);
  if (choosable.length === 0) return null;
  return (
    <details class="columns">
      <summary>{t('list.columns')}</summary>
      <form method="get" action={path} aria-label={t('list.columns')}>
        {[...query].map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name={COLUMNS_PARAMETER} value={NONE} />
        {choosable.map((column) => (
          <label>
            <input
              type="checkbox"
              name={COLUMNS_PARAMETER}
              value={column.key}
              checked={shown.includes(column)}
            />{' '}
            {column.label}
          </label>
        ))}
        <button type="submit" class="button quiet">
          {t('list.show')}
        </button>
      </form>
    </details>
  );
};
