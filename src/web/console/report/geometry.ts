import { largest } from '../../../core/lib/extremes.ts';
import type { Unit } from './measures.ts';

/** A value of a chart. Null is a gap: there is nothing to draw. */
type Value = number | null;

/** The axis of a chart. It begins at zero. `ticks` are its labelled values. */
export interface Axis {
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
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A length of a drawing with two decimals. */
export const rounded = (number: number): number => Math.round(number * 100) / 100;

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
