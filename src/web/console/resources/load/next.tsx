import type { FC } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { Ask } from '../../../ui/confirm/confirmation.tsx';
import { ActionButton } from '../../../ui/form/form.tsx';
import type { LoadActions } from './actions.ts';

/** A status that the next step leads to. */
type Step = 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED';

/** The next step from each status. A shipment becomes ready when it gets a gate. */
const NEXT: Readonly<Record<string, Step>> = {
  PLANNED: 'TO_DO',
  TO_DO: 'IN_PROGRESS',
  IN_PROGRESS: 'COMPLETED',
};

/**
 * The next action as one button. It is prominent if it is the right action now. Completing a load
 * with missing or wrong pallets asks for confirmation.
 */
export const NextAction: FC<{
  status: string;
  /** The statuses that can follow. */
  transitions: readonly string[];
  standing: { loaded: number; total: number; wrong: number };
}> = ({ status, transitions, standing: { loaded, total, wrong } }) => {
  const { t } = useWords();
  const next = NEXT[status];
  if (next === undefined || !transitions.includes(next)) return null;
  const values = { status: next };
  const ready = next !== 'COMPLETED' || (total > 0 && loaded === total && wrong === 0);
  return ready ? (
    <ActionButton<LoadActions> action="status" values={values}>
      {t(`step.${next}`)}
    </ActionButton>
  ) : (
    <Ask<LoadActions> action="status" values={values} quiet>
      {t(`step.${next}`)}
    </Ask>
  );
};

/** The question before a manifest or shipment is cancelled. */
export const Cancellation: FC<{ kind: 'shipment' | 'manifest' }> = ({ kind }) => (
  <p class="actions">
    <Ask<LoadActions> action="status" values={{ status: 'CANCELLED' }}>
      {useWords().t('load.cancel', { kind })}
    </Ask>
  </p>
);
