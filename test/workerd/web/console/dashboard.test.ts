import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { HOUR_MS } from '../../../../src/core/lib/time.ts';
import { readDashboard } from '../../../../src/web/console/board/dashboard-store.ts';
import { loadingDock } from '../../dispatch/shipment/dock.ts';

it('the dashboard counts loaded pallets by the hour and open work', async () => {
  const dock = await loadingDock();
  const { A, B } = dock.codes as Record<string, number>;
  const database = new Database(dock.uuid, databasesOf(env));
  const before = await readDashboard(database, Date.now());
  expect([before.day.loaded, before.hours.length]).toEqual([0, 24]);
  for (const markerCode of [A, B]) {
    const scan = { scanId: crypto.randomUUID(), markerCode, direction: 'LOAD' };
    expect((await dock.device('POST', '/gate/G/scan', scan)).body.outcome).toBe('LOADED');
  }
  const now = Date.now();
  const { day, hours, open } = await readDashboard(database, now);
  expect(day.loaded).toBe(2);
  expect(hours.at(-1)).toEqual({ begin: now - (now % HOUR_MS), loaded: 2 });
  expect(hours.slice(0, -1).every(({ loaded }) => loaded === 0)).toBe(true);
  expect(open.shipments['IN_PROGRESS']).toBe(1);
  // As hours pass, the bar moves along the chart and out of it.
  expect((await readDashboard(database, now + 3 * HOUR_MS)).hours.at(-4)?.loaded).toBe(2);
  expect((await readDashboard(database, now + 25 * HOUR_MS)).day.loaded).toBe(0);
});
