import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Do } from '../../kit/form.tsx';
import { Ask } from '../../kit/question.tsx';

/** A status that a manifest or shipment can be brought to by its next step. */
type Step = 'TO_DO' | 'IN_PROGRESS' | 'COMPLETED';

/** The steps of each status, the next first; a shipment is ready by having a gate. */
const NEXT: Readonly<Record<string, Step>> = {
  PLANNED: 'TO_DO',
  TO_DO: 'IN_PROGRESS',
  IN_PROGRESS: 'COMPLETED',
};

/**
 * The next action as one button: solid where it is right to press. What is not all aboard is asked about before it is
 * completed, as is what has a wrong pallet.
 */
export const NextAction: FC<{
  status: string;
  /** The statuses that it can be brought to. */
  transitions: readonly string[];
  standing: { loaded: number; total: number; wrong: number };
}> = ({ status, transitions, standing: { loaded, total, wrong } }) => {
  const { t } = useWords();
  const next = NEXT[status];
  if (next === undefined || !transitions.includes(next)) return null;
  const values = { status: next };
  const ready = next !== 'COMPLETED' || (total > 0 && loaded === total && wrong === 0);
  return ready ? (
    <Do action="status" values={values}>
      {t(`step.${next}`)}
    </Do>
  ) : (
    <Ask action="status" values={values} quiet>
      {t(`step.${next}`)}
    </Ask>
  );
};

/** Asks whether a manifest or shipment is to be cancelled. */
export const Cancellation: FC<{ kind: 'shipment' | 'manifest' }> = ({ kind }) => (
  <p class="actions">
    <Ask action="status" values={{ status: 'CANCELLED' }}>
      {useWords().t('load.cancel', { kind })}
    </Ask>
  </p>
);
