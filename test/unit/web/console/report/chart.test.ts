import { describe, expect, it } from 'vitest';
import {
  axisOf,
  columnsOf,
  heightOf,
  labelledOf,
  pathOf,
} from '../../../../../src/web/console/report/chart.tsx';

const AREA = { left: 40, top: 10, width: 300, height: 100 };

describe('the axis of a chart', () => {
  it.each([
    ['NUMBER', [3, 7], [0, 2, 4, 6, 8]],
    ['NUMBER', [0.4], [0, 1]],
    ['NUMBER', [null, 0], [0, 1]],
    ['NUMBER', [], [0, 1]],
    ['NUMBER', [1_234], [0, 500, 1_000, 1_500]],
    ['MINUTES', [47], [0, 15, 30, 45, 60]],
    ['MINUTES', [130], [0, 60, 120, 180]],
    ['MINUTES', [100_000], [0, 30_000, 60_000, 90_000, 120_000]],
    ['SHARE', [0.2], [0, 0.25, 0.5, 0.75, 1]],
  ] as const)('the axis of %s %j begins at zero and has round labels', (unit, values, ticks) => {
    const axis = axisOf(values, unit);
    expect(axis.ticks).toEqual(ticks);
    expect(axis.top).toBe(ticks.at(-1));
  });

  it('no value is above the axis, and no axis has more than five labels', () => {
    for (let most = 1; most < 20_000; most = Math.ceil(most * 1.07)) {
      for (const unit of ['NUMBER', 'MINUTES'] as const) {
        const { top, ticks } = axisOf([most], unit);
        expect([unit, most, top >= most, ticks.length <= 5]).toEqual([unit, most, true, true]);
      }
    }
  });
});

describe('the bars of a chart', () => {
  it('a bar is as high as its value, a gap has no bar, and zero has no height', () => {
    const bars = columnsOf([9, null, 0], axisOf([9], 'NUMBER'), AREA);
    expect(bars).toEqual([
      { x: 54, y: 20, width: 72, height: 90 },
      null,
      { x: 254, y: 110, width: 72, height: 0 },
    ]);
  });

  it('all bars of a leap year are within the drawing and do not touch', () => {
    const values = Array.from({ length: 366 }, (_, index) => index);
    const bars = columnsOf(values, axisOf(values, 'NUMBER'), AREA).map((bar) => bar!);
    for (const [index, { x, y, width, height }] of bars.entries()) {
      expect(x).toBeGreaterThanOrEqual(AREA.left);
      expect(x + width).toBeLessThanOrEqual(AREA.left + AREA.width);
      expect(y).toBeGreaterThanOrEqual(AREA.top);
      expect(Math.abs(y + height - 110)).toBeLessThan(0.02);
      if (index > 0) expect(x).toBeGreaterThan(bars[index - 1]!.x + bars[index - 1]!.width);
    }
  });

  it('zero is at the bottom and the highest label at the top', () => {
    const axis = axisOf([8], 'NUMBER');
    expect([heightOf(0, axis, AREA), heightOf(8, axis, AREA), heightOf(4, axis, AREA)]).toEqual([
      110, 10, 60,
    ]);
  });

  it('labels are spaced evenly, and there are never too many', () => {
    expect(labelledOf(3, 6)).toEqual([0, 1, 2]);
    expect(labelledOf(7, 6)).toEqual([0, 2, 4, 6]);
    for (let count = 0; count <= 366; count += 1) expect(labelledOf(count, 6).length).toBeLessThanOrEqual(6);
  });

  it('bars are drawn as one path', () => {
    expect(pathOf([{ x: 1, y: 2.5, width: 3, height: 4 }])).toBe('M1 2.5h3v4h-3z');
    expect(pathOf([])).toBe('');
  });
});
