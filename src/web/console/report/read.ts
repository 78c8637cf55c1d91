import type { Database } from '../../../core/lib/database.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { GROUPS_MAXIMUM, isByTime } from '../../../dispatch/report/rules.ts';
import { askReport, type ReportRow, reportOf } from '../../../dispatch/report/store.ts';
import { askLastDay, type LastDay, lastDayOf } from './last-day-store.ts';
import { type Figures, sumOf } from './measures.ts';
import type { Range, Report } from './range-rules.ts';

/** Everything that the page of a report shows. */
export interface ReportRead {
  rows: readonly ReportRow[];
  /** Whether some carriers or gates are left out. */
  isCut: boolean;
  sum: Figures;
  sumBefore: Figures;
  gates: readonly GateReference[];
  lastDay: LastDay | undefined;
}

/**
 * Read a report, the sums of the range before, and the last 24 hours if `now` is given. One round trip. The sums are read
 * by month, because a report by carrier or gate may be cut.
 */
export async function readReport(
  database: Database,
  { groupBy, ...range }: Report,
  { before, zone, now }: { before: Range; zone: string; now: number | undefined },
): Promise<ReportRead> {
  const monthly = (days: Range) => askReport(database, { ...days, groupBy: 'MONTH', zone });
  const asked = askReport(database, { ...range, groupBy, zone });
  const total = isByTime(groupBy) ? undefined : monthly(range);
  const lastDay = now === undefined ? undefined : askLastDay(database, now);
  const found = await database.ask({
    ...asked,
    totals: total?.figures,
    totalReasons: total?.reasons,
    before: monthly(before).figures,
    gates: groupBy === 'GATE' ? gateNamesQuery(database, GROUPS_MAXIMUM) : undefined,
    counts: lastDay?.counts,
    loaded: lastDay?.loaded,
  });
  const { content, truncated = false } = reportOf(found, groupBy);
  const totals = total
    ? reportOf({ figures: found.totals, reasons: found.totalReasons }, 'MONTH').content
    : content;
  return {
    rows: content,
    isCut: truncated,
    sum: sumOf(totals),
    sumBefore: sumOf(reportOf({ figures: found.before, reasons: [] }, 'MONTH').content),
    gates: found.gates,
    lastDay: now === undefined ? undefined : lastDayOf(found, now),
  };
}
