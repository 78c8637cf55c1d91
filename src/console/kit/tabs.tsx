import type { FC } from 'hono/jsx';
import { useWords } from '../../messages/context.ts';
import { COLUMNS } from './columns.tsx';
import { useQuery } from './filters.tsx';
import { type Text, textOf } from './language.ts';
import { useShown } from './view.ts';

/** A view of a list by its name: what its query leaves of it. */
export interface Tab {
  label: Text;
  /** Query without question mark; '' for all of the list. */
  query: string;
  /** How many rows it has, where that is known. */
  count?: number | undefined;
  /** Whether its rows are few, so that they can be counted each time. */
  few?: true;
}

/** Parameters that say where in a view somebody is, not which it is. */
const PLACE = ['pageNumber', 'pageSize', 'cursor'];

/** A query without what is no part of a view, in one order. */
export function viewQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([name, value]) => value !== '' && !PLACE.includes(name));
  return new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : 1))).toString();
}

/** Whether a view is the one that is shown; columns are no part of one that names none. */
function isShown(query: string, here: string): boolean {
  const shown = new URLSearchParams(here);
  if (!new URLSearchParams(query).has(COLUMNS)) shown.delete(COLUMNS);
  return viewQuery(new URLSearchParams(query)) === viewQuery(shown);
}

/** The view that is shown now. */
export const useView = (): string => viewQuery(useQuery());

/** The views of a list, side by side; of the one that is shown `total` is its number. */
export const Tabs: FC<{ tabs: readonly Tab[]; total: number }> = ({ tabs, total }) => {
  const { path } = useShown();
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
