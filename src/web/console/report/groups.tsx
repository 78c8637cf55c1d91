import type { Child, FC } from 'hono/jsx';
import { REASONS_MAXIMUM } from '../../../dispatch/report/rules.ts';
import type { ReportRow } from '../../../dispatch/report/store.ts';
import { useWords } from '../../../messages/context.ts';
import { reasonIn } from '../../pages/reason-rules.ts';
import { type Column, Table } from '../../ui/list/rows.tsx';
import { Card, OptionalText } from '../../ui/parts/components.tsx';
import { RowChart } from './chart.tsx';
import { Counted, type Of, shipmentsOf, shortOf, wrongOf } from './figures.tsx';
import { type Figures, lateOf, MEASURES, type MeasureName } from './measures.ts';
import { valueIn, valueOrDash } from './words.ts';

/** A group of a report, with the list of its shipments. */
export interface Row {
  /** Its name in a chart. */
  label: string;
  name: Child;
  of: Of;
  figures: ReportRow;
}

/** The id of the table with all figures. */
export const TABLE = 'table';

/** The second figure of a cell, below the first one. It has a label. It is a text, or a number that leads to its list. */
const Below: FC<{ label: string } & ({ of: string | null } | { count: number; to: string })> = ({
  label,
  ...figure
}) => {
  const { labelled, number } = useWords();
  if ('of' in figure)
    return figure.of === null ? null : <small class="few">{labelled(label, figure.of)}</small>;
  return (
    <small class="few">
      <Counted count={figure.count} to={figure.to}>
        {labelled(label, number(figure.count))}
      </Counted>
    </small>
  );
};

/** The figures of each group. Each number leads to the list that it counts. */
export const ReportTable: FC<{ heading: string; rows: readonly Row[]; isCut: boolean }> = ({
  heading,
  rows,
  isCut,
}) => {
  const words = useWords();
  const { t } = words;
  const said = (name: MeasureName, figures: Figures) => {
    const value = MEASURES[name].of(figures);
    return value === null ? null : valueIn(words, value, MEASURES[name].unit);
  };
  const measure = (name: MeasureName): Column<Row> => ({
    label: t(`reportMeasure.${name}`),
    number: true,
    value: ({ figures }) => <OptionalText of={said(name, figures)} />,
  });
  return (
    <div id={TABLE} class="report-table">
      <Table
        caption={t('report.rows', { count: rows.length })}
        empty=""
        rows={rows}
        columns={[
          { label: heading, value: ({ name }) => name },
          {
            label: t('report.head.shipments'),
            number: true,
            value: ({ of, figures: { shipmentsCompleted, shipmentsPlanned } }) => (
              <>
                <Counted count={shipmentsCompleted} to={shipmentsOf(of)} />
                <Below
                  label={t('report.head.planned')}
                  count={shipmentsPlanned}
                  to={shipmentsOf(of, 'PLANNED')}
                />
              </>
            ),
          },
          {
            label: t('reportMeasure.onTime'),
            number: true,
            value: ({ of, figures }) => (
              <>
                <Counted count={figures.shipmentsOnTime} to={shipmentsOf(of, 'ON_TIME')}>
                  {valueOrDash(words, MEASURES.onTime.of(figures), 'SHARE')}
                </Counted>
                <Below label={t('report.head.late')} count={lateOf(figures)} to={shipmentsOf(of, 'LATE')} />
              </>
            ),
          },
          measure('late'),
          measure('loading'),
          measure('dwell'),
          measure('gate'),
          {
            label: t('report.head.pallets'),
            number: true,
            value: ({ figures }) => (
              <>
                {words.number(figures.palletsLoaded)}
                <Below label={t('report.head.pace')} of={said('pace', figures)} />
              </>
            ),
          },
          {
            label: t('report.head.caught'),
            number: true,
            value: ({ figures }) => words.number(figures.palletsCaught),
          },
          {
            label: t('report.head.wrong'),
            number: true,
            value: ({ of, figures }) => (
              <>
                <Counted count={figures.palletsWrong} to={wrongOf(of)} />
                <Below label={t('report.head.rate')} of={said('wrong', figures)} />
              </>
            ),
          },
          {
            label: t('reportMeasure.short'),
            number: true,
            value: ({ of, figures }) => (
              <Counted count={figures.shipmentsShort} to={shipmentsOf(of, 'SHORT')} />
            ),
          },
        ]}
      />
      {isCut && <p class="hint">{t('report.cut', { count: rows.length })}</p>}
    </div>
  );
};

/** The shipments of a range by reason. The last one has the rest. */
const reasonsOf = ({
  shortByReason,
  shipmentsShort,
}: Figures): { reason: string | null; count: number }[] => {
  const rest = shipmentsShort - shortByReason.reduce((sum, { count }) => sum + count, 0);
  return rest > 0 ? [...shortByReason, { reason: null, count: rest }] : [...shortByReason];
};

/** The reasons of short shipments, as a chart and as a table with their lists. */
export const ReasonsCard: FC<{ of: Of; sum: Figures; rows: readonly Row[] }> = ({ of, sum, rows }) => {
  const words = useWords();
  const { t, number } = words;
  const reasons = reasonsOf(sum);
  if (reasons.length === 0) return null;
  // A group has only its most frequent reasons. The rest may then have a reason, too.
  const isCut = rows.some(({ figures }) => figures.shortByReason.length === REASONS_MAXIMUM);
  const rest = t(isCut ? 'report.otherReason' : 'report.noReason');
  const say = (reason: string | null) => (reason === null ? rest : reasonIn(words, reason));
  return (
    <Card title={t('report.reasons')} class="reasons">
      <figure class="chart">
        <RowChart
          id="reasons"
          title={t('report.reasons')}
          unit="NUMBER"
          points={reasons.map(({ reason, count }) => ({ label: say(reason), value: count }))}
        />
      </figure>
      <Table
        caption={t('report.rows', { count: reasons.length })}
        empty=""
        rows={reasons}
        columns={[
          { label: t('report.reason'), value: ({ reason }) => say(reason) },
          {
            label: t('report.head.shipments'),
            number: true,
            value: ({ reason, count }) =>
              reason === null && isCut ? number(count) : <a href={shortOf(of, reason)}>{number(count)}</a>,
          },
        ]}
      />
    </Card>
  );
};
