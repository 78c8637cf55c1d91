import type { Child, FC } from 'hono/jsx';
import { HOUR_MS } from '../../../core/lib/time.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { LoadLine, Plate } from '../kit/badges.tsx';
import { Icon, type IconName } from '../kit/icons.tsx';
import { distanceIn } from '../kit/time.tsx';
import { movable } from './move.ts';
import {
  DAY_STATES,
  type DayState,
  type Departure,
  dayState,
  type Grid,
  type Lane,
  lateBy,
  nextAt,
  type Slot,
  STEP_MS,
  type TodayContext,
} from './rules.ts';

const STATES: Record<DayState, { icon: IconName; class: string }> = {
  PLANNED: { icon: 'plan', class: 'plan' },
  READY: { icon: 'ready', class: 'ready' },
  LOADING: { icon: 'load', class: 'go' },
  WRONG: { icon: 'stop', class: 'wrong' },
  ALL_LOADED: { icon: 'check', class: 'full' },
  COMPLETED: { icon: 'done', class: 'done' },
  SHORT: { icon: 'short', class: 'short' },
};

/** The progress of a shipment in a few words. */
function progress({ t, number }: Words, departure: Departure): string {
  const { pallets: total, loaded, wrong } = departure;
  switch (dayState(departure)) {
    case 'WRONG':
      return t('day.wrong', { count: wrong });
    case 'ALL_LOADED':
      return t('dayState.ALL_LOADED');
    case 'SHORT':
      return t('day.missing', { count: total - loaded });
    case 'LOADING':
      return `${number(loaded)} / ${number(total)}`;
    default:
      return number(total);
  }
}

/** Facts about the day for the rows of gates. */
interface Drawn extends TodayContext {
  clashes: ReadonlyMap<string, readonly Departure[]>;
  mayMove: boolean;
  /** The common beginning of the names of all shipments. */
  start: string;
}

/**
 * The gates over the hours of the day. Each table row is a line of a gate, each column a quarter of an hour.
 */
export const Gates: FC<{ lanes: readonly Lane[]; grid: Grid; shown: Drawn }> = ({ lanes, grid, shown }) => {
  const words = useWords();
  const { t } = words;
  const { zone, now } = shown;
  const hours = Array.from(
    { length: Math.ceil(grid.columns / 4) },
    (_, hour) => grid.begin + hour * 4 * STEP_MS,
  );
  const at = (now - grid.begin) / STEP_MS / grid.columns;
  return (
    <section class="day" aria-label={t('day.gates')} tabindex={0}>
      <table data-columns={grid.columns} data-step={STEP_MS}>
        <thead>
          <tr>
            <th scope="col" class="lane">
              <span class="hidden">{t('day.gate')}</span>
            </th>
            {hours.map((hour, index) => (
              <th scope="col" colspan={Math.min(4, grid.columns - index * 4)}>
                <span class={now > hour - HOUR_MS / 2 && now < hour + HOUR_MS ? 'hidden' : ''}>
                  {clockIn(zone, hour)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {lanes.map((lane) => (
          <tbody id={`lane-${lane.gate.uuid}`} data-gate={lane.gate.uuid} data-name={lane.gate.name}>
            {lane.lines.map((line, index) => (
              <tr>
                {index === 0 && (
                  <th scope="rowgroup" rowspan={lane.lines.length} class="lane">
                    <Plate gate={lane.gate} />
                    <span>
                      <a href={`/app/gate/${lane.gate.uuid}`}>{lane.gate.name}</a>
                      <small>{free(words, lane, shown)}</small>
                    </span>
                  </th>
                )}
                <Line slots={line} columns={grid.columns} shown={shown} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {at >= 0 && at <= 1 && (
        <svg class="now" aria-hidden="true">
          <svg x={`${(at * 100).toFixed(2)}%`} overflow="visible" aria-hidden="true">
            <line y2="100%" />
            <rect x="-22" y="4" width="44" height="18" rx="2" />
            <text y="17">{clockIn(zone, now)}</text>
          </svg>
        </svg>
      )}
    </section>
  );
};

/** The text below a gate: the shipment there now, or how long the gate is free. */
function free({ t }: Words, lane: Lane, { zone, now }: TodayContext): string {
  const next = nextAt(lane, now);
  if (!next) return t('day.free');
  return next.from > now
    ? t('day.freeUntil', { time: clockIn(zone, next.from) })
    : (next.departure.carrier ?? '');
}

/** A line of a gate: its shipments, and the free time between them. */
const Line: FC<{ slots: readonly Slot[]; columns: number; shown: Drawn }> = ({ slots, columns, shown }) => {
  const cells: Child[] = [];
  let at = 0;
  for (const slot of slots) {
    if (slot.column > at) cells.push(<Free from={at} count={slot.column - at} />);
    const due = slot.columns - slot.late;
    cells.push(
      <td colspan={due}>
        <SlotLink departure={slot.departure} shown={shown} />
      </td>,
    );
    if (slot.late > 0) cells.push(<td colspan={slot.late} class="over" />);
    at = slot.column + slot.columns;
  }
  if (at < columns) cells.push(<Free from={at} count={columns - at} />);
  return <>{cells}</>;
};

/** Free columns, divided at full hours, so that lines are drawn there. */
const Free: FC<{ from: number; count: number }> = ({ from, count }) => {
  const spans: number[] = [];
  for (let at = from; at < from + count; ) {
    const span = Math.min(4 - (at % 4), from + count - at);
    spans.push(span);
    at += span;
  }
  return (
    <>
      {spans.map((span) => (
        <td colspan={span} class="free" />
      ))}
    </>
  );
};

const SlotLink: FC<{ departure: Departure; shown: Drawn }> = ({
  departure,
  shown: { zone, now, clashes, mayMove, start },
}) => {
  const words = useWords();
  const { t } = words;
  const state = dayState(departure);
  const { icon, class: tone } = STATES[state];
  const late = lateBy(departure, now);
  const clashing = clashes.get(departure.uuid) ?? [];
  const names = words.list(clashing.map(({ externalIdentifier }) => externalIdentifier));
  const said = { state: t(`dayState.${state}`), time: clockIn(zone, departure.departureDate) };
  const kinds = [tone, late > 0 ? 'late' : '', clashing.length > 0 ? 'clash' : ''].filter(Boolean).join(' ');
  return (
    <a
      href={`/app/shipment/${departure.uuid}`}
      class={`slot ${kinds}`}
      title={departure.externalIdentifier}
      {...movable(departure, mayMove)}
    >
      <b>
        <Icon name={icon} />{' '}
        <span>
          {start !== '' && <span class="hidden">{start}</span>}
          {departure.externalIdentifier.slice(start.length)}
        </span>
        {clashing.length > 0 && <Icon name="warn" />}
      </b>
      <span>
        <span class="hidden">
          {late > 0
            ? t('day.departsLate', { ...said, distance: distanceIn(words, late) })
            : t('day.departs', said)}
          {clashing.length > 0 && `, ${t('day.clashes', { names })}`},{' '}
        </span>
        {progress(words, departure)}
        {departure.carrier && `, ${departure.carrier}`}
      </span>
      <LoadLine
        loaded={departure.loaded}
        total={departure.pallets}
        closed={departure.status === 'COMPLETED'}
      />
    </a>
  );
};

/** The legend of the slots, and how to move one. */
export const Legend: FC<{ mayMove: boolean }> = ({ mayMove }) => {
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
export const Clashes: FC<{ lanes: readonly Lane[]; clashes: Drawn['clashes'] }> = ({ lanes, clashes }) => {
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
