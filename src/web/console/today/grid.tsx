import type { Child, FC } from 'hono/jsx';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { Plate } from '../../ui/parts/badges.tsx';
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
  const placeOf = (time: number) => (time - grid.begin) / STEP_MS / grid.columns;
  const at = placeOf(now);
  const isShown = at >= 0 && at <= 1;
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
                <span class={isBehindNow(placeOf(hour) - at) ? 'hidden' : ''}>{clockIn(zone, hour)}</span>
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
      <svg class="behind" aria-hidden="true">
        {hours.map((hour) => (
          <line x1={percent(placeOf(hour))} x2={percent(placeOf(hour))} y2="100%" />
        ))}
        {isShown && <line class="now" x1={percent(at)} x2={percent(at)} y2="100%" />}
      </svg>
      {isShown && (
        <svg class="clock" aria-hidden="true">
          <svg x={percent(at)} overflow="visible" aria-hidden="true">
            <rect x={-CLOCK_PX / 2} y="4" width={CLOCK_PX} height="18" rx="2" />
            <text y="17">{clockIn(zone, now)}</text>
          </svg>
        </svg>
      )}
    </section>
  );
};

/** The width of the clock, which is at the line of the present time, in pixels. */
const CLOCK_PX = 44;
/** The width of the label of an hour. */
const LABEL_PX = 40;
/** The least width of all columns together. */
const GRID_PX = 912;

/** Whether the clock covers the label of an hour. `distance`: from the clock to the hour, as a part of the grid. */
const isBehindNow = (distance: number): boolean =>
  distance * GRID_PX > -CLOCK_PX / 2 - LABEL_PX && distance * GRID_PX < CLOCK_PX / 2;

const percent = (part: number): string => `${(part * 100).toFixed(2)}%`;

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
    if (first > at) cells.push(<td colspan={first - at} />);
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
  if (at < columns) cells.push(<td colspan={columns - at} />);
  return <>{cells}</>;
};
