import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { type Text, textOf } from '../parts/language.ts';
import { usePageState } from '../parts/view.ts';
import { COLUMNS_PARAMETER } from './columns.tsx';
import { useQuery } from './filters.tsx';

/** A view of a list: its name, and the query that filters the list. */
export interface Tab {
  label: Text;
  /** The query without question mark; '' for the whole list. */
  query: string;
  /** The number of its rows, if known. */
  count?: number | undefined;
  /** Whether it has few rows, so that they can be counted each time. */
  few?: true;
}

/** Parameters for the position in a view. They do not change which view it is. */
const PLACE = ['pageNumber', 'pageSize', 'cursor'];

/** A query without the parameters in `PLACE` and without empty ones, in a canonical order. */
export function viewQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([name, value]) => value !== '' && !PLACE.includes(name));
  return new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : 1))).toString();
}

/** Whether a view is the current view. Columns count only if the view names some. */
export function isShown(query: string, here: string): boolean {
  const shown = new URLSearchParams(here);
  if (!new URLSearchParams(query).has(COLUMNS_PARAMETER)) shown.delete(COLUMNS_PARAMETER);
  return viewQuery(new URLSearchParams(query)) === viewQuery(shown);
}

export const useView = (): string => viewQuery(useQuery());

/** The views of a list as tabs. `total` is the number of rows of the current view. */
export const Tabs: FC<{ tabs: readonly Tab[]; total: number }> = ({ tabs, total }) => {
  const { path } = usePageState();
  const words = useWords();
  const here = useView();
  return (
    <nav class="views" aria-label={words.t('view.views')}>
      {tabs.map(({ label, query, count }) => {
        const isHere = isShown(query, here);
        const number = isHere ? total : count;
        return (
          <a href={query ? `${path}?${query}` : path} aria-current={isHere ? 'page' : undefined}>
            {textOf(words, label)}
            {number !== undefined && <span>{words.number(number)}</span>}
          </a>
        );
      })}
    </nav>
  );
};
