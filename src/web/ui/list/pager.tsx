import { getCookie } from 'hono/cookie';
import type { Child, FC } from 'hono/jsx';
import type { ListedPage } from '../../../core/http/list-page.ts';
import { remember } from '../../../core/http/remember.ts';
import type { AppContext } from '../../../core/http/types.ts';
import { useWords } from '../../../messages/context.ts';
import { usePageState } from '../parts/view.ts';
import { useQuery } from './filters.tsx';

/** A page of rows, in any order. */
type Paged = Pick<ListedPage<unknown>, 'rows' | 'total' | 'pageNumber' | 'pageSize'>;

/** The range of rows on a page, and the total. */
const Range: FC<{ of: Paged }> = ({ of: { rows, total, pageNumber, pageSize } }) => {
  const { t } = useWords();
  const first = (pageNumber - 1) * pageSize + 1;
  const last = first + rows.length - 1;
  return <>{rows.length === 0 ? t('list.total', { total }) : t('list.range', { first, last, total })}</>;
};

/** The caption of a table: the range of its rows, and the total. */
export const countOf = (page: Paged): Child => <Range of={page} />;

/** Links to the previous and next pages. `hash` is the fragment of the list on the page. */
export const Pager: FC<{ page: Paged; hash?: string }> = ({ page: shown, hash = '' }) => {
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

/** The numbers of rows on a page that users can choose. */
const SIZES = [20, 50, 100] as const;
/** The parameter with the number of rows on a page. */
const SIZE_PARAMETER = 'pageSize';

const sizeIn = (text: string | undefined): number | undefined => SIZES.find((size) => String(size) === text);

/**
 * The number of rows on a page of a list, if it was chosen. The URL comes first. Then comes the number that the browser
 * remembers. A choice in the URL is remembered.
 */
export function chosenSize(c: AppContext, path: string): number | undefined {
  const cookie = `rows${path.replaceAll('/', '-')}`;
  const asked = c.req.query(SIZE_PARAMETER);
  if (asked === undefined) return sizeIn(getCookie(c, cookie));
  if (sizeIn(asked) !== undefined) remember(c, cookie, asked, '/app');
  return undefined;
}

/** Links that choose the number of rows on a page. A short list has no such links. */
export const PageSizes: FC<{ page: ListedPage<unknown> }> = ({ page: { total, pageSize } }) => {
  const { path } = usePageState();
  const query = useQuery();
  const { t } = useWords();
  if (total <= SIZES[0]) return null;
  query.delete('pageNumber');
  const to = (size: number): string => {
    const next = new URLSearchParams(query);
    next.set(SIZE_PARAMETER, String(size));
    return `${path}?${next}`;
  };
  return (
    <nav class="pager sizes" aria-label={t('list.sizes')}>
      <span aria-hidden="true">{t('list.sizes')}</span>
      {SIZES.map((size) => (
        <a class="button quiet" href={to(size)} aria-current={size === pageSize ? 'true' : undefined}>
          {size}
        </a>
      ))}
    </nav>
  );
};
