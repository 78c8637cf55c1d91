import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { MINUTE_MS } from '../../../core/lib/time.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { BarPart } from '../../../pallet/load-bar.ts';
import { LoadBar, Plate } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { DepartureClock } from '../../ui/parts/roles.tsx';
import { useZone } from '../../ui/parts/view.ts';
import { BadgeBox, PageUser } from '../tablet/page-user.tsx';
import { TruckAtGate } from './arrival.tsx';
import { kindName, Live, palletsText } from './board-parts.tsx';
import { FinishButton, StartButton, startsInSight } from './forms.tsx';
import {
  AsideButton,
  AsideList,
  OfflineStrip,
  ScanAnswer,
  ScanBox,
  ScanChoices,
  Strips,
  Toggles,
} from './gate-frame.tsx';
import { Hazard } from './gate-hazard.tsx';
import { HeldList } from './gate-held.tsx';
import { MoreAtGate } from './gate-loads.tsx';
import type { NoteAsked } from './gate-note.tsx';
import { GateLists } from './gate-pallets.tsx';
import { LeftHere, SignedHere } from './gate-signed.tsx';
import type { GatePage } from './gate-store.ts';
import { type LoadingPace, paceOf } from './pace.ts';
import {
  areUnknown,
  type BoardGate,
  badgeTopics,
  gateTopics,
  isReady,
  palletTopics,
  progressOf,
  type Rights,
  signedTopics,
  sumOf,
  waitingTopics,
} from './rules.ts';
import type { Choice } from './scan-action.ts';

/** The manifests of the load in progress, in order. Several loads have a part each. */
const boardParts = ({ gate, members }: Pick<GatePage, 'gate' | 'members'>): BarPart[] =>
  gate.active.flatMap((thing) => {
    const own = members.filter(
      ({ shipmentUuid, status }) => shipmentUuid === thing.uuid && status !== 'CANCELLED',
    );
    return (own.length > 0 && gate.active.length === 1 ? own : [thing]).map(
      ({ externalIdentifier, counts }) => {
        const { loaded, total } = progressOf(counts);
        return { name: externalIdentifier, loaded, total };
      },
    );
  });

/** The title of a gate's page. */
export function gateTitle({ t, number }: Words, gate: BoardGate): string {
  const { wrong } = gate;
  if (wrong.length > 0)
    return t(areUnknown(wrong) ? 'gate.tabUnknown' : 'gate.tabWrong', { gate: gate.name });
  if (gate.active.length === 0) return gate.name;
  const { loaded, total } = sumOf(gate);
  return `${number(loaded)} / ${number(total)}, ${gate.name}`;
}

/**
 * The page of a gate. Scanning comes first. It is readable on a tablet at arm's length, and on a screen from
 * five metres.
 */
export const GatePanel: FC<{
  page: GatePage;
  rights: Rights;
  q: string | null;
  now: number;
  /** The question about the last scan, if it may mean several pallets. */
  choice: Choice | undefined;
  noted: NoteAsked;
}> = ({ page, rights, q, now, choice, noted }) => {
  const { gate } = page;
  const { wrong } = gate;
  const words = useWords();
  return (
    <Live
      sequenceNumber={page.sequenceNumber}
      title={gateTitle(words, gate)}
      topics={[
        ...gateTopics(gate),
        ...waitingTopics(page.unassigned),
        ...palletTopics(page),
        ...badgeTopics(page),
        ...signedTopics(page.signed),
      ]}
      class="gate-page"
    >
      {wrong.length > 0 && <Hazard wrong={wrong} gate={gate} rights={rights} />}
      <GateHead page={page} rights={rights} />
      <HeldList page={page} />
      <OfflineStrip>
        <AsideButton />
      </OfflineStrip>
      <AsideList />
      <Strips page={page} rights={rights} />
      <div class="gbody">
        <section class="gl" aria-label={words.t('gate.progress')}>
          <Count page={page} now={now} rights={rights} />
          <BadgeBox />
          {rights.mark && <ScanBox gate={gate} camera />}
          <div class="result" tabindex={0}>
            <ScanAnswer />
          </div>
        </section>
        <div class="gside">
          <ScanChoices choice={choice} />
          <GateLists page={page} rights={rights} q={q} noted={noted} />
        </div>
      </div>
      <GateFoot page={page} rights={rights} />
    </Live>
  );
};

/** The header: the gate, the load in progress, and whether the screen is live. */
const GateHead: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate }, rights }) => {
  const [thing] = gate.active;
  const words = useWords();
  const { t } = words;
  const zone = useZone();
  // If nothing is in progress: the departure of the load that can be started next.
  const departureDate = (thing ?? gate.waiting[0])?.departureDate;
  return (
    <header class="ghead">
      {rights.desk ? (
        <a class="to-board" href="/app/board">
          <Plate gate={gate} />
          <span class="hidden">{t('gate.board')}</span>
        </a>
      ) : (
        <Plate gate={gate} />
      )}
      <div class="who">
        {thing?.carrier && <p class="with">{thing.carrier}</p>}
        <h1>{gate.name}</h1>
        <p class="sub">
          {thing
            ? listed(
                `${kindName(words, thing)} ${gate.active.map((one) => one.externalIdentifier).join(', ')}`,
                gate.active.length === 1 && thing.vehicle,
              )
            : gate.deleted
              ? t('state.OUT')
              : t('gate.nothingLoading')}
        </p>
      </div>
      {departureDate && (
        <p class="departs">
          <span class="label">{t('gate.departs')}</span> <DepartureClock at={departureDate} zone={zone} />
        </p>
      )}
      <Toggles gate={gate} />
    </header>
  );
};

/** The main figure: how many pallets are loaded, and what to do next. */
const Count: FC<{ page: GatePage; now: number; rights: Rights }> = ({ page, now, rights }) => {
  const { gate } = page;
  const words = useWords();
  const { t, number } = words;
  if (gate.active.length === 0) return <Idle page={page} rights={rights} />;
  const { loaded, total, missing } = sumOf(gate);
  const ready = gate.active.every(isReady);
  const parts = boardParts(page);
  const pace = paceOf(page.loaded, missing, now);
  const zone = useZone();
  return (
    <div class={ready ? 'count alldone' : 'count'}>
      <div class="lead">
        <p class="todo">
          {ready ? (
            <>
              <Icon name="done" /> {t('state.READY')}
            </>
          ) : total === 0 ? (
            t('gate.noPallets')
          ) : (
            t('gate.countToLoad', { count: missing })
          )}
        </p>
        <SignedHere signed={page.signed} />
        <p class="waits" id="waits" role="status" hidden data-own />
      </div>
      {pace && <p class="pace">{paceWords(words, pace, zone)}</p>}
      <TruckAtGate thing={gate.active[0]} rights={rights} />
      <div class="fit">
        <p class={`n digits-${Math.min(String(total).length, DIGITS_MAXIMUM)}`}>
          <b>{number(loaded)}</b> <span>/ {number(total)}</span>
          <span class="hidden"> {t('gate.palletsLoaded')}</span>
        </p>
      </div>
      <div class="bar">
        <LoadBar parts={parts} />
        {parts.length > 1 && <PartList parts={parts} />}
      </div>
    </div>
  );
};

/** Totals with this many digits, or more, have the smallest figure. */
const DIGITS_MAXIMUM = 4;

/** More manifests than this may need more lines than the list shows. */
const MANIFESTS_IN_SIGHT = 2;

const PartList: FC<{ parts: readonly BarPart[] }> = ({ parts }) => {
  const { t, number } = useWords();
  return (
    <ul
      class="mans"
      aria-label={t('gate.manifests')}
      tabindex={parts.length > MANIFESTS_IN_SIGHT ? 0 : undefined}
    >
      {parts.map(({ name, loaded, total }) => (
        <li class={loaded === total ? 'ok' : undefined}>
          {loaded === total && <Icon name="check" />} {name} <b>{number(loaded)}</b> / {number(total)}
        </li>
      ))}
    </ul>
  );
};

const Idle: FC<{ page: GatePage; rights: Rights }> = ({ page: { gate, signed }, rights }) => {
  const shown = startsInSight(gate);
  const [next] = shown;
  const others = gate.totals.waiting - shown.length;
  const words = useWords();
  const { t } = words;
  return (
    <div class="count idle">
      <LeftHere signed={signed} />
      <p class="todo">{t(next ? 'gate.readyToStart' : gate.deleted ? 'state.OUT' : 'state.FREE')}</p>
      {shown.map((load) => (
        <p class="next-up">
          {kindName(words, load)} <b>{load.externalIdentifier}</b>{' '}
          <small>{listed(palletsText(words, load), load.carrier, load.vehicle)}</small>
        </p>
      ))}
      {others > 0 && <p class="next-up">{t('alert.moreNamed', { count: others })}</p>}
      <TruckAtGate thing={next} rights={rights} />
    </div>
  );
};

/** The tablet and its worker, comments, the menu of other actions, and the one next action. */
const GateFoot: FC<{ page: GatePage; rights: Rights }> = ({ page, rights }) => {
  const { active } = page.gate;
  const notes = active.map((thing) => thing.notes).filter(Boolean);
  return (
    <footer class="gfoot">
      <PageUser />
      <p class="memo">
        {notes.length > 0 && (
          <>
            <Icon name="list" /> <span>{notes.join(' · ')}</span>
          </>
        )}
      </p>
      <MoreAtGate page={page} rights={rights} />
      {rights.load && (
        <div class="next">
          {active.map((thing, _, { length }) => (
            <FinishButton thing={thing} named={length > 1} />
          ))}
          {startsInSight(page.gate).map((thing, at, { length }) => (
            <StartButton thing={thing} named={length > 1} quiet={at > 0} />
          ))}
        </div>
      )}
    </footer>
  );
};

function paceWords({ t }: Words, { each, readyDate }: LoadingPace, zone: string): string {
  const time = clockIn(zone, readyDate);
  return each >= MINUTE_MS
    ? t('gate.paceSlow', { minutes: Math.round(each / MINUTE_MS), time })
    : t('gate.pace', { rate: Math.round(MINUTE_MS / each), time });
}
