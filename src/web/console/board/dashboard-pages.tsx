import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { Card, statusIn } from '../kit/components.tsx';
import { hasFeature } from '../kit/menu.tsx';
import { page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import { alertColumns } from '../resources/alert/alerts.tsx';
import { startActions } from '../start/actions.ts';
import { Checklist, openSteps } from '../start/checklist.tsx';
import { isHidden } from '../start/hidden.ts';
import { type Dashboard, readDashboard } from './dashboard-store.ts';

/** The dashboard: the first page after the sign-in. */
export function dashboardPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app',
    right: 'see',
    query: z.object({ start: z.enum(['hide', 'show']).optional().catch(undefined) }),
    actions: startActions,
    async view(at, _, { start }) {
      const { session, database, words } = at;
      const { t } = words;
      const setsUp = at.may('changeSettings') && !isHidden(at.c, session.organization.uuid, start);
      const { started, ...board } = await readDashboard(database, Date.now(), setsUp);
      const steps = started && openSteps(at, started);
      const isEmpty = steps !== undefined && started?.works === 0 && started.example === 'NONE';
      const shipments = hasFeature(session, 'SHIPMENT');
      return {
        title: t('dash.title'),
        aside: (
          <a class="button quiet" href="/app/board">
            {t('dash.board')}
          </a>
        ),
        styles: ['start.css'],
        body: isEmpty ? (
          <Checklist steps={steps} has={started!} />
        ) : (
          <>
            {steps && <Checklist steps={steps} has={started!} />}
            <div class="cards">
              {shipments && (
                <Open
                  title={t('dash.openShipments')}
                  path="/app/shipment?status="
                  counts={board.open.shipments}
                />
              )}
              <Open
                title={t('dash.openManifests')}
                path="/app/manifest?manifestStatus="
                counts={board.open.manifests}
              />
              <Card title={t('dash.lastDay')}>
                <dl class="counts">
                  <Count label={t('dash.loaded')} number={board.day.loaded} />
                  {shipments && <Count label={t('dash.shipments')} number={board.day.shipmentsCompleted} />}
                  <Count label={t('dash.manifests')} number={board.day.manifestsCompleted} />
                  <Count label={t('dash.alerts')} number={board.day.alertsRaised} />
                </dl>
              </Card>
            </div>
            <Card title={t('dash.byHour')}>
              <LoadedChart hours={board.hours} zone={session.organization.timeZone} />
            </Card>
            <Card title={t('dash.openAlerts')}>
              <Table
                caption={
                  board.openAlerts > board.alerts.length
                    ? t('dash.last', { shown: board.alerts.length, total: board.openAlerts })
                    : t('list.total', { total: board.openAlerts })
                }
                columns={alertColumns(words)}
                rows={board.alerts}
                empty={t('dash.calm')}
              />
              {board.openAlerts > board.alerts.length && (
                <p>
                  <a href="/app/alert?status=OPEN">{t('dash.allAlerts')}</a>
                </p>
              )}
            </Card>
          </>
        ),
      };
    },
  });
}

const Count: FC<{ label: string; number: number; href?: string }> = ({ label, number, href }) => (
  <div>
    <dt>{href ? <a href={href}>{label}</a> : label}</dt>
    <dd>{useWords().number(number)}</dd>
  </div>
);

const Open: FC<{ title: string; path: string; counts: Record<string, number> }> = ({
  title,
  path,
  counts,
}) => {
  const words = useWords();
  return (
    <Card title={title}>
      <dl class="counts">
        {['IN_PROGRESS', 'TO_DO', 'PLANNED'].map((status) => (
          <Count label={statusIn(words, status)} number={counts[status] ?? 0} href={`${path}${status}`} />
        ))}
      </dl>
    </Card>
  );
};

/** Size of the chart, in units of the drawing. */
const BAR = 30;
const GAP = 6;
const HEIGHT = 140;

/** The chart: a bar per hour, labelled in site time. Screen readers get the same data as a table. */
const LoadedChart: FC<{ hours: Dashboard['hours']; zone: string }> = ({ hours, zone }) => {
  const { t, number } = useWords();
  const most = Math.max(...hours.map(({ loaded }) => loaded));
  if (most === 0) return <p class="empty">{t('dash.none')}</p>;
  const width = hours.length * BAR;
  return (
    <>
      <figure class="chart">
        <svg
          viewBox={`0 0 ${width} ${HEIGHT + 42}`}
          role="img"
          aria-label={t('dash.atMost', { count: most })}
        >
          {hours.map(({ begin, loaded }, index) => {
            const height = Math.round((loaded / most) * HEIGHT);
            return (
              <g>
                <rect
                  class="bar"
                  x={index * BAR + GAP / 2}
                  y={HEIGHT - height + 20}
                  width={BAR - GAP}
                  height={Math.max(height, 1)}
                />
                {loaded > 0 && (
                  <text x={index * BAR + BAR / 2} y={HEIGHT - height + 14}>
                    {number(loaded)}
                  </text>
                )}
                <text class="hour" x={index * BAR + BAR / 2} y={HEIGHT + 37}>
                  {clockIn(zone, begin).slice(0, 2)}
                </text>
              </g>
            );
          })}
        </svg>
        <figcaption class="hint">{t('dash.hours')}</figcaption>
      </figure>
      <details class="more">
        <summary>{t('dash.asTable')}</summary>
        <Table
          caption={t('dash.byHour')}
          rows={hours.filter(({ loaded }) => loaded > 0)}
          empty=""
          columns={[
            { label: t('dash.from'), value: ({ begin }) => <Time at={begin} /> },
            { label: t('dash.pallets'), value: ({ loaded }) => number(loaded), number: true },
          ]}
        />
      </details>
    </>
  );
};
