import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { text } from '../../http/schema.ts';
import { refuse, write } from '../../http/write.ts';
import { deleteView, renameView, saveView } from '../../saved-view/commands.ts';
import { type SavedView, VIEW_NAME_MAXIMUM, VIEW_QUERY_MAXIMUM } from '../../saved-view/store.ts';
import { Do, Field, Form, Hidden, Submit } from './form.tsx';
import { Icon } from './icons.tsx';
import { type Action, action, type Page } from './page.tsx';
import { useView, viewQuery } from './tabs.tsx';

const name = text(1, VIEW_NAME_MAXIMUM);
const named = z.object({ view: z.uuid(), name });

/** What the forms about a user's own views of a list do; `query` is what the list can be asked with. */
export const viewActions = (
  list: string,
  right: Page<never, never>['right'],
  query: z.ZodType,
): Record<string, Action> => ({
  saveView: action(
    right,
    z.object({ name, query: text(1, VIEW_QUERY_MAXIMUM) }),
    async ({ c, session }, _, typed) => {
      const kept = viewQuery(new URLSearchParams(typed.query));
      if (!query.safeParse(Object.fromEntries(new URLSearchParams(kept))).success) {
        refuse('validationFailed', 'This list cannot be asked for that.');
      }
      await write(c, saveView, { userUuid: session.user.uuid, list, name: typed.name, query: kept });
      return { done: `${typed.name} is one of your views.`, to: `${list}?${kept}` };
    },
  ),
  renameView: action(right, named, async ({ c, session }, _, typed) => {
    const of = { userUuid: session.user.uuid, list };
    const { body } = await write(c, renameView, { ...of, uuid: typed.view, name: typed.name });
    return { done: `The view is called ${typed.name}.`, to: `${list}?${body.query}` };
  }),
  deleteView: action(right, named.omit({ name: true }), async ({ c, session }, _, { view }) => {
    await write(c, deleteView, { userUuid: session.user.uuid, list, uuid: view });
    return { done: 'The view is deleted.' };
  }),
});

/** Keeps what is shown under a name, or what is kept under another. */
export const ViewForms: FC<{ views: readonly SavedView[]; standing: readonly string[] }> = ({
  views,
  standing,
}) => {
  const here = useView();
  const own = views.find(({ query }) => query === here);
  if (own) {
    return (
      <details class="own-view">
        <summary>View {own.name}</summary>
        <div class="actions">
          <Form action="renameView" class="inline" label="Rename the view">
            <Hidden name="view" value={own.uuid} />
            <Field name="name" label="Name" value={own.name} maxlength={VIEW_NAME_MAXIMUM} required />
            <Submit quiet>Rename</Submit>
          </Form>
          <Do action="deleteView" values={{ view: own.uuid }} danger>
            Delete this view
          </Do>
        </div>
      </details>
    );
  }
  if (here === '' || standing.includes(here)) return null;
  return (
    <details class="own-view">
      <summary>
        <Icon name="plus" /> Save view
      </summary>
      <Form action="saveView" class="inline" label="Save this view">
        <Hidden name="query" value={here} />
        <Field name="name" label="Name of the view" maxlength={VIEW_NAME_MAXIMUM} required />
        <Submit>Save</Submit>
      </Form>
    </details>
  );
};
