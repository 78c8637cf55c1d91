import { DAY_MS } from '../../../src/core/lib/time.ts';
import type { Document } from '../../contract/schema.ts';
import type { Recorder } from './recorder.ts';

/** The date of a day, this many days after today. */
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Records a report with the figures of yesterday and today by gate. Dates and minutes differ in each run, so the example
 * shows a fixed period and fixed minutes.
 */
export async function recordReport(
  day: Recorder,
  summary: string,
  period: { from: string; to: string },
): Promise<void> {
  const query = { from: dayIn(-1), to: dayIn(0), groupBy: 'GATE' };
  const answer = await day.ask('getReport', { query });
  const content = answer.content.map((row: Document) => ({
    ...row,
    minutesLate: 0,
    loadingMinutes: 52,
    dwellMinutes: 74,
    gateMinutes: 61,
  }));
  const shown = { ...period, groupBy: 'GATE' };
  day.byHand('getReport', {
    summary,
    params: {},
    query: shown,
    status: 200,
    answer: { ...answer, ...shown, content },
  });
}
