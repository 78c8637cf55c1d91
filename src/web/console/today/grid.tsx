import type { Child, FC } from 'hono/jsx';
import { HOUR_MS } from '../../../core/lib/time.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { Plate } from '../kit/badges.tsx';
import { type Grid, type Lane, nextAt, type Slot, STEP_MS, type TodayContext } from './rules.ts';
import { BesideSlot, type Drawn, SlotLink } from './slot.tsx';

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
  for (const { departure, column, columns: count, late, beside, taken } of slots) {
    const [first, end] = taken;
    if (first > at) cells.push(<Free from={at} count={first - at} />);
    const text = <BesideSlot departure={departure} shown={shown} />;
    if (column > first)
      cells.push(
        <td colspan={column - first} class="before">
          {text}
        </td>,
      );
    cells.push(
      <td colspan={count - late}>
        <SlotLink departure={departure} short={beside !== null} shown={shown} />
      </td>,
    );
    if (late > 0)
      cells.push(
        <td colspan={late} class="delay">
          {beside === 'ON_DELAY' && text}
        </td>,
      );
    if (end > column + count) cells.push(<td colspan={end - column - count}>{text}</td>);
    at = end;
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
