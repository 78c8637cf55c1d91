import type { FC } from 'hono/jsx';
import { isByTime, type TimeGroup } from '../../../dispatch/report/rules.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { Card } from '../../ui/parts/components.tsx';
import { ColumnChart, type Point, RowChart } from './chart.tsx';
import { type Row, TABLE } from './groups.tsx';
import { type Figures, MEASURE_NAMES, MEASURES, type MeasureName } from './measures.ts';
import { partsOf, type Report, type ShownPart } from './range-rules.ts';
import { partLabel } from './words.ts';

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
export const ReportCharts: FC<{ report: Report; rows: readonly Row[]; today: string }> = ({
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
