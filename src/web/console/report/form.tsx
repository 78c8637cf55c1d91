import { z } from '@hono/zod-openapi';
import type { FC } from 'hono/jsx';
import { type Day, isDay } from '../../../core/lib/zone.ts';
import { daysOf, REPORT_DAYS_MAXIMUM, REPORT_GROUPS } from '../../../dispatch/report/rules.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { FileLinks } from '../../ui/list/listing-parts.tsx';
import { PRESETS, type Report, rangeOf } from './range-rules.ts';

const day = z.string().refine(isDay).optional().catch(undefined);

/** The query of the page, with the names of the API. Without days it is the last 30 days. */
export const reportQuery = z.object({
  from: day,
  to: day,
  groupBy: z.enum(REPORT_GROUPS).optional().catch(undefined),
});
export type Asked = z.output<typeof reportQuery>;

/** The report that a query asks for, and the fault of its days. */
export function askedReport(
  { t }: Words,
  { from, to, groupBy = 'DAY' }: Asked,
  today: Day,
): { report: Report; fault?: string } {
  const usual = rangeOf('LAST_30_DAYS', today);
  const end = to ?? (from === undefined || from < today ? usual.to : from);
  const begin = from ?? (to === undefined ? usual.from : rangeOf('LAST_30_DAYS', to).from);
  const report = { from: begin, to: end, groupBy };
  const days = daysOf(report);
  if (days < 1) return { report, fault: t('report.backwards') };
  if (days > REPORT_DAYS_MAXIMUM)
    return { report, fault: t('report.tooLong', { days: REPORT_DAYS_MAXIMUM }) };
  return { report };
}

const addressOf = (path: string, { from, to, groupBy }: Report): string =>
  `${path}?${new URLSearchParams({ from, to, groupBy })}`;

/** The usual periods. */
export const Periods: FC<{ report: Report; today: Day }> = ({ report, today }) => {
  const { t } = useWords();
  return (
    <nav class="views" aria-label={t('report.ranges')}>
      {PRESETS.map((preset) => {
        const range = rangeOf(preset, today);
        const isHere = range.from === report.from && range.to === report.to;
        return (
          <a
            href={addressOf('/app/report', { ...report, ...range })}
            aria-current={isHere ? 'page' : undefined}
          >
            {t(`reportPreset.${preset}`)}
          </a>
        );
      })}
    </nav>
  );
};

/** The choice of the days and groups. */
export const RangeForm: FC<{ report: Report }> = ({ report: { from, to, groupBy } }) => {
  const { t } = useWords();
  return (
    <form method="get" action="/app/report" class="narrow range-form">
      <div class="field">
        <label for="from">{t('report.from')}</label>
        <input id="from" name="from" type="date" value={from} required />
      </div>
      <div class="field">
        <label for="to">{t('report.to')}</label>
        <input id="to" name="to" type="date" value={to} required />
      </div>
      <div class="field">
        <label for="groupBy">{t('report.by')}</label>
        <select id="groupBy" name="groupBy">
          {REPORT_GROUPS.map((group) => (
            <option value={group} selected={group === groupBy}>
              {t(`reportBy.${group}`)}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="button quiet">
        {t('report.show')}
      </button>
    </form>
  );
};

/** The links to the report as files. */
export const ReportFiles: FC<{ report: Report }> = ({ report }) => (
  <div class="actions">
    <FileLinks to={(format) => addressOf(`/app/report.${format}`, report)} />
  </div>
);
