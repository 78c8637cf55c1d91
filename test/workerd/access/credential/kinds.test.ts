import { describe, expect, it, vi } from 'vitest';
import { API, call, DEVICE_API, newTenant, ORIGIN, operator, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { later } from '../../dispatch/device/devices.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** A request that needs a credential. Without one it gets 401, even if it has other faults. */
type Door = [method: string, path: string, json?: unknown];

/** The requests that each kind of credential opens, and how it is sent. */
const KINDS = {
  'api-key': {
    header: 'X-AUTH-KEY',
    body: {},
    notFound: 'apiKeyNotFound',
    doors: [
      ['GET', `${API}/manifest`],
      ['POST', `${API}/manifest/none/status/TO_DO`],
    ] as Door[],
  },
  'access-token': {
    header: 'X-Auth-Token',
    body: { scopes: ['CAMERA_READ', 'GATE_WRITE', 'DEVICE_WRITE'] },
    notFound: 'accessTokenNotFound',
    doors: [
      ['GET', `${API}/camera/C/calibration/INTRINSIC`],
      ['POST', `${DEVICE_API}/gate/none/scan`, { scanId: 's', markerCode: 1, direction: 'LOAD' }],
      ['POST', `${DEVICE_API}/heartbeat`, {}],
    ] as Door[],
  },
} as const;

interface Issued {
  tenant: Tenant;
  secret: string;
  /** The path of the list, relative to the operator API. */
  list: string;
  path: string;
}

describe.each(Object.entries(KINDS))('an %s', (segment, { header, body, notFound, doors }) => {
  const issue = async (more: object = {}, of?: Tenant): Promise<Issued> => {
    const tenant = of ?? (await newTenant());
    const list = `/organization/${tenant.uuid}/${segment}`;
    const issued = await operator('POST', list, { name: 'n', ...body, ...more });
    expect(issued.status).toBe(201);
    return { tenant, secret: issued.body.secret, list, path: `${list}/${issued.body.uuid}` };
  };
  const rotate = async ({ path }: Issued, overlapSeconds?: number): Promise<string> => {
    const json = overlapSeconds === undefined ? undefined : { overlapSeconds };
    const rotated = await operator('POST', `${path}/rotate`, json);
    expect(rotated.status).toBe(200);
    return rotated.body.secret;
  };
  /** Whether a secret opens every door of its kind. @throws if it opens only some. */
  const opens = async (secret: string, origin = ORIGIN): Promise<boolean> => {
    const open = new Set<boolean>();
    for (const [method, path, json] of doors) {
      const { status } = await call(method, `${origin}${path}`, {
        headers: { [header]: secret },
        ...(json === undefined ? {} : { json }),
      });
      open.add(status !== 401);
    }
    expect(open.size).toBe(1);
    return open.has(true);
  };
  const allOpen = async (...secrets: string[]): Promise<boolean[]> => {
    const open: boolean[] = [];
    for (const secret of secrets) open.push(await opens(secret));
    return open;
  };
  const shown = async ({ list, path }: Issued) =>
    (await operator('GET', `${list}?includeDeleted=true`)).body.content.find((row: { uuid: string }) =>
      path.endsWith(row.uuid),
    );

  it('a credential that was rotated works for a day beside the new one', async () => {
    const issued = await issue();
    const second = await rotate(issued);
    expect(await allOpen(issued.secret, second)).toEqual([true, true]);
    const at = (milliseconds: number) => later(milliseconds, () => allOpen(issued.secret, second));
    expect(await at(DAY_MS - 10 * SECOND_MS)).toEqual([true, true]);
    expect(await at(DAY_MS + SECOND_MS)).toEqual([false, true]);
  });

  it('a credential that is rotated twice ends at its first date, or at once', async () => {
    const issued = await issue();
    const second = await rotate(issued, 60);
    const third = await rotate(issued, 3_600);
    const at = (milliseconds: number) => later(milliseconds, () => allOpen(issued.secret, second, third));
    expect(await at(0)).toEqual([true, true, true]);
    expect(await at(61 * SECOND_MS)).toEqual([false, true, true]);
    expect(await at(HOUR_MS + SECOND_MS)).toEqual([false, false, true]);
    const fourth = await rotate(issued, 0);
    expect(await allOpen(issued.secret, second, third, fourth)).toEqual([false, false, false, true]);
  });

  it('a credential rotates with an overlap of 0 seconds to 30 days', async () => {
    const issued = await issue();
    for (const overlapSeconds of [-1, 2_592_001, 1.5, '60']) {
      const { status } = await operator('POST', `${issued.path}/rotate`, { overlapSeconds });
      expect([overlapSeconds, status]).toEqual([overlapSeconds, 400]);
    }
    expect(await opens(issued.secret)).toBe(true);
    await rotate(issued, 2_592_000);
    expect(await later(30 * DAY_MS - 10 * SECOND_MS, () => opens(issued.secret))).toBe(true);
    expect(await later(30 * DAY_MS + SECOND_MS, () => opens(issued.secret))).toBe(false);
  });

  it('a credential ends at its date with all its secrets and cannot be rotated afterwards', async () => {
    const expiresDate = new Date(Date.now() + HOUR_MS).toISOString();
    const issued = await issue({ expiresDate });
    const second = await rotate(issued);
    expect((await shown(issued)).expiresDate).toBe(expiresDate);
    expect(await later(HOUR_MS - 10 * SECOND_MS, () => allOpen(issued.secret, second))).toEqual([true, true]);
    await later(HOUR_MS + SECOND_MS, async () => {
      expect(await allOpen(issued.secret, second)).toEqual([false, false]);
      const refused = await operator('POST', `${issued.path}/rotate`);
      expect([refused.status, refused.body.code]).toEqual([409, 'credentialRevoked']);
      expect((await operator('DELETE', issued.path)).status).toBe(204);
    });
  });

  it('a credential that is revoked fails at once with all its secrets, for good', async () => {
    const issued = await issue();
    const [other, second] = [await issue({}, issued.tenant), await rotate(issued)];
    expect(await allOpen(issued.secret, second, other.secret)).toEqual([true, true, true]);
    expect((await operator('DELETE', issued.path)).status).toBe(204);
    expect(await allOpen(issued.secret, second, other.secret)).toEqual([false, false, true]);
    for (const [method, path] of [
      ['DELETE', issued.path],
      ['POST', `${issued.path}/rotate`],
    ] as const) {
      const again = await operator(method, path);
      expect([again.status, again.body.code]).toEqual([404, notFound]);
    }
    const listed = (await operator('GET', issued.list)).body.content;
    expect(listed.map(({ uuid }: { uuid: string }) => issued.path.endsWith(uuid))).not.toContain(true);
    expect((await shown(issued)).revokedDate).toMatch(/^2\d{3}-/);
  });

  it.each([
    ['revoked', 'UPDATE credential SET revoked_date = 1 WHERE uuid = ?1'],
    ['revoked, and its secrets are gone', 'DELETE FROM credential_secret WHERE credential_uuid = ?1'],
    ['rotated', 'UPDATE credential_secret SET valid_until_date = 1 WHERE credential_uuid = ?1'],
    ['cut short', 'UPDATE credential SET expires_date = 1 WHERE uuid = ?1'],
  ])('a credential that is %s elsewhere fails here within 10 seconds', async (_, statement) => {
    const issued = await issue();
    expect(await opens(issued.secret)).toBe(true);
    // As another isolate revokes it. This isolate caches what it has read.
    await db.prepare(statement).bind(issued.path.split('/').at(-1)).run();
    expect(await later(10 * SECOND_MS, () => opens(issued.secret))).toBe(false);
  });

  it('a credential that is issued elsewhere works here at once', async () => {
    const issued = await issue();
    const uuid = issued.path.split('/').at(-1);
    const row = { hash: '', create_date: 0, organization_uuid: issued.tenant.uuid };
    const kept = await db
      .prepare('SELECT * FROM credential_secret WHERE credential_uuid = ?1')
      .bind(uuid)
      .first<typeof row>();
    await db.prepare('DELETE FROM credential_secret WHERE credential_uuid = ?1').bind(uuid).run();
    expect(await opens(issued.secret)).toBe(false);
    await db
      .prepare(
        'INSERT INTO credential_secret (hash, organization_uuid, credential_uuid, create_date) VALUES (?1, ?2, ?3, ?4)',
      )
      .bind(kept!.hash, kept!.organization_uuid, uuid, kept!.create_date)
      .run();
    expect(await opens(issued.secret)).toBe(true);
  });

  it('a credential shows its last use by the minute, without refused requests', async () => {
    const [issued, stranger] = [await issue(), await newTenant()];
    const lastUsed = async () => (await shown(issued)).lastUsedDate as string | null;
    expect(await opens(issued.secret, `http://${stranger.slug}.localhost:8787`)).toBe(false);
    expect(await opens(`${issued.secret}0`)).toBe(false);
    expect(await lastUsed()).toBeNull();
    await opens(issued.secret);
    await vi.waitFor(async () => expect(await lastUsed()).not.toBeNull());
    const first = Date.parse((await lastUsed())!);
    expect(Math.abs(Date.now() - first)).toBeLessThan(30 * SECOND_MS);
    await later(30 * SECOND_MS, () => opens(issued.secret));
    expect(Date.parse((await lastUsed())!)).toBe(first);
    await later(91 * SECOND_MS, () => opens(issued.secret));
    await vi.waitFor(async () =>
      expect(Date.parse((await lastUsed())!)).toBeGreaterThanOrEqual(first + 60 * SECOND_MS),
    );
  });

  it('a credential works at shared hosts and at its own host', async () => {
    const [{ tenant, secret }, other] = [await issue(), await newTenant()];
    const at = (host: string) => opens(secret, `http://${host}:8787`);
    expect(await at(`${tenant.slug}.localhost`)).toBe(true);
    expect(await at(`${tenant.slug.toUpperCase()}.LOCALHOST`)).toBe(true);
    for (const host of ['localhost', 'api.localhost', '127.0.0.1', 'dispatch.example.com']) {
      expect([host, await at(host)]).toEqual([host, true]);
    }
    for (const host of [
      `${other.slug}.localhost`,
      'nobody.localhost',
      `x.${tenant.slug}.localhost`,
      `${tenant.slug}.x.localhost`,
    ]) {
      expect([host, await at(host)]).toEqual([host, false]);
    }
  });

  it('a credential follows its organization to a new slug that was set elsewhere', async () => {
    const { tenant, secret } = await issue();
    const slug = `moved-${crypto.randomUUID().slice(0, 8)}`;
    const at = (name: string) => opens(secret, `http://${name}.localhost:8787`);
    expect(await at(tenant.slug)).toBe(true);
    await db.prepare('UPDATE organization SET slug = ?1 WHERE uuid = ?2').bind(slug, tenant.uuid).run();
    await later(10 * SECOND_MS, async () => {
      expect([await at(tenant.slug), await at(slug)]).toEqual([false, true]);
    });
  });

  it('a credential can be managed under its own kind and organization only', async () => {
    const [issued, stranger] = [await issue(), await newTenant()];
    const uuid = issued.path.split('/').at(-1);
    const other = segment === 'api-key' ? 'access-token' : 'api-key';
    for (const path of [
      `/organization/${issued.tenant.uuid}/${other}/${uuid}`,
      `/organization/${stranger.uuid}/${segment}/${uuid}`,
    ]) {
      expect((await operator('POST', `${path}/rotate`)).status).toBe(404);
      expect((await operator('DELETE', path)).status).toBe(404);
    }
    expect(await opens(issued.secret)).toBe(true);
  });

  it('a credential shows its secret once, not in lists or repeated answers', async () => {
    const issued = await issue();
    const key = { 'Idempotency-Key': 'k' };
    const turn = () => operator('POST', `${issued.path}/rotate`, { overlapSeconds: 60 }, key);
    const [first, repeat] = [await turn(), await turn()];
    expect([first.headers.get('Cache-Control'), repeat.headers.get('Idempotent-Replayed')]).toEqual([
      'no-store',
      'true',
    ]);
    expect(repeat.body).toEqual({ ...first.body, secret: null });
    const row = await shown(issued);
    expect(row).not.toHaveProperty('secret');
    expect(first.body.secret.startsWith(row.prefix)).toBe(true);
    expect(row.prefix.length).toBeLessThan(22);
  });
});

describe('an access token', () => {
  it('an access token lives 90 days by default and 365 days at most', async () => {
    const tenant = await newTenant();
    const path = `/organization/${tenant.uuid}/access-token`;
    const issue = (days: number | null) =>
      operator('POST', path, {
        name: 'n',
        scopes: ['DEVICE_WRITE'],
        expiresDate: days === null ? null : Date.now() + days * DAY_MS,
      });
    const daysOf = ({ body }: { body: { expiresDate: string } }) =>
      Math.round((Date.parse(body.expiresDate) - Date.now()) / DAY_MS);
    expect([daysOf(await issue(null)), daysOf(await issue(1)), daysOf(await issue(364.99))]).toEqual([
      90, 1, 365,
    ]);
    expect((await issue(365.01)).status).toBe(400);
    const { secret } = (await issue(null)).body;
    const used = () =>
      call('POST', `${DEVICE_API}/heartbeat`, { headers: { 'X-Auth-Token': secret }, json: {} });
    expect((await later(90 * DAY_MS - 60_000, used)).status).toBe(400);
    expect((await later(90 * DAY_MS + 60_000, used)).status).toBe(401);
  });

  it('a rotated access token keeps its expiry and scopes', async () => {
    const tenant = await newTenant();
    const path = `/organization/${tenant.uuid}/access-token`;
    const issued = (await operator('POST', path, { name: 'n', scopes: ['GATE_WRITE'] })).body;
    const rotated = (await operator('POST', `${path}/${issued.uuid}/rotate`)).body;
    expect([rotated.expiresDate, rotated.scopes]).toEqual([issued.expiresDate, ['GATE_WRITE']]);
    const refused = await call('POST', `${DEVICE_API}/heartbeat`, {
      headers: { 'X-Auth-Token': rotated.secret },
      json: {},
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'scopeRequired']);
  });
});
