import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { listed } from '../../../core/lib/text.ts';
import { beginOf, capitalized, clockIn, dayAfter, dayIn, formatIn, isDay } from '../../../core/lib/zone.ts';
import { topicOf, WAITING } from '../../../delivery/live/rules.ts';
import { type GateReference, gatesInOrder } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { distanceIn, whenIn } from '../../../messages/duration.ts';
import { localeOf } from '../../../messages/languages.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { plansDay } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import { Plate } from '../../ui/parts/badges.tsx';
import { FigureTile } from '../../ui/parts/components.tsx';
import { schemaText } from '../../ui/parts/form-rules.ts';
import { Icon } from '../../ui/parts/icons.tsx';
import type { View } from '../../ui/parts/view.ts';
import { arrivedText } from '../board/arrival.tsx';
import { Live, LiveStatus, NoGates } from '../board/board-parts.tsx';
import { PlanForm } from '../start/checklist.tsx';
import { Gates } from './grid.tsx';
import { todayActions, undoQuery } from './move.ts';
import {
  clashesOf,
  commonStart,
  DAY_STATES,
  type Departure,
  dayState,
  gridOf,
  isHere,
  type Lane,
  lanesOf,
  lateBy,
  type TodayContext,
} from './rules.ts';
import { type Drawn, progress, STATES } from './slot.tsx';
import { DAY_LIMITS, readDay } from './store.ts';
import { MoveForm, Undo, WithoutGate } from './tray.tsx';

/** The address of a day's page. */
const addressOf = (day: string): string => `/app/today?day=${day}`;

/** The choice of the day, and the other buttons of its page. Days are written as 2026-11-22. */
const DayBar: FC<{ day: string; today: string; mayMove: boolean }> = ({ day, today, mayMove }) => {
  const { t } = useWords();
  return (
    <div class="days actions">
      <LiveStatus again={addressOf(day)} plain />
      <a class="button quiet" href={addressOf(dayAfter(day, -1))} rel="prev" aria-label={t('day.before')}>
        <Icon name="back" />
      </a>
      <form method="get" action="/app/today" id="pick-day">
        <input type="date" name="day" value={day} aria-label={t('day.day')} required />
        <noscript>
          <button type="submit" class="button quiet">
            {t('day.show')}
          </button>
        </noscript>
      </form>
      <a class="button quiet" href={addressOf(dayAfter(day, 1))} rel="next" aria-label={t('day.after')}>
        <Icon name="next" />
      </a>
      {day !== today && (
        <a class="button quiet" href="/app/today">
          {t('day.today')}
        </a>
      )}
      <a class="button quiet wide" href="/app/board?screen=wall">
        <Icon name="board" /> {t('board.wall')}
      </a>
      {mayMove && (
        <a class="button" href="/app/shipment/new" aria-label={t('make.shipment')}>
          <Icon name="plus" /> <span class="wide">{t('make.shipment')}</span>
        </a>
      )}
    </div>
  );
};

/**
 * The shipments that have not left, by departure, so late ones come first. Phones show it above the grid, which is too
 * wide for them.
 */
const OpenList: FC<{ departures: readonly Departure[]; shown: TodayContext }> = ({
  departures,
  shown: { zone, now },
}) => {
  const words = useWords();
  const { t } = words;
  if (departures.length === 0) return null;
  return (
    <ol class="open-list" aria-label={t('day.open')}>
      {departures.map((departure) => {
        const late = lateBy(departure, now);
        const { icon, class: tone } = STATES[dayState(departure)];
        return (
          <li>
            <a href={`/app/shipment/${departure.uuid}`}>
              {departure.gate ? (
                <Plate gate={departure.gate} />
              ) : (
                <span class="plate none" aria-hidden="true">
                  ?
                </span>
              )}
              <b>{departure.externalIdentifier}</b>
              <span class={late > 0 ? 'late' : undefined}>
                <b>{clockIn(zone, departure.departureDate)}</b> {late > 0 && whenIn(words, 'when.late', late)}
              </span>
              <span class="hint">{departure.carrier}</span>
              <span class={tone}>
                <Icon name={icon} /> {progress(words, departure)}
                {isHere(departure) && (
                  <>
                    {' '}
                    <Icon name="truck" />
                    <span class="hidden">{arrivedText(words, zone, departure.arrivalDate!)}</span>
                  </>
                )}
              </span>
            </a>
          </li>
        );
      })}
    </ol>
  );
};

/** The main figures for a dispatcher. */
const Figures: FC<{ departures: readonly Departure[]; shown: TodayContext }> = ({
  departures,
  shown: { zone, now },
}) => {
  const words = useWords();
  const { t } = words;
  const late = departures.filter((departure) => lateBy(departure, now) > 0);
  const wrong = departures.filter((departure) => dayState(departure) === 'WRONG');
  const left = departures.filter(({ status }) => status === 'COMPLETED');
  const next = departures.find(({ status, departureDate }) => status !== 'COMPLETED' && departureDate >= now);
  const short = left.filter((departure) => dayState(departure) === 'SHORT').length;
  const sum = (of: readonly Departure[], what: (departure: Departure) => number) =>
    of.reduce((total, departure) => total + what(departure), 0);
  return (
    <section class="figures" aria-label={t('day.now')}>
      <FigureTile
        name={t('day.trucksLate')}
        icon="clock"
        class={late.length > 0 ? 'late' : ''}
        value={late.length}
      >
        {named(words, late, (departure) =>
          t('day.lateBy', {
            name: departure.externalIdentifier,
            distance: distanceIn(words, lateBy(departure, now)),
          }),
        )}
      </FigureTile>
      <FigureTile
        name={t('day.wrongPallets')}
        icon="stop"
        class={wrong.length > 0 ? 'wrong' : ''}
        value={sum(wrong, (departure) => departure.wrong)}
      >
        {named(words, wrong, ({ externalIdentifier: name, gate }) =>
          gate ? t('day.wrongAt', { name, gate: gate.name }) : name,
        )}
      </FigureTile>
      <FigureTile
        name={t('day.leavesNext')}
        icon="load"
        value={next ? clockIn(zone, next.departureDate) : '–'}
      >
        {next &&
          listed(
            next.externalIdentifier,
            next.carrier,
            t('day.toLoad', { count: next.pallets - next.loaded }),
          )}
      </FigureTile>
      <FigureTile name={t('day.left')} icon="done" value={left.length} of={departures.length}>
        {t('day.pallets', { count: sum(left, ({ loaded }) => loaded) })}
        {short > 0 && `, ${t('day.short', { count: short })}`}
      </FigureTile>
    </section>
  );
};

/** A text about the first items, and the number of the others. */
function named(
  { t }: Words,
  departures: readonly Departure[],
  say: (departure: Departure) => string,
): string {
  const names = departures.slice(0, 2).map(say).join(', ');
  return departures.length > 2 ? t('day.andMore', { names, count: departures.length - 2 }) : names;
}

/** The legend of the slots, and how to move one. */
const Legend: FC<{ mayMove: boolean }> = ({ mayMove }) => {
  const { t } = useWords();
  return (
    <ul class="legend" aria-hidden="true">
      {DAY_STATES.map((state) => (
        <li class={STATES[state].class}>
          <Icon name={STATES[state].icon} /> {t(`dayState.${state}`)}
        </li>
      ))}
      <li class="how">
        {t('day.ends')} {mayMove && t('day.how')}
      </li>
    </ul>
  );
};

/** Gates with two shipments at once, which a dispatcher has to resolve. */
const Clashes: FC<{ lanes: readonly Lane[]; clashes: Drawn['clashes'] }> = ({ lanes, clashes }) => {
  const words = useWords();
  const at = lanes.flatMap(({ gate, lines }) => {
    const names = lines
      .flat()
      .filter(({ departure }) => clashes.has(departure.uuid))
      .map(({ departure }) => departure.externalIdentifier);
    return names.length === 0 ? [] : [{ gate: gate.name, names: words.list(names) }];
  });
  if (at.length === 0) return null;
  return (
    <div class="notice warn clashes">
      <p>
        <Icon name="warn" /> {words.t('day.clashTitle', { count: at.length })}
      </p>
      <ul>
        {at.map((clash) => (
          <li>{words.t('day.clash', clash)}</li>
        ))}
      </ul>
    </div>
  );
};

/** Minimum time between two refreshes of a live page, because each reads the whole day. */
const PAUSE_MS = 5_000;

const query = z.object({
  day: z.string().refine(isDay, schemaText('noDay')).optional(),
  undo: undoQuery,
});

/** The page of a day's departures, gate by gate. */
export function todayPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app/today',
    right: 'see',
    query,
    view: todayPage,
    actions: todayActions,
  });
}

async function todayPage(
  at: PageContext,
  _: unknown,
  { day: asked, undo }: z.output<typeof query>,
): Promise<View> {
  const { t, language } = at.words;
  const { timeZone: zone, shipmentCustomFields: fields } = at.session.organization;
  const now = Date.now();
  const today = dayIn(zone, now);
  const day = asked ?? today;
  const [begin, end] = [beginOf(zone, day), beginOf(zone, dayAfter(day, 1))];
  const locale = localeOf(language);
  const named = formatIn(zone, locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(day.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }),
  }).format(begin);
  const title = capitalized(named, locale);
  if (!plansDay(at.session)) {
    return { title, body: <Unplanned mayChange={at.may('changeSettings')} /> };
  }
  const read = await readDay(at.database, fields, { begin, end, late: day === today });
  const departures = read.departures.slice(0, DAY_LIMITS.shipments);
  const gates = gatesInOrder(read.gates.slice(0, DAY_LIMITS.gates));
  const assigned = departures.filter(({ gate }) => gate !== null);
  // A shipment without a gate can be dragged to its time, so its time is shown, too.
  const upcoming = departures.filter(
    ({ gate, departureDate }) => gate === null && departureDate >= Math.max(begin, now),
  );
  const grid = gridOf([...assigned, ...upcoming], begin, end, now);
  const open = departures.filter(({ status }) => status !== 'COMPLETED');
  const clashes = clashesOf(departures, now);
  const lanes = lanesOf(gates, assigned, grid, now);
  const mayMove = at.may('operate');
  const here = addressOf(day);
  const moved = mayMove && undo && open.find(({ uuid }) => uuid === undo.shipment);
  const shown = { zone, now };
  const tab = day === today ? t('day.today') : title;
  const start = commonStart(assigned.map(({ externalIdentifier }) => externalIdentifier));
  return {
    title,
    tab,
    styles: ['today.css'],
    scripts: ['today.js'],
    words: ['live'],
    aside: <DayBar day={day} today={today} mayMove={mayMove} />,
    body: (
      <Live
        sequenceNumber={read.sequenceNumber}
        title={tab}
        topics={topicsOf(departures, gates)}
        class="planned"
        pauseMs={PAUSE_MS}
      >
        <Figures departures={departures} shown={shown} />
        <OpenList departures={open} shown={shown} />
        {gates.length === 0 && <NoGates mayCreate={at.may('changeSite')} />}
        <Gates lanes={lanes} grid={grid} shown={{ ...shown, clashes, mayMove, start }} />
        <Legend mayMove={mayMove} />
        <Clashes lanes={lanes} clashes={clashes} />
        <WithoutGate
          departures={open.filter(({ gate }) => gate === null)}
          gates={gates}
          here={here}
          mayMove={mayMove}
          shown={shown}
        />
        {mayMove && <MoveForm departures={open} gates={gates} here={here} shown={shown} />}
        {(read.departures.length > departures.length || read.gates.length > gates.length) && (
          <p class="hint">{t('day.limits', DAY_LIMITS)}</p>
        )}
        {moved && <Undo of={moved} before={undo} here={here} shown={shown} />}
      </Live>
    ),
  };
}

/** The topics of the page: its shipments, its gates, and loads without a gate. */
const topicsOf = (departures: readonly Departure[], gates: readonly GateReference[]): string[] => [
  WAITING,
  ...gates.map(({ externalIdentifier }) => topicOf('gate', externalIdentifier)),
  ...departures.map(({ externalIdentifier }) => topicOf('shipment', externalIdentifier)),
];

/** The page of an organization without departures: the switch to plan them. */
const Unplanned: FC<{ mayChange: boolean }> = ({ mayChange }) => {
  const { t } = useWords();
  return (
    <section class="card">
      <p>{t('day.unplanned')}</p>
      {mayChange ? (
        <PlanForm returnTo="/app/today" />
      ) : (
        <p class="hint">
          {t('start.ask')} <a href="/app/board">{t('menu.board')}</a>
        </p>
      )}
    </section>
  );
};
