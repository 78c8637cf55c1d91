import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../../src/core/env.ts';
import { silentOrganizations } from '../../../../src/dispatch/device/store.ts';
import { newGate, newTenant, operator, type Tenant } from '../../client.ts';
import { bodyOf, db, request, writerOf } from '../../core/writer/requests.ts';
import { type Shown, wholeLog } from '../../log/audit/logs.ts';
import { DAILY, EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { type Device, later, newDevice, noteSilences, shown, stored } from './devices.ts';

const bindings = env as unknown as Env;
const MINUTE_MS = 60_000;
/** Longer than the default limit of five minutes for heartbeats. */
const SILENCE_MS = 6 * MINUTE_MS;

const noted = (milliseconds = SILENCE_MS) => noteSilences(milliseconds);
const beat = (tenant: Tenant, device: Device, status = 'ONLINE', more: object = {}) =>
  tenant.device('POST', '/heartbeat', { ...device, status, ...more });
const alerts = async (tenant: Tenant, query = '') =>
  (await tenant.call('GET', `/alert-event?alertType=DEVICE_OFFLINE&sort.sortBy=createDate&${query}`)).body
    .content;
const recordsAfter = async (tenant: Tenant, seen: number): Promise<Shown[]> =>
  (await wholeLog(tenant)).slice(seen);

/** A device that has sent one heartbeat. */
async function heard(
  deviceType: Device['deviceType'] = 'SCANNER',
  status = 'ONLINE',
  tenant?: Tenant,
): Promise<{ tenant: Tenant; device: Device }> {
  const of = tenant ?? (await newTenant());
  const device = await newDevice(of, deviceType, { name: `The ${deviceType}` });
  expect((await beat(of, device, status)).status).toBe(200);
  return { tenant: of, device };
}

afterEach(() => vi.restoreAllMocks());

describe('a device that falls silent', () => {
  it('a silent device raises one alert however often the schedule runs', async () => {
    const tenant = await newTenant();
    await newGate(tenant, 'G');
    const device = await newDevice(tenant, 'SCANNER', { name: 'At the door', gateExternalId: 'G' });
    await beat(tenant, device);
    const { lastSeenDate } = await shown(tenant, device);
    const seen = (await wholeLog(tenant)).length;
    await noted();
    await noted(SILENCE_MS + MINUTE_MS);
    const [alert, ...others] = await alerts(tenant);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      alertType: 'DEVICE_OFFLINE',
      severity: 'WARNING',
      status: 'OPEN',
      message: `Scanner At the door has not reported since ${lastSeenDate}.`,
      gate: { externalIdentifier: 'G' },
      deviceUuid: device.uuid,
      trackIdentifier: null,
      markerCode: null,
      manifestExternalId: null,
      shipmentExternalId: null,
      recordUuid: null,
      resolvedDate: null,
    });
    expect(await shown(tenant, device)).toMatchObject({ status: 'OFFLINE', lastSeenDate });
    expect((await tenant.call('GET', '/gate')).body.content[0].openAlertsCount).toBe(1);
    const [silent, raised, ...more] = await recordsAfter(tenant, seen);
    expect(more).toEqual([]);
    const actor = { actorType: 'SYSTEM', uuid: null, displayName: 'System' };
    expect(silent).toMatchObject({
      action: 'SCANNER_FELL_SILENT',
      entityUuid: device.uuid,
      entityExternalId: 'At the door',
      actor,
      ipAddress: null,
      changes: [
        { field: 'status', oldValue: 'ONLINE', newValue: 'OFFLINE' },
        { field: 'lastHeartbeatDate', oldValue: null, newValue: lastSeenDate },
      ],
    });
    expect(raised).toMatchObject({
      action: 'ALERT_RAISED',
      entityType: 'ALERT',
      entityUuid: alert.uuid,
      actor,
      requestId: silent!.requestId,
    });
    const { content: events } = (await tenant.call('GET', '/event')).body;
    expect(events).toMatchObject([{ eventType: 'ALERT_RAISED', entityUuid: alert.uuid, data: alert }]);
  });

  it.each([
    ['SCANNER', 'ONLINE'],
    ['LOCAL_MANAGER', 'ONLINE'],
    ['LOCAL_MANAGER', 'DEGRADED'],
    ['AGENT', 'ONLINE'],
    ['AGENT', 'ERROR'],
  ] as const)(
    'a silent device (%s) has its alert resolved when it reports %s again, and a new one for the next silence',
    async (deviceType, status) => {
      const { tenant, device } = await heard(deviceType);
      await noted();
      const seen = (await wholeLog(tenant)).length;
      const { body } = await later(SILENCE_MS + MINUTE_MS, () => beat(tenant, device, status));
      expect(body.status).toBe(status);
      const [first] = await alerts(tenant);
      expect(first).toMatchObject({ status: 'RESOLVED', resolvedDate: expect.any(String) });
      expect((await recordsAfter(tenant, seen)).map(({ action, changes }) => [action, changes])).toEqual([
        [`${deviceType}_REPORTED`, [{ field: 'status', oldValue: 'OFFLINE', newValue: status }]],
        ['ALERT_RESOLVED', [{ field: 'status', oldValue: 'OPEN', newValue: 'RESOLVED' }]],
      ]);
      await noted(2 * SILENCE_MS);
      expect((await alerts(tenant)).map((alert: { status: string }) => alert.status)).toEqual([
        'RESOLVED',
        'OPEN',
      ]);
    },
  );

  it('a silent device that reports OFFLINE stays OFFLINE and keeps its alert', async () => {
    const { tenant, device } = await heard();
    await noted();
    const seen = (await wholeLog(tenant)).length;
    await later(SILENCE_MS + 1, () => beat(tenant, device, 'OFFLINE'));
    await later(SILENCE_MS + 2, () => beat(tenant, device, 'OFFLINE', { softwareVersion: '2.0' }));
    await noted(2 * SILENCE_MS);
    expect(await alerts(tenant)).toMatchObject([{ status: 'OPEN' }]);
    expect((await recordsAfter(tenant, seen)).map(({ action }) => action)).toEqual(['SCANNER_REPORTED']);
  });

  it('a device that reported OFFLINE, never reported or was deleted raises no alert', async () => {
    const { tenant } = await heard('AGENT', 'OFFLINE');
    await newDevice(tenant, 'SCANNER');
    const { device } = await heard('LOCAL_MANAGER', 'ONLINE', tenant);
    await operator('DELETE', `/organization/${tenant.uuid}/local-manager/${device.uuid}`);
    const seen = (await wholeLog(tenant)).length;
    await noted();
    expect([await alerts(tenant), await recordsAfter(tenant, seen)]).toEqual([[], []]);
  });

  it('deleting a silent device resolves its alert', async () => {
    const { tenant, device } = await heard();
    await noted();
    await operator('DELETE', `/organization/${tenant.uuid}/scanner/${device.uuid}`);
    expect(await alerts(tenant)).toMatchObject([{ status: 'RESOLVED' }]);
    expect((await wholeLog(tenant)).slice(-2).map(({ action }) => action)).toEqual([
      'SCANNER_DELETED',
      'ALERT_RESOLVED',
    ]);
  });

  it("a device is silent after its organization's limit, to the millisecond", async () => {
    const { tenant, device } = await heard();
    await operator('PUT', `/organization/${tenant.uuid}`, { deviceOfflineAfterSeconds: 10 });
    const { last_heartbeat_date: date } = await stored(device);
    const at = (now: number) => silentOrganizations(db, now);
    expect(await at((date as number) + 10_000)).not.toContain(tenant.uuid);
    expect(await at((date as number) + 10_001)).toContain(tenant.uuid);
    await noted(11_000);
    expect(await alerts(tenant)).toHaveLength(1);
    const [patient] = [await heard()];
    await operator('PUT', `/organization/${patient.tenant.uuid}`, { deviceOfflineAfterSeconds: 86_400 });
    await noted(24 * 60 * MINUTE_MS - MINUTE_MS);
    expect(await alerts(patient.tenant)).toEqual([]);
  });

  it('up to 500 silent devices share one commit', async () => {
    const tenant = await newTenant();
    const [now, count] = [Date.now(), 501];
    await db
      .prepare(
        `INSERT INTO device (uuid, organization_uuid, device_type, name, reported_status, last_heartbeat_date,
          folded_name, create_date, update_date)
        SELECT printf('01900000-0000-7000-8000-%012x', value), ?1, 'AGENT', 'A' || value, 'ONLINE', ?2 + value,
          'a', ?2, ?2 FROM json_each(?3)`,
      )
      .bind(tenant.uuid, now, JSON.stringify(Array.from({ length: count }, (_, index) => index)))
      .run();
    const open = async () => (await tenant.call('GET', '/alert-event?status=OPEN')).body.totalElements;
    await noted();
    expect(await open()).toBe(500);
    expect(new Set((await wholeLog(tenant)).slice(2).map(({ requestId }) => requestId)).size).toBe(1);
    await noted();
    expect(await open()).toBe(count);
  });
});

describe('a heartbeat that comes while the silence is noted', () => {
  it('a heartbeat during the silence commit wins: that alert is not raised and the others are', async () => {
    const { tenant, device } = await heard();
    const { device: other } = await heard('AGENT', 'ONLINE', tenant);
    const before = (await stored(device))['last_heartbeat_date'] as number;
    let batches = 0;
    // A store that receives a heartbeat after the writer has read the silent devices.
    const beating = {
      withSession(constraint?: string) {
        const session = db.withSession(constraint);
        return {
          prepare: (sql: string) => session.prepare(sql),
          getBookmark: () => session.getBookmark(),
          async batch(statements: D1PreparedStatement[]) {
            batches += 1;
            // The first batch reads the end of the log, the second the silent devices, the third commits.
            if (batches === 3) {
              await db
                .prepare('UPDATE device SET last_heartbeat_date = ?1 WHERE uuid = ?2')
                .bind(Date.now(), device.uuid)
                .run();
            }
            return session.batch(statements);
          },
        };
      },
    } as unknown as D1Database;
    const outcome = await later(SILENCE_MS, () =>
      writerOf(tenant, beating).execute(request('noteSilence', {})),
    );
    expect(bodyOf(outcome)).toEqual({ devices: 1 });
    expect(batches).toBeGreaterThan(3);
    expect(await alerts(tenant)).toMatchObject([{ deviceUuid: other.uuid }]);
    const after = await stored(device);
    expect([after['reported_status'], after['last_heartbeat_date']]).toEqual(['ONLINE', expect.any(Number)]);
    expect(after['last_heartbeat_date']).toBeGreaterThan(before);
    // The device counts as alive, so a heartbeat again writes nothing to the log.
    const seen = (await wholeLog(tenant)).length;
    await later(SILENCE_MS + 1_000, () => beat(tenant, device));
    expect((await wholeLog(tenant)).length).toBe(seen);
  });

  it('a heartbeat right after the silence commit resolves the alert', async () => {
    const { tenant, device } = await heard();
    await noted();
    const answers = await later(SILENCE_MS + 1, () =>
      Promise.all(Array.from({ length: 5 }, () => beat(tenant, device))),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(Array(5).fill('ONLINE'));
    expect(await alerts(tenant)).toMatchObject([{ status: 'RESOLVED' }]);
    const resolved = (await wholeLog(tenant)).filter(({ action }) => action === 'ALERT_RESOLVED');
    expect(resolved).toHaveLength(1);
  });
});

describe('the schedule', () => {
  const run = (cron: string) => later(SILENCE_MS, () => runSchedule(cron, bindings));

  it('the schedule checks for silence every minute, apart from its daily work', async () => {
    const { tenant } = await heard();
    await run(DAILY);
    expect(await alerts(tenant)).toEqual([]);
    await run(EVERY_MINUTE);
    expect(await alerts(tenant)).toHaveLength(1);
  });

  it('the schedule asks only affected organizations and continues when one does not answer', async () => {
    const [silent, broken, quiet] = [await heard(), await heard(), await newTenant()];
    await newDevice(quiet, 'AGENT');
    const asked: string[] = [];
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const WRITER = {
      idFromName: (name: string) => name,
      get(name: string) {
        asked.push(name);
        const real = bindings.WRITER.get(bindings.WRITER.idFromName(name));
        const overloaded = Object.assign(new Error('overloaded'), { overloaded: true });
        return {
          execute: (sent: never) =>
            name === broken.tenant.uuid ? Promise.reject(overloaded) : real.execute(sent),
        };
      },
    };
    await noteSilences(SILENCE_MS, { ...bindings, WRITER } as never);
    expect(asked).toContain(silent.tenant.uuid);
    expect(asked).toContain(broken.tenant.uuid);
    expect(asked).not.toContain(quiet.uuid);
    expect(await alerts(silent.tenant)).toHaveLength(1);
    expect(await alerts(broken.tenant)).toEqual([]);
    await noted();
    expect(await alerts(broken.tenant)).toHaveLength(1);
  });

  it('the schedule finds silent devices by their index', async () => {
    const plan = async (statement: string) =>
      (await db.prepare(`EXPLAIN QUERY PLAN ${statement}`).all<{ detail: string }>()).results
        .map(({ detail }) => detail)
        .join('; ');
    const prepared: string[] = [];
    const spied = {
      withSession: () => ({
        prepare(sql: string) {
          prepared.push(sql.replaceAll('?', '1'));
          return { bind: () => ({}) };
        },
        batch: async () => [{ results: [], meta: {} }],
      }),
    };
    await silentOrganizations(spied as never, Date.now());
    expect(await plan(prepared[0]!)).toContain('USING INDEX device_reporting (organization_uuid=?)');
  });
});
