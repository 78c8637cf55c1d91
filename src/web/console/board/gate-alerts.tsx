import type { FC, PropsWithChildren } from 'hono/jsx';
import { kindOf } from '../../../dispatch/alert/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { ActionButton } from '../../ui/form/form.tsx';
import { PalletId, WithPallets } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { useZone } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { Refused } from './forms.tsx';
import { GATE_LIMITS } from './gate-store.ts';
import { At, alertWords, upTo } from './parts.tsx';
import type { BoardGate, OpenAlert, Rights } from './rules.ts';

/**
 * The open alerts of a gate that do not change its state, in one line: the most severe alert, and the number of alerts. The
 * line opens the list. The list lies over the page, so that the count and the input for scans keep their places. The header
 * says how late its load is, so the alert about this is left out.
 */
export const AlertLine: FC<{ gate: BoardGate; rights: Rights }> = ({ gate, rights }) => {
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
export const OverPage: FC<PropsWithChildren<{ id: string; label: string; class?: string }>> = ({
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
