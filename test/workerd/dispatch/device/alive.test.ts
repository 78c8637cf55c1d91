import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { type ReportedStatus, reportedChanges } from '../../../../src/dispatch/device/rules.ts';
import { type Heartbeat, readAlive } from '../../../../src/dispatch/device/store.ts';
import { DEVICE_API, newTenant, ORIGIN, type Tenant } from '../../client.ts';
import { db, faultyD1 } from '../../core/writer/requests.ts';
import { type Device, newDevice, stored } from './devices.ts';

const databaseOf = (tenant: Tenant) => new Database(tenant.uuid, databasesOf(env));
const beatOf = (device: Device, more: Partial<Heartbeat> = {}): Heartbeat => ({
  ...device,
  status: 'ONLINE',
  softwareVersion: null,
  lastError: null,
  ...more,
});

/** An agent that last reported this status at time 1,000. */
async function heard(
  status: string | null,
  softwareVersion: string | null = null,
  lastError: string | null = null,
) {
  const tenant = await newTenant();
  const device = await newDevice(tenant, 'AGENT');
  await db
    .prepare(
      `UPDATE device SET reported_status = ?1, last_heartbeat_date = ?2, software_version = ?3, last_error = ?4
        WHERE uuid = ?5`,
    )
    .bind(status, status && 1_000, softwareVersion, lastError, device.uuid)
    .run();
  return {
    tenant,
    device,
    found: { reportedStatus: status as ReportedStatus | null, softwareVersion, lastError },
  };
}

describe('"still alive"', () => {
  it('a plain heartbeat is one round trip that writes one row', async () => {
    const { tenant, device } = await heard('ONLINE');
    const database = databaseOf(tenant);
    const answer = await readAlive(database, beatOf(device), 500, 2_000);
    expect(answer).toMatchObject({
      uuid: device.uuid,
      status: 'ONLINE',
      dates: { lastHeartbeatDate: 2_000 },
    });
    expect([database.roundTrips, database.rowsWritten]).toEqual([1, 1]);
    expect(database.rowsRead).toBeLessThan(5);
  });

  it('a plain heartbeat reads no more in an organization of many devices', async () => {
    const { tenant, device } = await heard('ONLINE');
    for (let count = 0; count < 30; count += 1) await newDevice(tenant, 'AGENT');
    const database = databaseOf(tenant);
    expect(await readAlive(database, beatOf(device), 500, 2_000)).toBeTruthy();
    expect(database.rowsRead).toBeLessThan(5);
  });

  it('a plain heartbeat only moves the date forward, at any time of the local clock', async () => {
    const { tenant, device } = await heard('ONLINE');
    for (const [now, date] of [
      [3_000, 3_000],
      [2_000, 3_000],
      [3_001, 3_001],
    ] as const) {
      const answer = await readAlive(databaseOf(tenant), beatOf(device), 500, now);
      expect([answer?.dates.lastHeartbeatDate, (await stored(device))['last_heartbeat_date']]).toEqual([
        date,
        date,
      ]);
    }
  });

  it('a heartbeat is plain exactly when the rule finds no changes', async () => {
    const cases = await Promise.all([
      heard(null),
      heard('ONLINE'),
      heard('OFFLINE', '1.0'),
      heard('ERROR', null, 'Jam'),
      heard('ONLINE', '1.0', 'Jam'),
    ]);
    const seen = { news: 0, alive: 0 };
    for (const { tenant, device, found } of cases) {
      for (const silent of [500, 1_000, 1_001, 1_500]) {
        const offline = found.reportedStatus === null || silent > 1_000;
        const state = { ...found, shownStatus: offline ? 'OFFLINE' : found.reportedStatus! };
        for (const status of ['ONLINE', 'OFFLINE', 'ERROR'] as const) {
          for (const softwareVersion of [null, '1.0', '1.1']) {
            for (const lastError of [null, 'Jam', 'Fire']) {
              const report = { status, softwareVersion, lastError };
              const isNews = reportedChanges(state, report).length > 0;
              const beat = beatOf(device, report);
              // The heartbeat has the same time 1,000, so the date stays and all cases start alike.
              const answer = await readAlive(databaseOf(tenant), beat, silent, 1_000);
              expect([state, report, answer === undefined]).toEqual([state, report, isNews]);
              seen[isNews ? 'news' : 'alive'] += 1;
            }
          }
        }
      }
    }
    expect(Math.min(seen.news, seen.alive)).toBeGreaterThan(20);
  });

  it('a plain heartbeat goes through the writer when D1 does not answer at the edge', async () => {
    const tenant = await newTenant();
    const device = await newDevice(tenant, 'SCANNER');
    await tenant.device('POST', '/heartbeat', { ...device, status: 'ONLINE' });
    const before = await stored(device);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const context = createExecutionContext();
    const request = new Request(`${ORIGIN}${DEVICE_API}/heartbeat`, {
      method: 'POST',
      headers: { 'X-Auth-Token': tenant.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...device, status: 'ONLINE' }),
    });
    const response = await app.fetch(request, { ...env, DB: faultyD1(() => 'before') } as never, context);
    await waitOnExecutionContext(context);
    expect(response.status).toBe(200);
    expect(warned.mock.calls.flat().join()).toContain('heartbeat');
    warned.mockRestore();
    expect((await stored(device))['last_heartbeat_date']).toBeGreaterThan(
      before['last_heartbeat_date'] as number,
    );
  });
});
