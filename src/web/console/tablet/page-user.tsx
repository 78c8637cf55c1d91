import type { FC } from 'hono/jsx';
import type { FoundSession } from '../../../access/session/store.ts';
import { QUIET_MS } from '../../../dispatch/tablet/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { ActionButton, Form } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { ScannedInput } from '../kit/scanned-input.tsx';
import { usePageState } from '../kit/view.ts';
import type { WorkActions } from './at-gate.ts';

/** Whether the tablet asks for a worker and none is signed in. */
export const needsWorker = ({ tablet }: FoundSession): boolean =>
  tablet !== undefined && tablet.asks !== 'NONE' && tablet.turn === null;

/** The user of this page, and the worker of a tablet. Scripts send queued actions only in this name. */
export const PageUser: FC = () => {
  const session = usePageState().session!;
  const { user, tablet } = session;
  const name = `${user.firstName} ${user.lastName}`.trim();
  const turn = tablet?.turn ?? null;
  const worker = turn?.workerName;
  const { t } = useWords();
  return (
    <>
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
        data-quiet={turn ? String(QUIET_MS) : undefined}
      >
        {tablet && (
          <p>
            {name}
            {worker && (
              <>
                , <b>{worker}</b>
              </>
            )}
          </p>
        )}
        {worker && (
          <ActionButton<WorkActions> action="workEnd" quiet label={t('work.doneOf', { name: worker })}>
            {t('work.done')}
          </ActionButton>
        )}
      </div>
      <div class="strip" id="others" hidden data-own />
    </>
  );
};

/** The form for a badge or PIN, in place of the input for scans. */
export const BadgeBox: FC = () => {
  const session = usePageState().session!;
  if (!needsWorker(session)) return null;
  const isPin = session.tablet!.asks === 'PIN';
  const { t } = useWords();
  return (
    <div id="who-works" class="who-works">
      <p class="todo">{t('work.who')}</p>
      <Form<WorkActions> action="work" class="scanbox">
        <Icon name="scan" />
        <label class="hidden" for="scan">
          {t(isPin ? 'work.yourPin' : 'work.yourBadge')}
        </label>
        <ScannedInput
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
