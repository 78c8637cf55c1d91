import { describe, expect, it, vi } from 'vitest';
import { newTenant, operator, type Tenant } from '../../client.ts';
import { db, logOf } from '../../core/writer/requests.ts';
import { type Device, later, NOBODY, newDevice, shown, stored } from './devices.ts';

/** Log entries after the first `seen` ones. */
const news = async (tenant: Tenant, seen: number) =>
  (await logOf(tenant))
    .slice(seen)
    .map(({ action, changes }) => ({ action, changes: JSON.parse(changes as string) }));
const length = async (tenant: Tenant) => (await logOf(tenant)).length;
const keysKept = async (tenant: Tenant) =>
  (await db
    .prepare('SELECT count(*) AS n FROM recent_answer WHERE organization_uuid = ?1')
    .bind(tenant.uuid)
    .first())!['n'] as number;

/** A device that has sent one heartbeat. */
async function alive(
  deviceType: Device['deviceType'],
  status = 'ONLINE',
): Promise<Device & { tenant: Tenant }> {
  const tenant = await newTenant();
  const device = await newDevice(tenant, deviceType);
  const first = await tenant.device('POST', '/heartbeat', { ...device, status, softwareVersion: '1.0' });
  expect(first.status).toBe(200);
  return { tenant, ...device };
}

describe('a first heartbeat', () => {
  it.each([
    ['SCANNER', 'lastSeenDate'],
    ['LOCAL_MANAGER', 'lastHeartbeatDate'],
    ['AGENT', 'lastHeartbeatDate'],
  ] as const)(
    'the first heartbeat of a %s returns the device and is audited',
    async (deviceType, dateField) => {
      const tenant = await newTenant();
      const device = await newDevice(tenant, deviceType);
      const seen = await length(tenant);
      const began = Date.now();
      const { status, body, headers } = await tenant.device('POST', '/heartbeat', {
        ...device,
        status: 'ONLINE',
        softwareVersion: '2.1.0',
      });
      expect([status, body.status, body.softwareVersion, body.uuid]).toEqual([
        200,
        'ONLINE',
        '2.1.0',
        device.uuid,
      ]);
      expect(Date.parse(body[dateField])).toBeGreaterThanOrEqual(began);
      expect(body.updateDate).toBe(body[dateField]);
      expect(headers.get('x-d1-bookmark')).not.toBe(null);
      expect(await shown(tenant, device)).toEqual(body);
      expect(await news(tenant, seen)).toEqual([
        {
          action: `${deviceType}_REPORTED`,
          changes: [
            { field: 'status', oldValue: 'OFFLINE', newValue: 'ONLINE' },
            { field: 'softwareVersion', oldValue: null, newValue: '2.1.0' },
          ],
        },
      ]);
      const [entry] = (await logOf(tenant)).slice(-1);
      expect(entry).toMatchObject({
        actor_type: 'ACCESS_TOKEN',
        entity_type: deviceType,
        entity_uuid: device.uuid,
      });
    },
  );
});

describe('a heartbeat that says nothing new', () => {
  it('a plain heartbeat moves its date only: no audit entry, no stored answer, no update date', async () => {
    const { tenant, ...device } = await alive('SCANNER');
    const [before, log, kept] = [await stored(device), await length(tenant), await keysKept(tenant)];
    await later(60_000, async () => {
      for (const more of [{ softwareVersion: '1.0' }, { softwareVersion: null }, {}]) {
        const { status, body, headers } = await tenant.device('POST', '/heartbeat', {
          ...device,
          status: 'ONLINE',
          ...more,
        });
        expect([status, body.status, body.softwareVersion]).toEqual([200, 'ONLINE', '1.0']);
        expect(Date.parse(body.lastSeenDate)).toBeGreaterThan(
          (before['last_heartbeat_date'] as number) + 59_000,
        );
        expect(headers.get('Server-Timing')).toMatch(/"1 round trips, [1-9] rows read, 1 rows written"/);
        expect(headers.get('x-d1-bookmark')).not.toBe(null);
      }
    });
    const after = await stored(device);
    expect(after['last_heartbeat_date']).not.toBe(before['last_heartbeat_date']);
    expect({ ...after, last_heartbeat_date: 0 }).toEqual({ ...before, last_heartbeat_date: 0 });
    expect([await length(tenant), await keysKept(tenant)]).toEqual([log, kept]);
  });

  it('a plain heartbeat under a key is stored and replayed, and not audited', async () => {
    const { tenant, ...device } = await alive('AGENT');
    const [before, log] = [await stored(device), await length(tenant)];
    const beat = () =>
      tenant.device('POST', '/heartbeat', { ...device, status: 'ONLINE' }, { 'Idempotency-Key': 'beat' });
    const first = await later(60_000, beat);
    const noted = await stored(device);
    expect(noted['last_heartbeat_date']).toBeGreaterThan((before['last_heartbeat_date'] as number) + 59_000);
    // The device is silent by now, but a repeat returns the first answer.
    const repeat = await later(3_600_000, beat);
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed'), repeat.body]).toEqual([
      200,
      'true',
      first.body,
    ]);
    expect(await stored(device)).toEqual(noted);
    expect(await length(tenant)).toBe(log);
  });
});

describe('a heartbeat that is news', () => {
  it.each([
    ['another status', { status: 'ERROR' }, [{ field: 'status', oldValue: 'ONLINE', newValue: 'ERROR' }]],
    [
      'another version',
      { softwareVersion: '1.1' },
      [{ field: 'softwareVersion', oldValue: '1.0', newValue: '1.1' }],
    ],
    ['an error', { lastError: 'Jam' }, [{ field: 'lastError', oldValue: null, newValue: 'Jam' }]],
  ])('a changing heartbeat (%s) has one audit entry, and a repeat adds none', async (_, more, changes) => {
    const { tenant, ...device } = await alive('AGENT');
    const [before, seen] = [await stored(device), await length(tenant)];
    for (let count = 0; count < 3; count += 1) {
      const { body } = await later(1_000 * (count + 1), () =>
        tenant.device('POST', '/heartbeat', { ...device, status: 'ONLINE', ...more }),
      );
      expect(body).toMatchObject(more);
    }
    expect(await news(tenant, seen)).toEqual([{ action: 'AGENT_REPORTED', changes }]);
    expect((await stored(device))['update_date']).toBeGreaterThan(before['update_date'] as number);
  });

  it('a heartbeat keeps the last error after it is over and ignores null', async () => {
    const { tenant, ...device } = await alive('AGENT');
    await tenant.device('POST', '/heartbeat', { ...device, status: 'ERROR', lastError: 'Jam' });
    const { body } = await tenant.device('POST', '/heartbeat', {
      ...device,
      status: 'ONLINE',
      softwareVersion: null,
      lastError: null,
    });
    expect(body).toMatchObject({ status: 'ONLINE', lastError: 'Jam', softwareVersion: '1.0' });
  });

  it('concurrent equal heartbeats have one audit entry', async () => {
    const { tenant, ...device } = await alive('LOCAL_MANAGER');
    const seen = await length(tenant);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        tenant.device('POST', '/heartbeat', { ...device, status: 'DEGRADED' }),
      ),
    );
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
      Array(12).fill([200, 'DEGRADED']),
    );
    expect(await news(tenant, seen)).toHaveLength(1);
  });
});

describe('a device that is silent', () => {
  const statusOf = async (tenant: Tenant, device: Device) => (await shown(tenant, device)).status;

  it('a silent device is OFFLINE after five minutes, and not before', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      const { tenant, ...device } = await alive('LOCAL_MANAGER', 'DEGRADED');
      const row = await stored(device);
      vi.setSystemTime((row['last_heartbeat_date'] as number) + 300_000);
      expect(await statusOf(tenant, device)).toBe('DEGRADED');
      vi.setSystemTime((row['last_heartbeat_date'] as number) + 300_001);
      expect(await statusOf(tenant, device)).toBe('OFFLINE');
      expect(await stored(device)).toEqual(row);
      const filtered = async (status: string) =>
        (await tenant.call('GET', `/local-manager?status=${status}`)).body.totalElements;
      expect([await filtered('OFFLINE'), await filtered('DEGRADED')]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a silent device is OFFLINE after the time that the organization sets', async () => {
    const { tenant, ...device } = await alive('SCANNER');
    const set = (deviceOfflineAfterSeconds: number) =>
      operator('PUT', `/organization/${tenant.uuid}`, { deviceOfflineAfterSeconds });
    expect((await set(60)).body.deviceOfflineAfterSeconds).toBe(60);
    expect(await later(50_000, () => statusOf(tenant, device))).toBe('ONLINE');
    expect(await later(61_000, () => statusOf(tenant, device))).toBe('OFFLINE');
    await set(86_400);
    expect(await later(86_000_000, () => statusOf(tenant, device))).toBe('ONLINE');
    for (const bad of [9, 86_401, 1.5]) {
      expect([bad, (await set(bad)).status]).toEqual([bad, 400]);
    }
  });

  it('a returning device is a change, because it was OFFLINE', async () => {
    const { tenant, ...device } = await alive('SCANNER');
    const seen = await length(tenant);
    const { body } = await later(301_000, () =>
      tenant.device('POST', '/heartbeat', { ...device, status: 'ONLINE' }),
    );
    expect(body.status).toBe('ONLINE');
    expect(await news(tenant, seen)).toEqual([
      { action: 'SCANNER_REPORTED', changes: [{ field: 'status', oldValue: 'OFFLINE', newValue: 'ONLINE' }] },
    ]);
  });

  it('a returning device that reports OFFLINE does not become ONLINE', async () => {
    const { tenant, ...device } = await alive('SCANNER');
    const seen = await length(tenant);
    await later(301_000, async () => {
      for (let count = 0; count < 2; count += 1) {
        await tenant.device('POST', '/heartbeat', { ...device, status: 'OFFLINE' });
        expect(await shown(tenant, device)).toMatchObject({ status: 'OFFLINE' });
      }
    });
    expect(await news(tenant, seen)).toEqual([
      { action: 'SCANNER_REPORTED', changes: [{ field: 'status', oldValue: 'ONLINE', newValue: 'OFFLINE' }] },
    ]);
  });
});

describe('a heartbeat that is refused', () => {
  it.each([
    ['SCANNER', ['ONLINE', 'OFFLINE'], ['DISABLED', 'DEGRADED', 'ERROR']],
    ['LOCAL_MANAGER', ['ONLINE', 'DEGRADED', 'OFFLINE'], ['DISABLED', 'ERROR']],
    ['AGENT', ['ONLINE', 'ERROR', 'OFFLINE'], ['DISABLED', 'DEGRADED']],
  ] as const)(
    'a heartbeat of a %s refuses a status of another device type',
    async (deviceType, own, others) => {
      const tenant = await newTenant();
      const device = await newDevice(tenant, deviceType);
      for (const status of own) {
        const { body } = await tenant.device('POST', '/heartbeat', { ...device, status });
        expect(body.status).toBe(status);
      }
      const before = await stored(device);
      for (const status of [...others, '', 'online', 'NOPE']) {
        const answer = await tenant.device('POST', '/heartbeat', { ...device, status });
        expect([status, answer.status, answer.body.code]).toEqual([status, 400, 'unknownStatus']);
        expect(answer.body.allowedValues).toEqual(own);
        expect(answer.body.errors).toMatchObject([
          { field: 'status', rejectedValue: status, allowedValues: own },
        ]);
      }
      expect(await stored(device)).toEqual(before);
    },
  );

  it('a heartbeat reports all faults at once', async () => {
    const tenant = await newTenant();
    const { status, body } = await tenant.device('POST', '/heartbeat', {
      deviceType: 'SCANNER',
      uuid: 7,
      status: 'ERROR',
      softwareVersion: '',
      lastError: 'Jam',
      extra: 1,
    });
    expect([status, body.code]).toEqual([400, 'validationFailed']);
    expect(body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`).sort()).toEqual([
      'extra unknownField',
      'lastError validationFailed',
      'softwareVersion validationFailed',
      'status unknownStatus',
      'uuid validationFailed',
    ]);
  });

  it.each([
    ['SCANNER', 'scannerNotFound'],
    ['LOCAL_MANAGER', 'localManagerNotFound'],
    ['AGENT', 'agentNotFound'],
  ] as const)(
    'a heartbeat names a %s that is unknown, foreign, deleted or of another type',
    async (deviceType, code) => {
      const [tenant, other] = [await newTenant(), await newTenant()];
      const [foreign, deleted] = [await newDevice(other, deviceType), await newDevice(tenant, deviceType)];
      const segment = { SCANNER: 'scanner', LOCAL_MANAGER: 'local-manager', AGENT: 'agent' }[deviceType];
      await operator('DELETE', `/organization/${tenant.uuid}/${segment}/${deleted.uuid}`);
      const another = await newDevice(tenant, deviceType === 'AGENT' ? 'SCANNER' : 'AGENT');
      const [rows, log] = [
        [await stored(foreign), await stored(deleted), await stored(another)],
        await length(tenant),
      ];
      for (const uuid of [NOBODY, foreign.uuid, deleted.uuid, another.uuid]) {
        for (const headers of [{}, { 'Idempotency-Key': uuid }] as Record<string, string>[]) {
          const answer = await tenant.device(
            'POST',
            '/heartbeat',
            { deviceType, uuid, status: 'ONLINE' },
            headers,
          );
          expect([answer.status, answer.body.code]).toEqual([400, code]);
          expect(answer.body.errors).toMatchObject([{ field: 'uuid', code, rejectedValue: uuid }]);
        }
      }
      expect([await stored(foreign), await stored(deleted), await stored(another)]).toEqual(rows);
      expect(await length(tenant)).toBe(log);
    },
  );
});
