import type { FC } from 'hono/jsx';
import { isoDate } from '../../../core/lib/time.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { Table } from '../../ui/list/rows.tsx';
import { Card } from '../../ui/parts/components.tsx';
import { Time } from '../../ui/parts/time.tsx';
import { ColumnChart } from './chart.tsx';
import { Counted } from './figures.tsx';
import type { LastDay } from './last-day-store.ts';

/** The work of the last 24 hours. It also counts manifests that are in no shipment. */
export const LastDayCard: FC<{ of: LastDay; zone: string; shipments: boolean }> = ({
  of,
  zone,
  shipments,
}) => {
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
