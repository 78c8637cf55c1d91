import { useWords } from '../../../messages/context.ts';
import type { NoActions, PropWith } from '../parts/form-rules.ts';
import { LATER_MINUTES } from './typed-fields.ts';

/** The action of the button that moves a departure to later. */
export const LATER = 'later';

/**
 * A button of a form with several actions: it moves the departure in the input with this name to later. A script
 * does this in the page. Without it, the action does.
 */
export function Later<A = NoActions>({ input }: { input: PropWith<typeof LATER, A, string> }) {
  return (
    <button
      type="submit"
      name="action"
      value={LATER}
      class="button quiet"
      formnovalidate
      data-later={input}
      data-minutes={LATER_MINUTES}
    >
      {useWords().t('field.later', { minutes: LATER_MINUTES })}
    </button>
  );
}
