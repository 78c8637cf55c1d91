import type { FC, PropsWithChildren } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { UndoButton } from '../../ui/confirm/undo.tsx';
import { ActionButton, Form } from '../../ui/form/form.tsx';
import { ScannedInput } from '../../ui/form/scanned-input.tsx';
import { PalletId } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { AlertLine, OverPage } from './gate-alerts.tsx';
import type { GatePage } from './gate-store.ts';
import type { BoardGate, Rights } from './rules.ts';
import type { Choice } from './scan-action.ts';

/** Shows whether the screen is live. `again` is its path. */
export const FeedLink: FC<{ again: string }> = ({ again }) => {
  const { t } = useWords();
  return (
    <a class="tog feed" id="again" href={again}>
      <Icon name="live" class="if-live" />
      <Icon name="offline" class="if-not" />
      <span id="feed" role="status">
        {t('live.not')}
      </span>
      <span class="hidden">{t('gate.refresh')}</span>
    </a>
  );
};

/** Shows whether the screen is live and its sound is on. */
export const Toggles: FC<{ gate: BoardGate }> = ({ gate }) => {
  const { t } = useWords();
  return (
    <div class="toggles" data-own>
      <FeedLink again={`/app/gate/${gate.uuid}`} />
      <button type="button" class="tog" id="sound" hidden>
        <Icon name="sound" />
        <span>{t('gate.sound')}</span>
      </button>
    </div>
  );
};

/**
 * Whether items wait to be sent, and why. It stays in sight when the page is scrolled. `children`: the button that opens the
 * list of the waiting scans to check.
 */
export const OfflineStrip: FC<PropsWithChildren> = ({ children }) => (
  <div class="strip dark" id="offline" hidden data-own>
    <p role="status" />
    {children}
  </div>
);

/** The number of the waiting scans that are not on the list of pallets. It opens them. Scripts fill both. */
export const AsideButton: FC = () => (
  <button type="button" class="button quiet" id="open-aside" popovertarget="set-aside" hidden>
    <Icon name="warn" />
    <span class="hidden">{useWords().t('gate.aside')}</span>
    <b />
    <Icon name="next" />
  </button>
);

/** The waiting scans that are not on the list of pallets. They lie over the page, so that the figure keeps its size. */
export const AsideList: FC = () => (
  <OverPage id="set-aside" label={useWords().t('gate.aside')}>
    <ul class="rows" id="aside" data-own />
  </OverPage>
);

/** The lines between the header and the work. If there is little room, they scroll. `children`: further lines. */
export const Strips: FC<PropsWithChildren<{ page: GatePage; rights: Rights }>> = ({
  page: { gate },
  rights,
  children,
}) => (
  <div class="strips">
    <AlertLine gate={gate} rights={rights} />
    {children}
    <div class="strip" id="others" hidden data-own />
    <div class="strip" id="photos" hidden data-own>
      <p role="status" />
    </div>
  </div>
);

/** The input for scans. It keeps the focus, because a hand scanner types a code and Enter. */
export const ScanBox: FC<{ gate: BoardGate; camera?: boolean }> = ({ gate, camera }) => {
  const { t } = useWords();
  return (
    <Form<GateActions> action="scan" to={`/app/gate/${gate.uuid}`} class="scanbox">
      <Icon name="scan" />
      <label class="hidden" for="scan">
        {t('gate.scan')}
      </label>
      <ScannedInput name="scan" placeholder={t('gate.scanNext')} />
      <button type="submit" class="button quiet">
        {t('gate.enter')}
      </button>
      {camera && (
        <a class="button quiet to-camera" href={`/app/gate/${gate.uuid}/scan`}>
          <Icon name="camera" /> <span>{t('gate.camera')}</span>
        </a>
      )}
    </Form>
  );
};

/** The result of the last scan, always in the same place. */
export const ScanAnswer: FC = () => {
  const { flash, failed } = usePageState();
  const text = failed?.refusal.detail ?? flash;
  return (
    <div
      class={failed ? 'ans bad' : text ? 'ans told' : 'ans none'}
      id="answer"
      role={failed ? 'alert' : 'status'}
      data-code={failed?.refusal.code}
      data-own
    >
      {text && <p>{text}</p>}
      {flash && <UndoButton />}
    </div>
  );
};

/** The question which pallet was scanned. Scripts add the questions about later scans. */
export const ScanChoices: FC<{ choice?: Choice | undefined }> = ({ choice }) => (
  <div id="choices" class="choices" role="status" data-own>
    {choice && (
      <fieldset>
        <legend>
          {choice.question} {choice.said}
        </legend>
        {choice.choices.map(({ pallet, note }) => (
          <ActionButton<GateActions> action="scan" values={{ scan: pallet }} quiet>
            <PalletId id={pallet} /> <small>{note}</small>
          </ActionButton>
        ))}
      </fieldset>
    )}
  </div>
);
