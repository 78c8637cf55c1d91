import type { FC } from 'hono/jsx';
import type { FoundSession } from '../../../access/session/store.ts';
import { QUIET_MS } from '../../../dispatch/tablet/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { ActionButton, Form, ScannedInput } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { WorkActions } from './work-actions.ts';

const asksWorker = ({ tablet }: FoundSession): boolean => tablet !== undefined && tablet.asks !== 'NONE';

/** Whether the tablet asks for a worker and none is signed in. */
const needsWorker = (session: FoundSession): boolean => asksWorker(session) && session.tablet!.turn === null;

/**
 * The user of this page, and the worker of a tablet. Scripts send queued actions only in this name. While the page asks who
 * works there, its style sheet hides what needs a worker. The page has it, because a worker can identify without a
 * connection.
 */
export const PageUser: FC = () => {
  const session = usePageState().session!;
  const { user, tablet } = session;
  const name = `${user.firstName} ${user.lastName}`.trim();
  const turn = tablet?.turn ?? null;
  const worker = turn?.workerName;
  const { t, labelled } = useWords();
  return (
    <div
      id="whose"
      class="whose"
      hidden={!tablet}
      data-owner={user.uuid}
      data-name={name}
      data-asks={tablet?.asks}
      data-asking={needsWorker(session) ? 'true' : undefined}
      data-turn={turn?.uuid}
      data-worker={worker}
      data-used={turn ? String(turn.lastUsedDate) : undefined}
      data-quiet={asksWorker(session) ? String(QUIET_MS) : undefined}
    >
      {tablet && (
        <p>
          {name}
          <span hidden={!worker}>
            , <b>{worker}</b>
          </span>
        </p>
      )}
      {asksWorker(session) && (
        <ActionButton<WorkActions> action="workEnd" quiet label={labelled(t('work.done'), worker ?? '')}>
          {t('work.done')}
        </ActionButton>
      )}
    </div>
  );
};

/** The form for a badge or PIN, in place of the input for scans. It is hidden while a worker is signed in. */
export const BadgeBox: FC = () => {
  const session = usePageState().session!;
  if (!asksWorker(session)) return null;
  const isPin = session.tablet!.asks === 'PIN';
  const { t } = useWords();
  return (
    <div id="who-works" class="who-works">
      <p class="todo">{t('work.who')}</p>
      <Form<WorkActions> action="work" class="scanbox">
        <Icon name="scan" />
        <label class="hidden" for="badge">
          {t(isPin ? 'work.yourPin' : 'work.yourBadge')}
        </label>
        <ScannedInput
          id="badge"
          name="workerSecret"
          type={isPin ? 'password' : 'text'}
          inputmode={isPin ? 'numeric' : undefined}
          placeholder={t(isPin ? 'work.typePin' : 'work.scanBadge')}
        />
        <button type="submit" class="button">
          {t('work.enter')}
        </button>
      </Form>
    </div>
  );
};
