import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { deleteView, renameView, saveView } from '../../../access/saved-view/commands.ts';
import { type SavedView, VIEW_NAME_MAXIMUM, VIEW_QUERY_MAXIMUM } from '../../../access/saved-view/store.ts';
import { text } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { useWords } from '../../../messages/context.ts';
import { action, type PageRight } from '../confirm/action.ts';
import { ActionButton, Field, Form, Hidden, Submit } from '../form/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { refuseInWords } from '../parts/language.ts';
import { useView, viewQuery } from './tabs.tsx';

const name = text(1, VIEW_NAME_MAXIMUM);
const named = z.object({ view: z.uuid(), name });

/** The actions on a user's own views of a list. `query` is the query schema of the list. */
export const viewActions = (list: string, right: PageRight, query: z.ZodType) => ({
  saveView: action(
    right,
    z.object({ name, query: text(1, VIEW_QUERY_MAXIMUM) }),
    async ({ c, session, words: { t }, submission }, _, typed) => {
      const kept = viewQuery(new URLSearchParams(typed.query));
      if (!query.safeParse(Object.fromEntries(new URLSearchParams(kept))).success) {
        refuseInWords('validationFailed', t('view.unknown'));
      }
      await write(c, submission, saveView, {
        userUuid: session.user.uuid,
        list,
        name: typed.name,
        query: kept,
      });
      return { done: t('view.saved', { name: typed.name }), to: `${list}?${kept}` };
    },
  ),
  renameView: action(right, named, async ({ c, session, words: { t }, submission }, _, typed) => {
    const of = { userUuid: session.user.uuid, list };
    const { body } = await write(c, submission, renameView, { ...of, uuid: typed.view, name: typed.name });
    return { done: t('view.renamed', { name: typed.name }), to: `${list}?${body.query}` };
  }),
  deleteView: action(
    right,
    named.omit({ name: true }),
    async ({ c, session, words: { t }, submission }, _, { view }) => {
      await write(c, submission, deleteView, { userUuid: session.user.uuid, list, uuid: view });
      return { done: t('view.deleted') };
    },
  ),
});

/** A form that saves the current view under a name, or renames or deletes a view. */
export const ViewForms: FC<{ views: readonly SavedView[]; standing: readonly string[] }> = ({
  views,
  standing,
}) => {
  const here = useView();
  const { t } = useWords();
  const own = views.find(({ query }) => query === here);
  if (own) {
    return (
      <details class="own-view">
        <summary>{t('view.own', { name: own.name })}</summary>
        <div class="actions">
          <Form<ReturnType<typeof viewActions>> action="renameView" class="inline" label={t('view.renameIt')}>
            <Hidden name="view" value={own.uuid} />
            <Field name="name" label={t('view.name')} value={own.name} />
            <Submit quiet>{t('view.rename')}</Submit>
          </Form>
          <ActionButton<ReturnType<typeof viewActions>>
            action="deleteView"
            values={{ view: own.uuid }}
            danger
          >
            {t('view.delete')}
          </ActionButton>
        </div>
      </details>
    );
  }
  if (here === '' || standing.includes(here)) return null;
  return (
    <details class="own-view">
      <summary>
        <Icon name="plus" /> {t('view.save')}
      </summary>
      <Form<ReturnType<typeof viewActions>> action="saveView" class="inline" label={t('view.saveIt')}>
        <Hidden name="query" value={here} />
        <Field name="name" label={t('view.nameIt')} />
        <Submit>{t('view.saveButton')}</Submit>
      </Form>
    </details>
  );
};
