import type { FC } from 'hono/jsx';
import {
  At,
  AuditLink,
  CompleteButton,
  Do,
  Live,
  MoreAboutThing,
  Progress,
  palletsOf,
  Refused,
  RemoveButton,
  StartButton,
  StateBand,
  ThingName,
  thingValue,
  titleOf,
  upTo,
  whereTo,
  wrongWords,
} from './board-parts.tsx';
import {
  type GateName,
  type Member,
  namesOf,
  progressOf,
  stateOf,
  type Thing,
  troubleOf,
  type WrongPallet,
  waitingNames,
} from './board-rules.ts';
import { BOARD_LIMITS, GATE_LIMITS, type GatePage } from './board-store.ts';
import type { Rights } from './board-view.tsx';
import { Badge } from './components.tsx';
import { Form, Hidden, Submit } from './form.tsx';
import { LoadedPallets, OpenPallets, PalletSearch } from './gate-pallets.tsx';

/** The page of a gate, for a tablet beside its door. */
export const GateView: FC<{ page: GatePage; rights: Rights; q: string | null }> = ({ page, rights, q }) => {
  const { gate } = page;
  const state = stateOf(gate);
  const trouble = troubleOf(gate);
  return (
    <Live
      sequenceNumber={page.sequenceNumber}
      title={titleOf(gate, state)}
      names={[...namesOf(gate), ...waitingNames(page.unassigned)]}
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
          <WaitingThings page={page} rights={rights} />
          {rights.audit && (
            <p>
              <AuditLink type="gate" uuid={gate.uuid} name={gate.name} />
            </p>
          )}
        </div>
      </div>
    </Live>
  );
};

/** The first so that it can be read from afar, the others below it. */
const WrongPallets: FC<{ wrong: WrongPallet[]; gate: GateName; rights: Rights }> = ({
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
              <Do action="resolve" fields={{ alert: alert.uuid }} quiet label={`Seen to: ${alert.message}`}>
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

const ActiveThings: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { shown, more } = upTo(page.gate.active, GATE_LIMITS.active);
  return (
    <section class="card" aria-labelledby="active-title">
      <h2 id="active-title">Loading now</h2>
      {shown.length === 0 && <p class="hint">Nothing is being loaded here.</p>}
      {shown.map((thing) => (
        <article class="active-thing" id={`t-${thing.uuid}`}>
          <h3>
            <ThingName thing={thing} />
          </h3>
          <Progress counts={thing.counts} label={thing.externalIdentifier} />
          <p class="hint">
            Since <At date={thing.activateDate} />
          </p>
          {thing.notes && <p class="notes">{thing.notes}</p>}
          <Members members={page.members.filter(({ shipmentUuid }) => shipmentUuid === thing.uuid)} />
          <div class="actions">
            {rights.operate && <CompleteButton thing={thing} />}
            <MoreAboutThing thing={thing} audit={rights.audit} change={rights.operate}>
              {rights.operate && <MoveForm thing={thing} page={page} />}
            </MoreAboutThing>
          </div>
          <Refused about={thingValue(thing)} />
        </article>
      ))}
      {more && <p class="hint">The first {GATE_LIMITS.active} are shown.</p>}
    </section>
  );
};

const Members: FC<{ members: readonly Member[] }> = ({ members }) =>
  members.length < 2 ? null : (
    <ul class="members" aria-label="Manifests">
      {members.map(({ uuid, externalIdentifier, status, counts }) => {
        const { loaded, total } = progressOf(counts);
        return (
          <li>
            <a href={`/app/manifest/${uuid}`}>{externalIdentifier}</a>{' '}
            {status === 'CANCELLED' ? <Badge status={status} /> : `${loaded} / ${total}`}
          </li>
        );
      })}
    </ul>
  );

/** Bring something to another gate. */
const MoveForm: FC<{ thing: Thing; page: GatePage }> = ({ thing, page: { gate, gates } }) => {
  const others = gates.filter(({ uuid }) => uuid !== gate.uuid);
  const id = `move-${thing.uuid}`;
  return others.length === 0 ? null : (
    <Form action="assign" class="inline" label={`Move ${thing.externalIdentifier} to another gate`}>
      <Hidden name="thing" value={thingValue(thing)} />
      <div class="field">
        <label for={id}>Move to gate</label>
        <select id={id} name="gate" required>
          <option value="">Choose a gate</option>
          {others.map(({ uuid, name }) => (
            <option value={uuid}>{name}</option>
          ))}
        </select>
      </div>
      <Submit quiet>Move</Submit>
    </Form>
  );
};

/** What is to be loaded here next. */
const NextThings: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { shown, more } = upTo(page.gate.waiting, GATE_LIMITS.waiting);
  return (
    <section class="card" aria-labelledby="next-title">
      <h2 id="next-title">Next at this gate</h2>
      {shown.length === 0 && <p class="hint">Nothing is assigned.</p>}
      {shown.map((thing) => (
        <div class="row" id={`n-${thing.uuid}`}>
          <p>
            <ThingName thing={thing} /> <span class="hint">{palletsOf(thing)}</span>
          </p>
          <div class="actions">
            {rights.operate && <StartButton thing={thing} />}
            <MoreAboutThing thing={thing} audit={rights.audit} change={rights.operate}>
              {rights.operate && <MoveForm thing={thing} page={page} />}
            </MoreAboutThing>
          </div>
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {more && <p class="hint">The first {GATE_LIMITS.waiting} are shown.</p>}
    </section>
  );
};

/** What waits for a gate: this one, maybe. */
const WaitingThings: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate, unassigned }, rights }) => {
  const { shown, more } = upTo(unassigned, BOARD_LIMITS.unassigned);
  return (
    <section class="card" aria-labelledby="waiting-title">
      <h2 id="waiting-title">Waiting for a gate</h2>
      {shown.length === 0 && <p class="hint">Nothing waits.</p>}
      {shown.map((thing) => (
        <div class="row" id={`u-${thing.uuid}`}>
          <p>
            <ThingName thing={thing} /> <span class="hint">{palletsOf(thing)}</span>
          </p>
          {rights.operate && (
            <Do
              action="assign"
              fields={{ thing: thingValue(thing), gate: gate.uuid }}
              quiet
              label={`Bring here: ${thing.externalIdentifier}`}
            >
              Bring here
            </Do>
          )}
          <Refused about={thingValue(thing)} />
        </div>
      ))}
      {more && <p class="hint">The first {BOARD_LIMITS.unassigned} are shown.</p>}
    </section>
  );
};
