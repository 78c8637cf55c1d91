import type { ReportRow } from '../../../dispatch/report/store.ts';

/** The figures of completed shipments. Minutes are sums. */
export type Figures = Omit<ReportRow, 'group' | 'spellings'>;

/** How a value is written: a share from 0 to 1, minutes, or a number. */
export type Unit = 'SHARE' | 'MINUTES' | 'NUMBER';

export const lateOf = ({ shipmentsPlanned, shipmentsOnTime }: Figures): number =>
  shipmentsPlanned - shipmentsOnTime;

const ratio = (part: number, of: number): number | null => (of > 0 ? part / of : null);

/** A figure of a report. It is null if there is nothing to compute it from. */
interface Measure {
  unit: Unit;
  of(figures: Figures): number | null;
}

export const MEASURES = {
  onTime: {
    unit: 'SHARE',
    of: ({ shipmentsOnTime, shipmentsPlanned }) => ratio(shipmentsOnTime, shipmentsPlanned),
  },
  /** The average of late shipments, 0 if none was late. */
  late: {
    unit: 'MINUTES',
    of: (figures) =>
      lateOf(figures) === 0 && figures.shipmentsPlanned > 0 ? 0 : ratio(figures.minutesLate, lateOf(figures)),
  },
  loading: {
    unit: 'MINUTES',
    of: ({ loadingMinutes, shipmentsCompleted }) => ratio(loadingMinutes, shipmentsCompleted),
  },
  dwell: {
    unit: 'MINUTES',
    of: ({ dwellMinutes, shipmentsArrived }) => ratio(dwellMinutes, shipmentsArrived),
  },
  gate: {
    unit: 'MINUTES',
    of: ({ gateMinutes, shipmentsCompleted }) => (shipmentsCompleted > 0 ? gateMinutes : null),
  },
  pace: {
    unit: 'NUMBER',
    of: ({ palletsLoaded, loadingMinutes }) => ratio(palletsLoaded * 60, loadingMinutes),
  },
  wrong: {
    unit: 'NUMBER',
    of: ({ palletsWrong, palletsLoaded }) => ratio(palletsWrong * 1_000, palletsLoaded),
  },
  short: {
    unit: 'NUMBER',
    of: ({ shipmentsShort, shipmentsCompleted }) => (shipmentsCompleted > 0 ? shipmentsShort : null),
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;

export const MEASURE_NAMES = Object.keys(MEASURES) as MeasureName[];

const NOTHING: Figures = {
  shipmentsCompleted: 0,
  shipmentsPlanned: 0,
  shipmentsOnTime: 0,
  minutesLate: 0,
  loadingMinutes: 0,
  dwellMinutes: 0,
  shipmentsArrived: 0,
  gateMinutes: 0,
  palletsLoaded: 0,
  palletsWrong: 0,
  palletsCaught: 0,
  shipmentsShort: 0,
  shortByReason: [],
};

/** The numbers of a report, with the names of the API. */
export const NUMBERS = [
  'shipmentsCompleted',
  'shipmentsPlanned',
  'shipmentsOnTime',
  'minutesLate',
  'loadingMinutes',
  'dwellMinutes',
  'gateMinutes',
  'palletsLoaded',
  'palletsWrong',
  'palletsCaught',
  'shipmentsShort',
] as const satisfies (keyof Figures)[];

/** The sums over groups. The most frequent reason comes first. */
export function sumOf(groups: readonly Figures[]): Figures {
  const reasons = new Map<string, number>();
  const sum = { ...NOTHING };
  for (const figures of groups) {
    sum.shipmentsArrived += figures.shipmentsArrived;
    for (const name of NUMBERS) sum[name] += figures[name];
    for (const { reason, count } of figures.shortByReason)
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  const shortByReason = [...reasons]
    .map(([reason, count]) => ({ reason, count }))
    .sort((one, other) => other.count - one.count || (one.reason < other.reason ? -1 : 1));
  return { ...sum, shortByReason };
}

/** The difference to the figure of an earlier period. */
export interface Difference {
  kind: 'MORE' | 'LESS' | 'SAME';
  /** In percent, or in points for a share. Both are whole numbers. */
  by: number;
}

/**
 * Compare a figure with an earlier one. Undefined if one of them is missing. An earlier figure of 0 has no percentage,
 * so the result is undefined, too, unless both are 0.
 */
export function differenceOf(now: number | null, before: number | null, unit: Unit): Difference | undefined {
  if (now === null || before === null || (before === 0 && now !== 0 && unit !== 'SHARE')) return undefined;
  const change = unit === 'SHARE' ? (now - before) * 100 : before === 0 ? 0 : (now / before - 1) * 100;
  const by = Math.round(Math.abs(change));
  return { kind: by === 0 ? 'SAME' : change > 0 ? 'MORE' : 'LESS', by };
}
