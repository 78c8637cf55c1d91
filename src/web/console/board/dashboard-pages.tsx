import { z } from '@hono/zod-openapi';
import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../../core/http/types.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import type { PageContext } from '../kit/action.ts';
import { redirect } from '../kit/answer.tsx';
import { Card, statusIn } from '../kit/components.tsx';
import { hasFeature, plansDay } from '../kit/menu.tsx';
import { page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import type { View } from '../kit/view.ts';
import { alertColumns } from '../resources/alert/alerts.tsx';
import { startActions } from '../start/actions.ts';
import { Checklist, openSteps } from '../start/checklist.tsx';
import { isHidden } from '../start/hidden.ts';
import { readStarted } from '../start/store.ts';
import { type Dashboard, readDashboard } from './dashboard-store.ts';

const query = z.object({ start: z.enum(['hide', 'show']).optional().catch(undefined) });
type StartQuery = z.output<typeof query>;

/**
 * The first page after the sign-in, and the dashboard. Who has a day of departures begins with it, unless there is
 * something left to set up.
 */
export function dashboardPages(app: Hono<AppEnv>): void {
  page(app, { path: '/app', right: 'see', query, actions: startActions, view: firstPage });
  page(app, { path: '/app/dashboard', right: 'see', query, view: dashboard });
}

/** Whether the page shows the setup list until its steps are done. */
const showsSetup = (at: PageContext, { start }: StartQuery): boolean =>
  at.may('changeSettings') && !isHidden(at.c, at.session.organization.uuid, start);

async function firstPage(at: PageContext, params: object, asked: StartQuery): Promise<View | Response> {
  if (!plansDay(at.session)) return dashboard(at, params, asked);
  const has = showsSetup(at, asked) ? await readStarted(at.database) : undefined;
  const steps = has && openSteps(at, has);
  if (!steps) return redirect(at.c, '/app/today');
  return {
    title: at.words.t('dash.title'),
    aside: (
      <a class="button quiet" href="/app/today">
        {at.words.t('day.today')}
      </a>
    ),
    styles: ['start.css'],
    body: <Checklist steps={steps} has={has} />,
  };
}

async function dashboard(at: PageContext, _: object, asked: StartQuery): Promise<View> {
  const { session, database, words } = at;
  const { t } = words;
  const { started, ...board } = await readDashboard(database, Date.now(), showsSetup(at, asked));
  const steps = started && openSteps(at, started);
  const isEmpty = steps !== undefined && started?.works === 0 && started.example === 'NONE';
  return {
    title: t('dash.title'),
    aside: (
      <a class="button quiet" href="/app/board">
        {t('dash.board')}
      </a>
    ),
    styles: ['start.css'],
    body: (
      <>
        {steps && <Checklist steps={steps} has={started!} />}
        {!isEmpty && (
          <Counts
            board={board}
            shipments={hasFeature(session, 'SHIPMENT')}
            zone={session.organization.timeZone}
          />
        )}
      </>
    ),
  };
}

/** Open work, the last day and open alerts. */
const Counts: FC<{ board: Dashboard; shipments: boolean; zone: string }> = ({ board, shipments, zone }) => {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <div class="cards">
        {shipments && (
          <Open title={t('dash.openShipments')} path="/app/shipment?status=" counts={board.open.shipments} />
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
        <LoadedChart hours={board.hours} zone={zone} />
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
  );
};

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
