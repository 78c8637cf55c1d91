import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Badge } from '../parts/components.tsx';
import type { NoActions, PropWith } from '../parts/form-rules.ts';
import { type Text, textOf } from '../parts/language.ts';
import type { PageContext } from './action.ts';
import { Ask, type Confirmation } from './confirmation.tsx';

/** The button that asks whether to delete the resource of the page. The actions `A` must contain `delete`. */
export const Deletion = <A = NoActions>({ what }: { what: PropWith<'delete', A, string> }) => (
  <p class="actions">
    <Ask<Record<'delete', unknown>> action="delete">{useWords().t('delete.button', { what })}</Ask>
  </p>
);

/** The question before something is deleted; `text` says what follows from it. */
export const confirmDeletion =
  (what: string, text: Text, more: Partial<Confirmation> = {}) =>
  ({ words }: Pick<PageContext, 'words'>): Confirmation => ({
    title: words.t('delete.title', { what }),
    text: (
      <p>
        {textOf(words, text)} {words.t('delete.final')}
      </p>
    ),
    yes: words.t('delete.yes'),
    no: words.t('ask.keep'),
    ...more,
  });

/** A note that a thing is deleted. */
export const Deleted: FC<{ deleted: boolean }> = ({ deleted }) =>
  deleted ? <Badge status="DELETED" /> : null;
