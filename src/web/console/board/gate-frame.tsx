import type { FC } from 'hono/jsx';
import { quoted } from '../../../core/lib/missing.ts';
import { useWords } from '../../../messages/context.ts';
import { PalletId } from '../kit/badges.tsx';
import { ActionButton, Form } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { ScannedInput } from '../kit/scanned-input.tsx';
import { usePageState, useZone } from '../kit/view.ts';
import { PageUser } from '../tablet/page-user.tsx';
import type { GateActions } from './actions.ts';
import { Refused } from './forms.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { At, alertIcon, alertWords } from './parts.tsx';
import type { BoardGate, BoardLoad, OpenAlert, Rights } from './rules.ts';
import type { Choice } from './scan-action.ts';

/** Shows whether the screen is live and its sound is on. */
export const Toggles: FC<{ gate: BoardGate }> = ({ gate }) => {
  const { t } = useWords();
  return (
    <div class="toggles" data-own>
      <a class="tog feed" id="again" href={`/app/gate/${gate.uuid}`}>
        <Icon name="live" class="if-live" />
        <Icon name="offline" class="if-not" />
        <span id="feed" role="status">
          {t('live.not')}
        </span>
        <span class="hidden">{t('gate.refresh')}</span>
      </a>
      <button type="button" class="tog" id="sound" hidden>
        <Icon name="sound" />
        <span>{t('gate.sound')}</span>
      </button>
    </div>
  );
};

/** Whether items and photos wait to be sent, and why. It stays in sight when the page is scrolled. */
export const OfflineStrip: FC = () => (
  <>
    <p class="strip dark" id="offline" role="status" hidden data-own />
    <div class="strip" id="photos" hidden data-own>
      <p role="status" />
    </div>
  </>
);

/** Whether an alert only says that the load in the header of the page is late. The header shows this, too. */
const isInHeader = ({ alertType, message }: OpenAlert, thing: BoardLoad | undefined): boolean =>
  alertType === 'DEPARTURE_LATE' &&
  thing !== undefined &&
  message.startsWith(`Shipment ${quoted(thing.externalIdentifier)} `);

/** Open alerts of the gate that do not change its state. */
export const Strips: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const alerts = gate.alerts.filter((alert) => !isInHeader(alert, gate.active[0]));
  const words = useWords();
  const { t } = words;
  const zone = useZone();
  const shown = alerts.slice(0, GATE_LIMITS.alerts).map((alert) => ({
    alert,
    message: alertWords(words, alert, { gate: gate.name, zone }),
  }));
  return (
    <div class="strips">
      <PageUser />
      {shown.map(({ alert, message }) => (
        <div class="strip" id={`a-${alert.uuid}`} data-announce={t('gate.at', { gate: gate.name, message })}>
          <Icon name={alertIcon(alert)} />
          <p>
            {message}{' '}
            <small>
              {alert.alertType === 'DEVICE_OFFLINE' ? t('gate.scanByHand') : <At date={alert.date} />}
            </small>
          </p>
          <Aboard alert={alert} />
          {rights.mark && (
            <ActionButton<GateActions>
              action="resolve"
              values={{ alert: alert.uuid }}
              quiet
              label={words.labelled(t('gate.done'), message)}
            >
              {t('gate.done')}
            </ActionButton>
          )}
          <Refused about={alert.uuid} />
        </div>
      ))}
    </div>
  );
};

/** The list of the pallets that are still aboard. It opens over the page, so that the count and the input for scans do not move. */
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
            {pallet} <small>{note}</small>
          </ActionButton>
        ))}
      </fieldset>
    )}
  </div>
);
