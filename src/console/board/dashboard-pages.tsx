import type { Hono } from 'hono';
import type { FC } from 'hono/jsx';
import type { AppEnv } from '../../http/types.ts';
import { clockIn } from '../../lib/zone.ts';
import { Card, words } from '../kit/components.tsx';
import { hasFeature } from '../kit/menu.tsx';
import { page } from '../kit/page.tsx';
import { Table } from '../kit/rows.tsx';
import { Time } from '../kit/time.tsx';
import { alertColumns } from '../records/alert/alerts.tsx';
import { type Dashboard, readDashboard } from './dashboard-store.ts';

/** The page that people come to first. */
export function dashboardPages(app: Hono<AppEnv>): void {
  page(app, {
    path: '/app',
    right: 'see',
    async view({ session, database }) {
      const board = await readDashboard(database, Date.now());
      const shipments = hasFeature(session, 'SHIPMENT');
      return {
        title: 'Dashboard',
        aside: (
          <a class="button quiet" href="/app/board">
            Gate board
          </a>
        ),
        body: (
          <>
            <div class="cards">
              {shipments && (
                <Open title="Open shipments" path="/app/shipment?status=" counts={board.open.shipments} />
              )}
              <Open
                title="Open manifests"
                path="/app/manifest?manifestStatus="
                counts={board.open.manifests}
              />
              <Card title="Last 24 hours">
                <dl class="counts">
                  <Count label="Pallets loaded" number={board.day.loaded} />
                  {shipments && <Count label="Shipments completed" number={board.day.shipmentsCompleted} />}
                  <Count label="Manifests completed" number={board.day.manifestsCompleted} />
                  <Count label="Alerts raised" number={board.day.alertsRaised} />
                </dl>
              </Card>
            </div>
            <Card title="Pallets loaded by the hour">
              <LoadedChart hours={board.hours} zone={session.organization.timeZone} />
            </Card>
            <Card title="Open alerts">
              <Table
                caption={
                  board.openAlerts > board.alerts.length
                    ? `The last ${board.alerts.length} of ${board.openAlerts}`
                    : `${board.openAlerts} in all`
                }
                columns={alertColumns}
                rows={board.alerts}
                empty="Nothing needs attention."
              />
              {board.openAlerts > board.alerts.length && (
                <p>
                  <a href="/app/alert?status=OPEN">All open alerts</a>
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
    <dd>{number.toLocaleString('en')}</dd>
  </div>
);

const Open: FC<{ title: string; path: string; counts: Record<string, number> }> = ({
  title,
  path,
  counts,
}) => (
  <Card title={title}>
    <dl class="counts">
      {['IN_PROGRESS', 'TO_DO', 'PLANNED'].map((status) => (
        <Count label={words(status)} number={counts[status] ?? 0} href={`${path}${status}`} />
      ))}
    </dl>
  </Card>
);

/** Units of the drawing. */
const BAR = 30;
const GAP = 6;
const HEIGHT = 140;

/** A bar for each hour with the hour of the site's clock under it, and the same as a table for who cannot see it. */
const LoadedChart: FC<{ hours: Dashboard['hours']; zone: string }> = ({ hours, zone }) => {
  const most = Math.max(...hours.map(({ loaded }) => loaded));
  if (most === 0) return <p class="empty">No pallet was loaded in the last 24 hours.</p>;
  const width = hours.length * BAR;
  return (
    <>
      <figure class="chart">
        <svg
          viewBox={`0 0 ${width} ${HEIGHT + 42}`}
          role="img"
          aria-label={`At most ${most} pallets in an hour`}
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
                    {loaded}
                  </text>
                )}
                <text class="hour" x={index * BAR + BAR / 2} y={HEIGHT + 37}>
                  {clockIn(zone, begin).slice(0, 2)}
                </text>
              </g>
            );
          })}
        </svg>
        <figcaption class="hint">Hours of the site, the current one last</figcaption>
      </figure>
      <details class="more">
        <summary>As a table</summary>
        <Table
          caption="Pallets loaded by the hour"
          rows={hours.filter(({ loaded }) => loaded > 0)}
          empty=""
          columns={[
            { label: 'From', value: ({ begin }) => <Time at={begin} /> },
            { label: 'Pallets', value: ({ loaded }) => loaded, number: true },
          ]}
        />
      </details>
    </>
  );
};
