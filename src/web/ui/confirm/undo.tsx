import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { text } from '../../../core/http/schema.ts';
import { write } from '../../../core/http/write.ts';
import { ProblemError } from '../../../core/lib/problem.ts';
import { type Undoable, undo } from '../../../dispatch/undo/commands.ts';
import { useWords } from '../../../messages/context.ts';
import { Form, Hidden, Submit } from '../form/form.tsx';
import { Icon } from '../parts/icons.tsx';
import { refuseInWords } from '../parts/language.ts';
import { usePageState } from '../parts/view.ts';
import { type Action, type ActionContext, type ActionResult, action } from './action.ts';

/** The query parameter with the key of the form that can be undone. */
const UNDO = 'undo';

/** Pages with actions that can be undone. */
interface UndoActions {
  undo: Action;
}

/** The result of an action that can be undone. The next page, or the script that has sent the form, then offers it. */
export function undoable(
  { c, submission }: ActionContext,
  { undo: kept }: Undoable,
  done: string,
): ActionResult {
  const key = submission.key?.split(' ').at(-1);
  if (!kept || key === undefined) return { done };
  return { done, to: `${c.req.path}?${new URLSearchParams({ [UNDO]: key })}`, data: { undo: true } };
}

/** The action that takes back what the user has just done. */
export const undoAction = action(
  'mark',
  z.object({ of: text(1, 40) }),
  async ({ c, submission, words }, _: unknown, { of }): Promise<ActionResult> => {
    // The key of a form is stored with its user, so a user can take back only own actions.
    const [owner] = submission.key!.split(' ');
    try {
      await write(c, submission, undo, { key: `${owner} ${of}` });
    } catch (error) {
      if (!(error instanceof ProblemError && error.refusal.code === 'preconditionFailed')) throw error;
      refuseInWords('preconditionFailed', words.t('load.undoChanged'));
    }
    return { done: words.t('tablet.takenBack') };
  },
);

/** The button that takes back what the notice is about; nothing if it cannot be taken back. */
export const UndoButton: FC = () => {
  const { t } = useWords();
  const of = new URLSearchParams(usePageState().search).get(UNDO);
  if (of === null) return null;
  return (
    <Form<UndoActions> action="undo" class="inline undo">
      <Hidden name="of" value={of} />
      <Submit quiet>
        <Icon name="undo" /> {t('day.undo')}
      </Submit>
    </Form>
  );
};
