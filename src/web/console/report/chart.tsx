import type { FC } from 'hono/jsx';
import { largest } from '../../../core/lib/extremes.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { Unit } from './measures.ts';
import { valueIn } from './words.ts';

/** A value of a chart. Null is a gap: there is nothing to draw. */
type Value = number | null;

/** The axis of a chart. It begins at zero. `ticks` are its labelled values. */
interface Axis {
  top: number;
  ticks: readonly number[];
}

/** Steps between the labels of less than an hour. More minutes have steps of hours. */
const MINUTE_STEPS = [1, 2, 5, 10, 15, 20, 30];
const TICKS_MAXIMUM = 4;

/** The smallest round step with which a few ticks reach a value. */
function stepOf(most: number, unit: Unit): number {
  const least = most / TICKS_MAXIMUM;
  if (unit === 'MINUTES')
    return MINUTE_STEPS.find((step) => step >= least) ?? 60 * stepOf(most / 60, 'NUMBER');
  // Half of a shipment or a pallet has no tick.
  const power = Math.max(1, 10 ** Math.floor(Math.log10(least)));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least)!;
}

/** The axis for values. A share always reaches 100 %. */
export function axisOf(values: readonly Value[], unit: Unit): Axis {
  if (unit === 'SHARE') return { top: 1, ticks: [0, 0.25, 0.5, 0.75, 1] };
  const most = Math.max(0, largest(values.map((value) => value ?? 0)));
  const step = most === 0 ? 1 : stepOf(most, unit);
  const count = Math.max(1, Math.ceil(most / step));
  return { top: step * count, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) };
}

/** The area of the bars in a drawing. */
interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A length of a drawing with two decimals. */
const rounded = (number: number): number => Math.round(number * 100) / 100;

/** The part of its place that a bar takes; the rest separates it from the next bar. */
const BAR_SHARE = 0.72;

/** The bars of values from left to right. A gap has no bar. A bar of 0 has no height. */
export function columnsOf(values: readonly Value[], { top: most }: Axis, area: Area): (Bar | null)[] {
  const place = area.width / values.length;
  return values.map((value, index) => {
    if (value === null) return null;
    const height = rounded((value / most) * area.height);
    return {
      x: rounded(area.left + (index + (1 - BAR_SHARE) / 2) * place),
      y: rounded(area.top + area.height - height),
      width: rounded(place * BAR_SHARE),
      height,
    };
  });
}

/** The height on the drawing of a value of the axis. */
export const heightOf = (value: number, { top: most }: Axis, area: Area): number =>
  rounded(area.top + area.height * (1 - value / most));

/** The indexes that get a label if there is room for `most` labels: evenly spaced, beginning with the first. */
export function labelledOf(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** Bars as one SVG path. */
export const pathOf = (bars: readonly Bar[]): string =>
  bars.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join('');

/** A value of a chart. */
export interface Point {
  /** The text beside or below its bar. */
  label: string;
  /** Null for a gap. */
  value: number | null;
  /** Whether its bar is only outlined, because the value still changes or does not cover the whole period. */
  isPartial?: boolean;
}

interface Chart {
  /** Unique on the page. */
  id: string;
  title: string;
  unit: Unit;
  points: readonly Point[];
}

/** Sizes in units of the drawing, which is about as wide as a phone. */
const WIDTH = 400;
const HEIGHT = 176;
const AREA = { left: 66, top: 18, width: WIDTH - 70, height: 132 };
const LABELS_MAXIMUM = 6;
/** Up to this number of bars, each has its value above it. */
const VALUES_MAXIMUM = 7;
const ROW = 26;
const ROWS_MAXIMUM = 12;
const NAME_LENGTH = 18;

/** Describes a chart: its highest and lowest values, and the number of gaps. */
function described(words: Words, { points, unit }: Chart): string {
  const known = points.flatMap(({ label, value }) => (value === null ? [] : [{ group: label, value }]));
  if (known.length === 0) return words.t('report.empty');
  const sorted = known.toSorted((one, other) => other.value - one.value);
  const say = ({ group, value }: (typeof known)[number]) => ({ group, value: valueIn(words, value, unit) });
  const gaps = points.length - known.length;
  return [
    words.t('report.highest', say(sorted[0]!)),
    words.t('report.lowest', say(sorted.at(-1)!)),
    gaps > 0 ? words.t('report.gaps', { count: gaps }) : '',
  ].join(' ');
}

/** A chart of values over time. Its axis begins at zero. A time without data has no bar. */
export const ColumnChart: FC<Chart> = (chart) => {
  const { points, unit } = chart;
  const words = useWords();
  const axis = axisOf(
    points.map(({ value }) => value),
    unit,
  );
  const bars = columnsOf(
    points.map(({ value }) => value),
    axis,
    AREA,
  );
  const middleOf = (index: number) => AREA.left + ((index + 0.5) / points.length) * AREA.width;
  const barsOf = (isPartial: boolean): Bar[] =>
    bars.filter((bar, index) => bar !== null && Boolean(points[index]!.isPartial) === isPartial) as Bar[];
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-labelledby={`${chart.id}-title`}
      aria-describedby={`${chart.id}-desc`}
    >
      <title id={`${chart.id}-title`}>{chart.title}</title>
      <desc id={`${chart.id}-desc`}>{described(words, chart)}</desc>
      {axis.ticks.map((tick) => (
        <>
          <path class="rule" d={`M${AREA.left} ${heightOf(tick, axis, AREA)}h${AREA.width}`} />
          <text class="tick" x={AREA.left - 6} y={heightOf(tick, axis, AREA) + 4}>
            {valueIn(words, tick, unit)}
          </text>
        </>
      ))}
      <path class="bar" d={pathOf(barsOf(false))} />
      <path class="bar partial" d={pathOf(barsOf(true))} />
      {points.length <= VALUES_MAXIMUM &&
        bars.map(
          (bar, index) =>
            bar && (
              <text class="value" x={middleOf(index)} y={bar.y - 4}>
                {valueIn(words, points[index]!.value!, unit)}
              </text>
            ),
        )}
      {labelledOf(points.length, LABELS_MAXIMUM).map((index) => (
        <text class="label" x={middleOf(index)} y={HEIGHT - 8}>
          {points[index]!.label}
        </text>
      ))}
    </svg>
  );
};

const cut = (text: string): string =>
  text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH - 1).trimEnd()}…` : text;

/** A chart of values of carriers, gates or reasons: one row each, with the value at the end of its bar. */
export const RowChart: FC<Chart> = (chart) => {
  const words = useWords();
  const { unit } = chart;
  const points = chart.points.slice(0, ROWS_MAXIMUM);
  const { top } = axisOf(
    points.map(({ value }) => value),
    unit,
  );
  const [left, width] = [130, WIDTH - 130 - 80];
  const lengthOf = (value: number) => rounded((value / top) * width);
  return (
    <>
      <svg
        viewBox={`0 0 ${WIDTH} ${points.length * ROW + 4}`}
        role="img"
        aria-labelledby={`${chart.id}-title`}
        aria-describedby={`${chart.id}-desc`}
      >
        <title id={`${chart.id}-title`}>{chart.title}</title>
        <desc id={`${chart.id}-desc`}>{described(words, { ...chart, points })}</desc>
        {points.map(({ label, value }, index) => (
          <>
            <text class="name" x={0} y={index * ROW + 17}>
              {cut(label)}
            </text>
            {value !== null && (
              <>
                <path
                  class="bar"
                  d={pathOf([{ x: left, y: index * ROW + 4, width: lengthOf(value), height: ROW - 8 }])}
                />
                <text class="amount" x={left + lengthOf(value) + 6} y={index * ROW + 17}>
                  {valueIn(words, value, unit)}
                </text>
              </>
            )}
          </>
        ))}
        <path class="rule" d={`M${left} 0v${points.length * ROW + 4}`} />
      </svg>
      {chart.points.length > points.length && (
        <p class="hint">
          {words.t('report.firstBars', { count: points.length, total: chart.points.length })}
        </p>
      )}
    </>
  );
};
