import type { FC } from 'hono/jsx';
import type { GateReference } from '../../site/rules.ts';
import { Badge } from '../kit/components.tsx';
import { Do } from '../kit/form.tsx';
import { AuditLink, Refused, RemoveButton } from './forms.tsx';
import { LoadedPallets, OpenPallets, PalletSearch } from './gate-pallets.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { ActiveThings, NextThings, WaitingThings } from './gate-things.tsx';
import { At, Live, StateBand, titleOf, upTo, whereTo, wrongWords } from './parts.tsx';
import { stateOf, topicsOf, troubleOf, type WrongPallet, waitingTopics } from './rules.ts';
import type { Rights } from './view.tsx';

/** The page of a gate, for a tablet beside its door. */
export const GateView: FC<{ page: GatePage; rights: Rights; q: string | null }> = ({ page, rights, q }) => {
  const { gate } = page;
  const state = stateOf(gate);
  const trouble = troubleOf(gate);
  return (
    <Live
      sequenceNumber={page.sequenceNumber}
      title={titleOf(gate, state)}
      topics={[...topicsOf(gate), ...waitingTopics(page.unassigned)]}
      class="gate-page"
    >
      <div class="gate-state" data-state={state}>
        <StateBand state={state} big />
      </div>
      <WrongPallets wrong={trouble.wrong} gate={gate} rights={rights} />
      <Alerts page={page} rights={rights} />
      <div class="gate-columns">
        <div class="gate-column">
          <ActiveThings page={page} rights={rights} />
          <PalletSearch page={page} q={q} rights={rights} />
          <OpenPallets page={page} rights={rights} />
        </div>
        <div class="gate-column">
          <NextThings page={page} rights={rights} />
          <LoadedPallets page={page} rights={rights} />
          {!gate.deleted && <WaitingThings page={page} rights={rights} />}
          {rights.audit && (
            <p>
              <AuditLink uuid={gate.uuid} name={gate.name} />
            </p>
          )}
        </div>
      </div>
    </Live>
  );
};

/** The first so that it can be read from afar, the others below it. */
const WrongPallets: FC<{ wrong: WrongPallet[]; gate: GateReference; rights: Rights }> = ({
  wrong,
  gate,
  rights,
}) => {
  if (wrong.length === 0) return null;
  const { shown, more } = upTo(wrong, GATE_LIMITS.wrong);
  return (
    <section class="wrong-pallets" aria-labelledby="wrong-title" id="wrong" tabindex={-1}>
      <div class="hazard" aria-hidden="true" />
      <h2 id="wrong-title">
        <span aria-hidden="true" class="sign">
          ✖
        </span>{' '}
        {headline(wrong)}
      </h2>
      <ul>
        {shown.map((pallet) => (
          <li
            class="wrong-pallet"
            id={`w-${pallet.recordUuid}`}
            data-announce={wrongWords(pallet, gate.name)}
          >
            <p class="what">{pallet.wmsId ?? pallet.markerCode}</p>
            <p class="where">
              {whereTo(pallet)}{' '}
              <span class="seen">
                Read <At date={pallet.date} />
                {pallet.wmsId !== null && pallet.markerCode !== null && `, marker ${pallet.markerCode}`}, on{' '}
                {pallet.manifestExternalId}.
              </span>
            </p>
            {rights.mark && <RemoveButton wrong={pallet} />}
            <Refused about={pallet.recordUuid} />
          </li>
        ))}
      </ul>
      {more && <p>And more: the first {GATE_LIMITS.wrong} are shown.</p>}
      <div class="hazard" aria-hidden="true" />
    </section>
  );
};

function headline(wrong: readonly WrongPallet[]): string {
  if (wrong.length > 1) return `${wrong.length} wrong pallets`;
  return wrong[0]!.loadingStatus === 'UNKNOWN_LOADING' ? 'Unknown pallet' : 'Wrong pallet';
}

/** Alerts that are not about a pallet on the truck. */
const Alerts: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const { alerts } = troubleOf(gate);
  if (alerts.length === 0) return null;
  return (
    <section class="card gate-alert-list" aria-labelledby="alerts-title">
      <h2 id="alerts-title">Alerts</h2>
      <ul class="plain">
        {alerts.map((alert) => (
          <li id={`a-${alert.uuid}`} class="row" data-announce={`Alert at ${gate.name}: ${alert.message}`}>
            <p>
              <Badge status={alert.severity} /> {alert.message} <At date={alert.date} />
            </p>
            {rights.mark && (
              <Do action="resolve" values={{ alert: alert.uuid }} quiet label={`Seen to: ${alert.message}`}>
                Seen to
              </Do>
            )}
            <Refused about={alert.uuid} />
          </li>
        ))}
      </ul>
    </section>
  );
};
