import type { Hono } from 'hono';
import type { AppEnv } from '../../../core/http/types.ts';
import { dayIn } from '../../../core/lib/zone.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { redirect } from '../../ui/page/answer.tsx';
import { hasFeature } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import type { View } from '../../ui/parts/view.ts';
import { ReportCharts } from './charts.tsx';
import { ReportFigures } from './figures.tsx';
import { reportFile } from './file.ts';
import { type Asked, askedReport, FileLink, Periods, RangeForm, reportQuery } from './form.tsx';
import { ReasonsCard, ReportTable } from './groups.tsx';
import { LastDayCard } from './last-day.tsx';
import { rangeBefore } from './range-rules.ts';
import { readReport } from './read.ts';
import { rowsOf } from './rows.tsx';
import { rangeText } from './words.ts';
import { wrongListing } from './wrong-pallets.tsx';

/** The pages of reports. The address of the former dashboard leads here. */
export function reportPages(app: Hono<AppEnv>): void {
  page(app, { path: '/app/report', right: 'see', query: reportQuery, view: reportPage });
  page(app, { path: '/app/report.csv', right: 'see', query: reportQuery, view: reportFile });
  app.get('/app/dashboard', (c) => redirect(c, '/app/report'));
  wrongListing(app);
}

async function reportPage(at: PageContext, _: unknown, asked: Asked): Promise<View> {
  const { session, database, words } = at;
  const { t } = words;
  const { timeZone: zone } = session.organization;
  const now = Date.now();
  const today = dayIn(zone, now);
  const { report, fault } = askedReport(words, asked, today);
  const hasShipments = hasFeature(session, 'SHIPMENT');
  const frame = (body: View['body'], aside?: View['aside']): View => ({
    title: t('report.title'),
    aside,
    styles: ['report.css'],
    body: (
      <>
        {hasShipments && (
          <>
            <Periods report={report} today={today} />
            <RangeForm report={report} />
          </>
        )}
        {body}
      </>
    ),
  });
  if (fault !== undefined) {
    return frame(
      <p class="notice bad" role="alert">
        {fault}
      </p>,
    );
  }
  const before = rangeBefore(report);
  const isToday = report.from <= today && today <= report.to;
  const read = await readReport(database, report, { before, zone, now: isToday ? now : undefined });
  const { sum, lastDay } = read;
  const isEmpty = sum.shipmentsCompleted === 0;
  const rows = rowsOf(words, report, read, today);
  const of = { ...report, grouping: report.groupBy };
  return frame(
    <>
      {hasShipments && (
        <p class="range">
          <b>{rangeText(words, report)}</b>, {t(`reportGrouped.${report.groupBy}`)}
          <small>{t('report.counts')}</small>
        </p>
      )}
      {isToday && !isEmpty && <p class="notice">{t('report.unfinished')}</p>}
      {isEmpty ? (
        <p class="empty">
          {hasShipments ? (
            <>
              {t('report.none')} {t('report.noneNext')} <a href="/app/board">{t('menu.board')}</a>
            </>
          ) : (
            <>
              {t('report.unplanned')} <a href="/app/today">{t('start.planIt')}</a>
            </>
          )}
        </p>
      ) : (
        <>
          <ReportFigures of={of} sum={sum} sumBefore={read.sumBefore} before={before} />
          {sum.shipmentsPlanned === 0 && <p class="hint">{t('report.noDepartures')}</p>}
          <ReportCharts report={report} rows={rows} today={today} />
          <ReasonsCard of={of} sum={sum} rows={rows} />
          <ReportTable heading={t(`reportBy.${report.groupBy}`)} rows={rows} isCut={read.isCut} />
        </>
      )}
      {lastDay && <LastDayCard of={lastDay} zone={zone} shipments={hasShipments} />}
    </>,
    !isEmpty && <FileLink report={report} />,
  );
}
