import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import type { Plain } from '../../../core/lib/csv.ts';
import type { Database } from '../../../core/lib/database.ts';
import { isoDate } from '../../../core/lib/time.ts';
import { clockIn, dayIn } from '../../../core/lib/zone.ts';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { gateNamesQuery } from '../../../dispatch/gate/store.ts';
import { GROUPS_MAXIMUM, isByTime, type TimeGroup } from '../../../dispatch/report/rules.ts';
import { askReport, type ReportRow, reportOf } from '../../../dispatch/report/store.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import type { PageContext } from '../../ui/confirm/action.ts';
import { GateLink } from '../../ui/list/gates.tsx';
import { FILE_FORMATS, type FileFormat, tableFile } from '../../ui/list/list-file.ts';
import { Table } from '../../ui/list/rows.tsx';
import { redirect } from '../../ui/page/answer.tsx';
import { hasFeature } from '../../ui/page/menu.tsx';
import { page } from '../../ui/page/page.tsx';
import { Card } from '../../ui/parts/components.tsx';
import { refuseInWords } from '../../ui/parts/language.ts';
import { Time } from '../../ui/parts/time.tsx';
import type { View } from '../../ui/parts/view.ts';
import { ColumnChart, type Point, RowChart } from './chart.tsx';
import { Counted, ReportFigures } from './figures.tsx';
import { type Asked, askedReport, Periods, RangeForm, ReportFiles, reportQuery } from './form.tsx';
import { ReasonsCard, ReportTable, type Row, TABLE } from './groups.tsx';
import { askLastDay, type LastDay, lastDayOf } from './last-day-store.ts';
import { type Figures, MEASURE_NAMES, MEASURES, type MeasureName, NUMBERS, sumOf } from './measures.ts';
import { partsOf, type Range, type Report, rangeBefore, type ShownPart } from './range-rules.ts';
import { partLabel, partName, rangeText } from './words.ts';
import { wrongListing } from './wrong-pallets.tsx';

/** Everything that the page of a report shows. */
interface ReportRead {
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
async function readReport(
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

/** The rows of a report as a file. Its columns have the names of the API. The last line of a cut report says so. */
async function reportFile(at: PageContext, asked: Asked, format: FileFormat): Promise<Response> {
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
  const labels = ['group', ...NUMBERS, 'shortByReason'];
  return tableFile(at, { format, name: 'report', labels }, [lines], (line) => line);
}

/** The rows of a report, as charts and the table show them. */
function rowsOf(
  words: Words,
  report: Report,
  { rows, gates }: Pick<ReportRead, 'rows' | 'gates'>,
  today: string,
): Row[] {
  const { groupBy } = report;
  return isByTime(groupBy)
    ? timeRows(words, report, groupBy, rows, today)
    : rows.map((figures) => namedRow(words, report, figures, gates));
}

function timeRows(
  words: Words,
  report: Report,
  grouping: TimeGroup,
  rows: readonly ReportRow[],
  today: string,
): Row[] {
  const parts = new Map(partsOf(report, grouping, today).map((part) => [part.group, part]));
  return rows.map((figures) => {
    const part = parts.get(figures.group!)!;
    return {
      label: partLabel(words, grouping, part.group),
      name: (
        <>
          {partName(words, grouping, part.group, part)}
          {part.isPartial && <small class="few">{words.t('report.incomplete')}</small>}
        </>
      ),
      of: { from: part.from, to: part.to, grouping },
      figures,
    };
  });
}

function namedRow(words: Words, report: Report, figures: ReportRow, gates: readonly GateReference[]): Row {
  const { from, to, groupBy } = report;
  const { group, spellings } = figures;
  const gate =
    groupBy === 'GATE' ? gates.find(({ externalIdentifier }) => externalIdentifier === group) : undefined;
  const missing = words.t(groupBy === 'GATE' ? 'report.noGate' : 'report.noCarrier');
  return {
    label: gate?.name ?? group ?? missing,
    name: gate ? <GateLink gate={gate} /> : (group ?? missing),
    of: { from, to, grouping: groupBy, group, spellings },
    figures,
  };
}

/** The work of the last 24 hours. It also counts manifests that are in no shipment. */
const LastDayCard: FC<{ of: LastDay; zone: string; shipments: boolean }> = ({ of, zone, shipments }) => {
  const words = useWords();
  const { t, number } = words;
  const since = encodeURIComponent(isoDate(of.since));
  const counts = [
    [t('report.loaded'), of.loaded, undefined],
    ...(shipments
      ? [
          [
            t('report.completed'),
            of.shipments,
            `/app/shipment?status=COMPLETED&closeDateAfter=${since}`,
          ] as const,
        ]
      : []),
    [t('report.manifests'), of.manifests, `/app/manifest?manifestStatus=COMPLETED&closeDateAfter=${since}`],
    [t('report.alerts'), of.alerts, `/app/alert?raisedDateAfter=${since}`],
  ] as const;
  return (
    <Card title={t('report.lastDay')} class="last-day">
      <dl class="counts">
        {counts.map(([label, count, to]) => (
          <div>
            <dt>{label}</dt>
            <dd>{to === undefined ? number(count) : <Counted count={count} to={to} />}</dd>
          </div>
        ))}
      </dl>
      <h3>{t('report.byHour')}</h3>
      {of.loaded === 0 ? (
        <p class="empty">{t('report.noLoaded')}</p>
      ) : (
        <>
          <figure class="chart">
            <ColumnChart
              id="hours"
              title={t('report.byHour')}
              unit="NUMBER"
              points={of.hours.map(({ begin, loaded }, index) => ({
                label: clockIn(zone, begin),
                value: loaded,
                isPartial: index === of.hours.length - 1,
              }))}
            />
            <figcaption class="hint">{t('report.hoursAxis')}</figcaption>
          </figure>
          <details class="more">
            <summary>{t('report.asTable')}</summary>
            <Table
              caption={t('report.byHour')}
              rows={of.hours.filter(({ loaded }) => loaded > 0)}
              empty=""
              columns={[
                { label: t('audit.when'), value: ({ begin }) => <Time at={begin} /> },
                { label: t('report.loaded'), value: ({ loaded }) => number(loaded), number: true },
              ]}
            />
          </details>
        </>
      )}
    </Card>
  );
};

/** A group of the charts. A time without data has no figures. */
interface Group extends Omit<Point, 'value'> {
  figures: Figures | undefined;
}

/** The parts of the time in order, with the figures of the rows. */
function timesOf(
  words: Words,
  grouping: TimeGroup,
  parts: readonly ShownPart[],
  rows: readonly Row[],
): Group[] {
  const byGroup = new Map(rows.map(({ figures }) => [figures.group, figures]));
  return parts.map(({ group, isPartial }) => ({
    label: partLabel(words, grouping, group),
    figures: byGroup.get(group),
    isPartial,
  }));
}

/** A chart for each measure. The table below has the same figures. */
const ReportCharts: FC<{ report: Report; rows: readonly Row[]; today: string }> = ({
  report,
  rows,
  today,
}) => {
  const words = useWords();
  const { t } = words;
  const { groupBy } = report;
  const groups: readonly Group[] = isByTime(groupBy)
    ? timesOf(words, groupBy, partsOf(report, groupBy, today), rows)
    : rows;
  const pointsOf = (name: MeasureName): Point[] =>
    groups.map(({ label, figures, isPartial }) => ({
      label,
      value: figures ? MEASURES[name].of(figures) : null,
      isPartial,
    }));
  const Shown = isByTime(groupBy) ? ColumnChart : RowChart;
  return (
    <>
      <div class="charts">
        {MEASURE_NAMES.map((name) => (
          <Card title={t(`reportMeasure.${name}`)}>
            <p class="hint">{t(`reportAbout.${name}`)}</p>
            <figure class="chart">
              <Shown
                id={name}
                title={t(`reportMeasure.${name}`)}
                unit={MEASURES[name].unit}
                points={pointsOf(name)}
              />
            </figure>
            <a class="as-table" href={`#${TABLE}`}>
              {t('report.asTable')}
            </a>
          </Card>
        ))}
      </div>
      {groups.some(({ isPartial }) => isPartial) && <p class="hint">{t('report.partial')}</p>}
    </>
  );
};

/** The pages of reports. The address of the former dashboard leads here. */
export function reportPages(app: Hono<AppEnv>): void {
  page(app, { path: '/app/report', right: 'see', query: reportQuery, view: reportPage });
  for (const format of FILE_FORMATS) {
    page(app, {
      path: `/app/report.${format}`,
      right: 'see',
      query: reportQuery,
      view: (at, _, asked) => reportFile(at, asked, format),
    });
  }
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
    !isEmpty && <ReportFiles report={report} />,
  );
}
