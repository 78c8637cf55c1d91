import type { Plain } from '../../../core/lib/csv.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import { askReport, reportOf } from '../../../dispatch/report/store.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { csvFile } from '../../ui/list/csv.ts';
import { refuseInWords } from '../../ui/parts/language.ts';
import { type Asked, askedReport } from './form.tsx';
import { NUMBERS } from './measures.ts';

/** The rows of a report as a CSV file. Its columns have the names of the API. The last line of a cut report says so. */
export async function reportFile(at: PageContext, _: unknown, asked: Asked): Promise<Response> {
  const { database, session, words } = at;
  const { timeZone: zone } = session.organization;
  const { report, fault } = askedReport(words, asked, dayIn(zone, Date.now()));
  if (fault !== undefined) refuseInWords('validationFailed', fault);
  const found = await database.ask(askReport(database, { ...report, zone }));
  const { content, truncated } = reportOf(found, report.groupBy);
  const lines: Plain[][] = content.map((row) => [
    row.group,
    ...NUMBERS.map((name) => row[name]),
    row.shortByReason.map(({ reason, count }) => `${reason}: ${count}`).join('; ') || null,
  ]);
  if (truncated)
    lines.push([words.t('report.cut', { count: content.length }), ...NUMBERS.map(() => null), null]);
  return csvFile(at, 'report', [['group', ...NUMBERS, 'shortByReason'], ...lines]);
}
