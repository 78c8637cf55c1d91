import type { FC } from 'hono/jsx';
import { WithTimes } from '../kit/components.tsx';
import { Do, Form } from '../kit/form.tsx';
import { Icon } from '../kit/icons.tsx';
import { useShown } from '../kit/view.ts';
import { CompleteButton, Refused, StartButton } from './forms.tsx';
import { Hazard } from './gate-hazard.tsx';
import { GateLists } from './gate-pallets.tsx';
import { LoadBar, type Part, Plate, partsOf } from './gate-parts.tsx';
import { GATE_LIMITS, type GatePage } from './gate-store.ts';
import { MoreAtGate } from './gate-things.tsx';
import { At, kindOf, Live, palletsOf } from './parts.tsx';
import { type BoardGate, isReady, sumOf, topicsOf, troubleOf, waitingTopics } from './rules.ts';
import type { Rights } from './view.tsx';

/** What the tab of a gate says. */
export function gateTitle(gate: BoardGate): string {
  if (troubleOf(gate).wrong.length > 0) return `WRONG PALLET, ${gate.name}`;
  if (gate.active.length === 0) return gate.name;
  const { loaded, total } = sumOf(gate);
  return `${loaded} / ${total}, ${gate.name}`;
}

/** The page of a gate: scan first, for a tablet at arm's length and a screen at five metres. */
export const GateView: FC<{ page: GatePage; rights: Rights; q: string | null }> = ({ page, rights, q }) => {
  const { gate } = page;
  const { wrong } = troubleOf(gate);
  return (
    <Live
      sequenceNumber={page.sequenceNumber}
      title={gateTitle(gate)}
      topics={[...topicsOf(gate), ...waitingTopics(page.unassigned)]}
      class="gate-page"
    >
      {wrong.length > 0 && <Hazard wrong={wrong} gate={gate} rights={rights} />}
      <GateHead page={page} />
      <Strips page={page} rights={rights} />
      <div class="gbody">
        <section class="gl" aria-label="Progress">
          <Count page={page} />
          {rights.mark && <ScanBox gate={gate} camera />}
          <Answer />
        </section>
        <GateLists page={page} rights={rights} q={q} />
      </div>
      <GateFoot page={page} rights={rights} />
    </Live>
  );
};

/** Gate, what is loaded, and whether this screen is live. */
const GateHead: FC<{ page: GatePage }> = ({ page: { gate } }) => {
  const [thing] = gate.active;
  return (
    <header class="ghead">
      <a class="to-board" href="/app/board">
        <Plate gate={gate} />
        <span class="hidden">Gate board</span>
      </a>
      <div class="who">
        <h1>{gate.name}</h1>
        <p class="sub">
          {thing
            ? `${kindOf(thing)} ${thing.externalIdentifier}`
            : gate.deleted
              ? 'Out of service'
              : 'Nothing is being loaded here.'}
        </p>
      </div>
      <Toggles gate={gate} />
    </header>
  );
};

/** Whether this screen is live, and whether it can be heard. */
export const Toggles: FC<{ gate: BoardGate }> = ({ gate }) => (
  <div class="toggles" data-own>
    <a class="tog feed" id="again" href={`/app/gate/${gate.uuid}`}>
      <Icon name="live" class="if-live" />
      <Icon name="offline" class="if-not" />
      <span id="feed" role="status">
        Not live
      </span>
      <span class="hidden">Refresh</span>
    </a>
    <button type="button" class="tog" id="sound" hidden>
      <Icon name="sound" />
      <span>Sound</span>
    </button>
  </div>
);

/** What is amiss beside the work: never its state. */
export const Strips: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const { alerts } = troubleOf(gate);
  return (
    <div class="strips">
      <p class="strip dark" id="offline" role="status" hidden data-own />
      {alerts.slice(0, GATE_LIMITS.alerts).map((alert) => (
        <div class="strip" id={`a-${alert.uuid}`} data-announce={`At ${gate.name}: ${alert.message}`}>
          <Icon name="camera" />
          <p>
            <WithTimes text={alert.message} />{' '}
            <small>
              {alert.alertType === 'DEVICE_OFFLINE' ? (
                'Scan by hand what it misses.'
              ) : (
                <At date={alert.date} />
              )}
            </small>
          </p>
          {rights.mark && (
            <Do action="resolve" values={{ alert: alert.uuid }} quiet label={`Done: ${alert.message}`}>
              Done
            </Do>
          )}
          <Refused about={alert.uuid} />
        </div>
      ))}
    </div>
  );
};

/** The largest thing of the page: how many are in, and what to do now. */
const Count: FC<{ page: GatePage }> = ({ page }) => {
  const { gate } = page;
  if (gate.active.length === 0) return <Idle gate={gate} />;
  const { loaded, total, missing } = sumOf(gate);
  const ready = gate.active.every(isReady);
  const parts = partsOf(page);
  return (
    <div class={ready ? 'count alldone' : 'count'}>
      <div class="lead">
        <p class="todo">
          {ready ? (
            <>
              <Icon name="done" /> All loaded
            </>
          ) : total === 0 ? (
            'No pallets'
          ) : (
            `${missing} to load`
          )}
        </p>
        <p class="waits" id="waits" role="status" hidden data-own />
      </div>
      <div class="fit">
        <p class="n">
          <b>{loaded}</b> <span>/ {total}</span>
          <span class="hidden"> pallets loaded</span>
        </p>
      </div>
      <div>
        <LoadBar parts={parts} />
        {parts.length > 1 && <PartList parts={parts} />}
      </div>
    </div>
  );
};

const PartList: FC<{ parts: readonly Part[] }> = ({ parts }) => (
  <ul class="mans" aria-label="Manifests">
    {parts.map(({ name, loaded, total }) => (
      <li class={loaded === total ? 'ok' : undefined}>
        {loaded === total && <Icon name="check" />} {name} <b>{loaded}</b> / {total}
      </li>
    ))}
  </ul>
);

const Idle: FC<{ gate: BoardGate }> = ({ gate }) => {
  const [next] = gate.waiting;
  return (
    <div class="count idle">
      <p class="todo">{next ? 'Ready to start' : gate.deleted ? 'Out of service' : 'Free'}</p>
      {next && (
        <p class="next-up">
          {kindOf(next)} {next.externalIdentifier} <small>{palletsOf(next)}</small>
        </p>
      )}
    </div>
  );
};

/** The box that always listens: what a hand scanner types ends with Enter. */
export const ScanBox: FC<{ gate: BoardGate; camera?: boolean }> = ({ gate, camera }) => (
  <Form action="scan" to={`/app/gate/${gate.uuid}`} class="scanbox">
    <Icon name="scan" />
    <label class="hidden" for="scan">
      Scan a pallet
    </label>
    <input
      id="scan"
      name="scan"
      placeholder="Scan next pallet"
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      maxlength={255}
      enterkeyhint="send"
      required
      autofocus
    />
    <button type="submit" class="button quiet">
      Enter
    </button>
    {camera && (
      <a class="button quiet to-camera" href={`/app/gate/${gate.uuid}/scan`}>
        <Icon name="camera" /> <span>Camera</span>
      </a>
    )}
  </Form>
);

/** What became of the last scan: in a place that is always there. */
export const Answer: FC = () => {
  const { flash, failed } = useShown();
  const text = failed?.refusal.detail ?? flash;
  return (
    <div
      class={failed ? 'ans bad' : text ? 'ans told' : 'ans none'}
      id="answer"
      role={failed ? 'alert' : 'status'}
      data-own
    >
      {text && <p>{text}</p>}
    </div>
  );
};

/** What was noted, what else there is, and the one next action. */
const GateFoot: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { active, waiting } = page.gate;
  const notes = active.map((thing) => thing.notes).filter(Boolean);
  return (
    <footer class="gfoot">
      <p class="memo">
        {notes.length > 0 && (
          <>
            <Icon name="list" /> <span>{notes.join(' · ')}</span>
          </>
        )}
      </p>
      <MoreAtGate page={page} rights={rights} />
      {rights.operate && (
        <div class="next">
          {active.map((thing) => (
            <CompleteButton thing={thing} />
          ))}
          {active.length === 0 && waiting[0] && <StartButton thing={waiting[0]} />}
        </div>
      )}
    </footer>
  );
};
