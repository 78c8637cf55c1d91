import type { FC } from 'hono/jsx';
import { isByTime } from '../../../dispatch/report/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { Card } from '../kit/components.tsx';
import { ColumnChart, type Point, RowChart } from './chart.tsx';
import { type Row, TABLE } from './groups.tsx';
import { MEASURE_NAMES, MEASURES, type MeasureName } from './measures.ts';
import { partsOf, type Report } from './range-rules.ts';
import { partLabel } from './words.ts';

/** A chart for each measure. The table below has the same figures. */
export const ReportCharts: FC<{ report: Report; rows: readonly Row[]; today: string }> = ({
  report,
  rows,
  today,
}) => {
  const words = useWords();
  const { t } = words;
  const { groupBy } = report;
  const byGroup = new Map(rows.map((row) => [row.figures.group, row.figures]));
  const parts = isByTime(groupBy) ? partsOf(report, groupBy, today) : undefined;
  const pointsOf = (name: MeasureName): Point[] => {
    const { of } = MEASURES[name];
    if (!parts || !isByTime(groupBy))
      return rows.map(({ label, figures }) => ({ label, value: of(figures) }));
    return parts.map(({ group, isPartial }) => {
      const figures = byGroup.get(group);
      return { label: partLabel(words, groupBy, group), value: figures ? of(figures) : null, isPartial };
    });
  };
  const Shown = parts ? ColumnChart : RowChart;
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
      {parts?.some(({ isPartial }) => isPartial) && <p class="hint">{t('report.partial')}</p>}
    </>
  );
};
