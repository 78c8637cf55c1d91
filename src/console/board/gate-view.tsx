import type { FC } from 'hono/jsx';
import { clockIn } from '../../lib/zone.ts';
import { Icon } from '../kit/icons.tsx';
import { useShown } from '../kit/view.ts';
import { BadgeBox } from '../tablet/whose.tsx';
import { CompleteButton, StartButton } from './forms.tsx';
import { Answer, ScanBox, Strips, Toggles } from './gate-frame.tsx';
import { Hazard } from './gate-hazard.tsx';
import { paceOf } from './gate-pace.ts';
import { GateLists } from './gate-pallets.tsx';
import { LoadBar, type Part, Plate, partsOf } from './gate-parts.tsx';
import type { GatePage } from './gate-store.ts';
import { MoreAtGate } from './gate-things.tsx';
import { kindOf, Leaves, Live, palletsOf } from './parts.tsx';
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
export const GateView: FC<{ page: GatePage; rights: Rights; q: string | null; now: number }> = ({
  page,
  rights,
  q,
  now,
}) => {
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
      <GateHead page={page} rights={rights} />
      <Strips page={page} rights={rights} />
      <div class="gbody">
        <section class="gl" aria-label="Progress">
          <Count page={page} now={now} />
          <BadgeBox />
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
const GateHead: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const [thing] = gate.active;
  return (
    <header class="ghead">
      {rights.desk ? (
        <a class="to-board" href="/app/board">
          <Plate gate={gate} />
          <span class="hidden">Gate board</span>
        </a>
      ) : (
        <Plate gate={gate} />
      )}
      <div class="who">
        <h1>{gate.name}</h1>
        <p class="sub">
          {thing
            ? `${kindOf(thing)} ${thing.externalIdentifier}`
            : gate.deleted
              ? 'Out of service'
              : 'Nothing is being loaded here.'}{' '}
          {thing && <Leaves thing={thing} />}
        </p>
      </div>
      <Toggles gate={gate} />
    </header>
  );
};

/** The largest thing of the page: how many are in, and what to do now. */
const Count: FC<{ page: GatePage; now: number }> = ({ page, now }) => {
  const { gate } = page;
  if (gate.active.length === 0) return <Idle gate={gate} />;
  const { loaded, total, missing } = sumOf(gate);
  const ready = gate.active.every(isReady);
  const parts = partsOf(page);
  const pace = paceOf(page.loaded, missing, now);
  const zone = useShown().session?.organization.timeZone ?? 'UTC';
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
        {pace && (
          <p class="pace">
            {pace.words}, ready at {clockIn(zone, pace.readyDate)}
          </p>
        )}
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
