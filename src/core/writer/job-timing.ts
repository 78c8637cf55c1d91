import { smallest } from '../lib/extremes.ts';
import { MINUTE_MS, SECOND_MS } from '../lib/time.ts';

/** The answer of a job that does not need to run for events. It runs again when a commit requests jobs. */
export const ON_REQUEST = 'on request';

/** The answer of a job that runs at a date, and otherwise like `ON_REQUEST`. */
export const onRequestOr = (date: number) => ({ onRequestOr: date });

/**
 * The answer of a job: the date when it wants to run again (epoch milliseconds), or null if no work is left. With
 * `ON_REQUEST` or `onRequestOr`, it needs no run for events.
 */
export type NextRun = number | null | typeof ON_REQUEST | ReturnType<typeof onRequestOr>;

/** A date later than any due date. */
export const ANY_DUE_DATE = Number.MAX_SAFE_INTEGER;

/** How soon jobs run again after one failed, or after a commit whose outcome is unknown. */
export const RECHECK_MS = 5 * SECOND_MS;

/** Tolerated clock skew. If the clock went back by more, dates stored before are too far in the future to wait for. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;

/** Whether the clock went back since a job last ran. */
export const clockWentBack = ({ now, lastRun }: { now: number; lastRun: number | null }): boolean =>
  lastRun !== null && now + CLOCK_TOLERANCE_MS < lastRun;

const isTimed = (answer: NextRun): answer is ReturnType<typeof onRequestOr> =>
  typeof answer === 'object' && answer !== null;

/**
 * Whether the last answer of a job still holds after commits that only emit events, so that the job does not run for
 * them. A date must be in the future, and it counts only if the clock did not go back.
 */
export const isStillValid = (answer: NextRun, dates: { now: number; lastRun: number | null }): boolean =>
  !clockWentBack(dates) && (answer === ON_REQUEST || (isTimed(answer) && answer.onRequestOr > dates.now));

/** The result of a run of all jobs, and the changes until it ended. */
export interface EndedRun {
  /** The answer of each job. */
  answers: readonly NextRun[];
  /** Whether a commit requested jobs, or another writer was noticed. */
  markedDirty: boolean;
  /** The earliest date that was scheduled; null for none. */
  scheduledDate: number | null;
  /** The number of commits that have started and not ended. */
  commitsUnderWay: number;
  /** Whether another run is waiting to begin. */
  runWaiting: boolean;
}

/**
 * Decide when the alarm rings after a run (null: never), and whether jobs are idle. If they are idle, a commit that
 * only emits events needs no run.
 */
export function afterRun(
  { answers, markedDirty, scheduledDate, commitsUnderWay, runWaiting }: EndedRun,
  now: number,
): { alarmDate: number | null; idle: boolean } {
  const dates = answers.flatMap((answer) =>
    typeof answer === 'number' ? [answer] : isTimed(answer) ? [answer.onRequestOr] : [],
  );
  if (scheduledDate !== null) dates.push(scheduledDate);
  // A commit may come too late for the reads of this run. It needs an alarm until the next run has ended.
  if (commitsUnderWay > 0 || runWaiting) dates.push(now + RECHECK_MS);
  return {
    alarmDate: dates.length === 0 ? null : smallest(dates),
    idle: !markedDirty && answers.every((answer) => answer === ON_REQUEST || isTimed(answer)),
  };
}

/** Whether to set an alarm for a run by `date`. `alarmDate` is the date of the known alarm; null for none. */
export const needsAlarm = (alarmDate: number | null, date: number): boolean =>
  alarmDate === null || alarmDate > date;

/** Whether an alarm is overdue. It may be lost together with the storage of the object. */
export const alarmMayBeLost = (alarmDate: number | null, now: number): boolean =>
  alarmDate !== null && alarmDate < now - RECHECK_MS;
