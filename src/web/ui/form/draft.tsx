import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { usePageState } from '../parts/view.ts';
import { type FormName, useShownAgain } from './form-state.ts';

/** The attributes of a form whose input a script keeps as a draft of its user. A form that is shown again has newer values. */
export function useDraft(form: FormName): object {
  const { session } = usePageState();
  return { 'data-draft': session?.user.uuid, 'data-typed': useShownAgain(form) ? '' : undefined };
}

/** Says that the form has the input of an earlier visit, and empties it. A script shows it. */
export const Draft: FC = () => {
  const { t } = useWords();
  return (
    <p class="hint draft" hidden>
      {t('kit.draft')}{' '}
      <button type="button" class="button quiet">
        {t('kit.emptyDraft')}
      </button>
    </p>
  );
};
