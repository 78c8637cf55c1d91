import type { FC } from 'hono/jsx';
import { useQuery } from './filters.tsx';
import { useShown } from './view.ts';

/** A view of a list by its name: what its query leaves of it. */
export interface Tab {
  label: string;
  /** Query without question mark; '' for all of the list. */
  query: string;
  /** How many rows it has, where that is known. */
  count?: number | undefined;
}

/** Parameters that say where in a view somebody is, not which it is. */
const PLACE = ['pageNumber', 'pageSize', 'cursor'];

/** A query without what is no part of a view, in one order. */
export function viewQuery(query: URLSearchParams): string {
  const kept = [...query].filter(([name, value]) => value !== '' && !PLACE.includes(name));
  return new URLSearchParams(kept.sort(([one], [other]) => (one < other ? -1 : 1))).toString();
}

/** The view that is shown now. */
export const useView = (): string => viewQuery(useQuery());

/** The views of a list, side by side; of the one that is shown `total` is its number. */
export const Tabs: FC<{ tabs: readonly Tab[]; total: number }> = ({ tabs, total }) => {
  const { path } = useShown();
  const here = useView();
  return (
    <nav class="views" aria-label="Views">
      {tabs.map(({ label, query, count }) => {
        const isHere = viewQuery(new URLSearchParams(query)) === here;
        const number = isHere ? total : count;
        return (
          <a href={query ? `${path}?${query}` : path} aria-current={isHere ? 'page' : undefined}>
            {label}
            {number !== undefined && <span>{number.toLocaleString('en')}</span>}
          </a>
        );
      })}
    </nav>
  );
};
