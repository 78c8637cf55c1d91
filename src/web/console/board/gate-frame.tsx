import type { FC, PropsWithChildren } from 'hono/jsx';
import { kindOf } from '../../../dispatch/alert/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { UndoButton } from '../../ui/confirm/undo.tsx';
import { ActionButton, Form, ScannedInput } from '../../ui/form/form.tsx';
import { PalletId, WithPallets } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { usePageState, useZone } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { At, alertWords, upTo } from './board-parts.tsx';
import { Refused } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import type { BoardGate, OpenAlert, Rights } from './rules.ts';
import type { Choice } from './scan-action.ts';

/**
 * The open alerts of a gate that do not change its state, in one line: the most severe alert, and the number of alerts. The
 * line opens the list. The list lies over the page, so that the count and the input for scans keep their places. The header
 * says how late its load is, so the alert about this is left out.
 */
const AlertLine: FC<{ gate: BoardGate; rights: Rights }> = ({ gate, rights }) => {
  const words = useWords();
  const { t, number } = words;
  const zone = useZone();
  const [thing] = gate.active;
  const alerts = gate.alerts.filter(
    (alert) => !(kindOf(alert).atGate === 'LATENESS' && alert.recordUuid === thing?.uuid),
  );
  const { shown, more } = upTo(alerts, GATE_LIMITS.alerts);
  const [first] = shown;
  if (!first) return null;
  const messageOf = (alert: OpenAlert) => alertWords(words, alert, { gate: gate.name, zone });
  const count = shown.length;
  return (
    <>
      <button type="button" class="strip alerts" popovertarget="alerts">
        <Icon name={kindOf(first).icon} />
        <span class="first">
          <WithPallets text={messageOf(first)} />
        </span>
        <span class="hidden">{t('gate.alerts', { count })}</span>
        <b class="counted" aria-hidden="true">
          {number(count)}
          {more && '+'}
        </b>
        <Icon name="next" />
      </button>
      <OverPage id="alerts" class="alert-list" label={t('gate.alerts', { count })}>
        {shown.map((alert) => (
          <OneAlert alert={alert} gate={gate} message={messageOf(alert)} rights={rights} />
        ))}
        {more && <p class="hint">{t('gate.first', { count })}</p>}
      </OverPage>
    </>
  );
};

/** A list that lies over the page until its last button closes it. */
const OverPage: FC<PropsWithChildren<{ id: string; label: string; class?: string }>> = ({
  id,
  label,
  class: kind = '',
  children,
}) => (
  <div class={`more ${kind}`.trim()} id={id} popover="auto" role="dialog" aria-label={label}>
    {children}
    <p class="row">
      <button type="button" class="button quiet" popovertarget={id} popovertargetaction="hide">
        {useWords().t('kit.close')}
      </button>
    </p>
  </div>
);

const OneAlert: FC<{ alert: OpenAlert; gate: BoardGate; message: string; rights: Rights }> = ({
  alert,
  gate,
  message,
  rights,
}) => {
  const { t, labelled } = useWords();
  return (
    <div class="row" id={`a-${alert.uuid}`} data-announce={t('gate.at', { gate: gate.name, message })}>
      <Icon name={kindOf(alert).icon} />
      <p>
        <WithPallets text={message} />{' '}
        <small>{kindOf(alert).about === 'DEVICE' ? t('gate.scanByHand') : <At date={alert.date} />}</small>
      </p>
      <Aboard alert={alert} />
      {rights.mark && (
        <ActionButton<GateActions>
          action="resolve"
          values={{ alert: alert.uuid }}
          quiet
          label={labelled(t('gate.done'), message)}
        >
          {t('gate.done')}
        </ActionButton>
      )}
      <Refused about={alert.uuid} />
    </div>
  );
};

/** The list of the pallets that are still aboard. */
const Aboard: FC<{ alert: OpenAlert }> = ({ alert: { uuid, stillAboard } }) => {
  const { t } = useWords();
  if (!stillAboard || stillAboard.wmsIds.length === 0) return null;
  const { count, wmsIds } = stillAboard;
  const more = count - wmsIds.length;
  return (
    <details id={`a-${uuid}-pallets`}>
      <summary class="button quiet">{t('gate.pallets')}</summary>
      <ul>
        {wmsIds.map((wmsId) => (
          <li>
            <PalletId id={wmsId} />
          </li>
        ))}
        {more > 0 && <li>{t('alert.moreNamed', { count: more })}</li>}
      </ul>
    </details>
  );
};

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
