import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { type Text, textOf } from '../parts/language.ts';
import { isShown, type Tab, useView } from './tabs.tsx';

/** The id of the part below a list. It has the form for the first item. */
export const BELOW = 'below';

/** The text of a list without rows. It says how to create the first item, or that the view or the filters match no row. */
export const NoRows: FC<{
  declared: { empty: Text; first?: Text; next?: { path: string; label: Text } };
  /** Whether a filter or a search is set. */
  isAsked: boolean;
  /** The views of the list. */
  views: readonly Pick<Tab, 'query'>[];
  hasForm: boolean;
  /** Whether the viewer may open the page that creates the first item. */
  mayCreate: boolean;
}> = ({ declared: { empty, first, next }, isAsked, views, hasForm, mayCreate }) => {
  const words = useWords();
  const here = useView();
  if (isAsked) {
    return (
      <>
        {views.some(({ query }) => isShown(query, here)) ? words.t('list.noneInView') : textOf(words, empty)}
      </>
    );
  }
  return (
    <>
      {first === undefined ? words.t('list.noneYet') : textOf(words, first)}{' '}
      {first === undefined && hasForm && <a href={`#${BELOW}`}>{words.t('list.createFirst')}</a>}
      {next && mayCreate && <a href={next.path}>{textOf(words, next.label)}</a>}
    </>
  );
};
