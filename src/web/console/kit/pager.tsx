import type { Child, FC } from 'hono/jsx';
import type { ListedPage } from '../../../core/http/list-page.ts';
import { useWords } from '../../../messages/context.ts';
import { useQuery } from './filters.tsx';
import { usePageState } from './view.ts';

/** The range of rows on a page, and the total. */
const Range: FC<{ of: ListedPage<unknown> }> = ({ of: { rows, total, pageNumber, pageSize } }) => {
  const { t } = useWords();
  const first = (pageNumber - 1) * pageSize + 1;
  const last = first + rows.length - 1;
  return <>{rows.length === 0 ? t('list.total', { total }) : t('list.range', { first, last, total })}</>;
};

/** The caption of a table: the range of its rows, and the total. */
export const countOf = (page: ListedPage<unknown>): Child => <Range of={page} />;

/** Links to the previous and next pages. `hash` is the fragment of the list on the page. */
export const Pager: FC<{ page: ListedPage<unknown>; hash?: string }> = ({ page: shown, hash = '' }) => {
  const { path } = usePageState();
  const query = useQuery();
  const { t } = useWords();
  const last = Math.max(1, Math.ceil(shown.total / shown.pageSize));
  if (last === 1 && shown.pageNumber === 1) return null;
  const to = (pageNumber: number): string => {
    const next = new URLSearchParams(query);
    next.set('pageNumber', String(pageNumber));
    return `${path}?${next}${hash}`;
  };
  return (
    <nav class="pager" aria-label={t('list.pages')}>
      {shown.pageNumber > 1 && (
        <a class="button quiet" href={to(Math.min(shown.pageNumber - 1, last))} rel="prev">
          <span aria-hidden="true">←</span> {t('list.previous')}
        </a>
      )}
      <span>{t('list.page', { page: shown.pageNumber, last })}</span>
      {shown.pageNumber < last && (
        <a class="button quiet" href={to(shown.pageNumber + 1)} rel="next">
          {t('list.next')} <span aria-hidden="true">→</span>
        </a>
      )}
    </nav>
  );
};
