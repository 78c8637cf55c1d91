import type { Env } from '../../core/env.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { clockWentBack, type Job, ON_REQUEST, onRequestOr } from '../../core/writer/jobs.ts';
import { type Checked, checkDepartures } from './commands.ts';
import { dueQuery } from './store.ts';

/** How soon to try again if the organization cannot be changed now, for example during a move. */
const AGAIN_MS = MINUTE_MS;

/**
 * Check departures when one is due. Commits that change a departure request a run, so the alarm follows them. If the
 * object has just started, or the clock went back since the last run, the next check may be too far away and is computed
 * again.
 */
export const watchDepartures: Job<Env> = async ({ env, database, now, lastRun }) => {
  const due = await database.first(dueQuery(database));
  if (!due) return ON_REQUEST;
  const isKnown = lastRun !== null && !clockWentBack({ now, lastRun });
  if (due.dueDate > now && isKnown) return onRequestOr(due.dueDate);
  let { nextDate, rest }: Checked = { nextDate: null, rest: null };
  do {
    const outcome = await execute(env, database.organization, ofService(checkDepartures.name, { rest }));
    if (outcome.kind !== 'done') return onRequestOr(now + AGAIN_MS);
    ({ nextDate, rest } = JSON.parse(outcome.body) as Checked);
  } while (rest);
  return nextDate === null ? ON_REQUEST : onRequestOr(Math.max(nextDate, now));
};
