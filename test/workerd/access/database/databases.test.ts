import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import MIGRATION_NAMES from '../../../../src/access/database/migrations.json' with { type: 'json' };
import { beginChange, syncDirectoryLate } from '../../../../src/access/organization/directory.ts';
import { app } from '../../../../src/app.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { API, newGate, newTenant, ORIGIN, operator, type Tenant } from '../../client.ts';
import { FAILURES, failingD1 } from '../../failing.ts';
import { EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { bindings, forgetPlace, newTenantIn, rowsIn, setOpen } from './places.ts';

const { DB, DB_1 } = bindings;
const MINUTE_MS = 60_000;

beforeEach(async () => {
  await setOpen('DB', true);
  await setOpen('DB_1', false);
});

const named = (databaseName: string) => ({
  name: 'Acme',
  slug: `s-${crypto.randomUUID().slice(0, 13)}`,
  databaseName,
});
const codeOf = async (answer: Promise<{ status: number; body: { code?: string } }>) => {
  const { status, body } = await answer;
  return [status, body.code];
};
/** An organization as the operator's list shows it. */
const listed = async (uuid: string) => {
  const { body } = await operator('GET', '/organization?pageSize=100');
  return body.content.find((organization: { uuid: string }) => organization.uuid === uuid);
};
/** Send a request to a Worker with other bindings and empty caches. */
async function ask(tenant: Tenant, path: string, env: object): Promise<number> {
  forgetCredentials();
  const context = createExecutionContext();
  const request = new Request(`${ORIGIN}${API}${path}`, { headers: { 'X-AUTH-KEY': tenant.key } });
  const { status } = await app.fetch(request, env as never, context);
  await waitOnExecutionContext(context);
  return status;
}

describe('the migrations of a database', () => {
  const shown = async () => {
    await runSchedule(EVERY_MINUTE, bindings);
    const { content } = (await operator('GET', '/database')).body;
    return content.map(({ missingMigrations }: { missingMigrations: unknown }) => missingMigrations);
  };

  it('the list of databases shows missing migrations in order, and null without a list of migrations', async () => {
    const [first, ...others] = MIGRATION_NAMES;
    expect(await shown()).toEqual([null, null]);
    for (const database of [DB, DB_1])
      await database.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT)');
    const apply = 'INSERT INTO d1_migrations (name) SELECT value FROM json_each(?)';
    await DB.prepare(apply).bind(JSON.stringify(MIGRATION_NAMES)).run();
    await DB_1.prepare(apply)
      .bind(JSON.stringify(['0001_former.sql', first]))
      .run();
    expect(await shown()).toEqual([[], others]);
    expect((await operator('PUT', '/database/DB_1', { open: false })).body.missingMigrations).toEqual(others);
    for (const database of [DB, DB_1]) await database.exec('DROP TABLE d1_migrations');
  });
});

describe('an organization in another database than DB', () => {
  it('an organization in another database has all its rows there, and DB knows where it is', async () => {
    const tenant = await newTenantIn('DB_1');
    await newGate(tenant, 'G1');
    const { body } = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P1' });
    expect((await tenant.call('GET', '/track/P1')).body.markerCode).toBe(body.markerCode);
    expect(await rowsIn(DB, tenant.uuid)).toEqual({});
    expect(await rowsIn(DB_1, tenant.uuid)).toMatchObject({ authority: 4, gate: 1, track: 1, credential: 2 });
    expect(await listed(tenant.uuid)).toMatchObject({ slug: tenant.slug, databaseName: 'DB_1' });
    const { body: shown } = await operator('GET', `/organization/${tenant.uuid}`);
    expect(shown.databaseName).toBe('DB_1');
    await runSchedule(EVERY_MINUTE, bindings);
    const { content } = (await operator('GET', '/database')).body;
    expect(content.map(({ databaseName }: { databaseName: string }) => databaseName)).toEqual(['DB', 'DB_1']);
    expect(content[1].organizationsCount).toBeGreaterThan(0);
    expect(content[1].sizeBytes).toBeGreaterThan(100_000);
  });

  it('a read of an organization in another database calls D1 once when its database is known', async () => {
    const tenant = await newTenantIn('DB_1');
    await tenant.call('GET', '/track');
    const calls = vi.spyOn(DB, 'withSession');
    expect((await tenant.call('GET', '/track')).status).toBe(200);
    expect(calls).not.toHaveBeenCalled();
    calls.mockRestore();
  });

  it('a read of an organization in another database accepts its own bookmark and one of another database', async () => {
    const tenant = await newTenantIn('DB_1');
    const { headers } = await tenant.call('GET', '/track');
    const bookmark = headers.get('x-d1-bookmark')!;
    expect(bookmark).toMatch(/^DB_1:[0-9a-f-]+$/);
    const other = (await (await newTenant()).call('GET', '/track')).headers.get('x-d1-bookmark')!;
    for (const sent of [bookmark, other]) {
      expect((await tenant.call('GET', '/track', undefined, { 'x-d1-bookmark': sent })).status).toBe(200);
    }
  });

  it('an organization in another database has a unique slug and can change it', async () => {
    const [tenant, other] = [await newTenantIn('DB_1'), await newTenant()];
    const path = `/organization/${tenant.uuid}`;
    expect(await codeOf(operator('PUT', path, { slug: other.slug }))).toEqual([409, 'slugInUse']);
    expect(await codeOf(operator('PUT', `/organization/${other.uuid}`, { slug: tenant.slug }))).toEqual([
      409,
      'slugInUse',
    ]);
    expect(await codeOf(operator('POST', '/organization', { name: 'A', slug: tenant.slug }))).toEqual([
      409,
      'slugInUse',
    ]);
    const slug = `${tenant.slug}-2`;
    expect((await operator('PUT', path, { slug, name: 'Renamed' })).body).toMatchObject({
      slug,
      name: 'Renamed',
    });
    expect(await listed(tenant.uuid)).toMatchObject({ slug, name: 'Renamed', databaseName: 'DB_1' });
    // Its slug can be used again.
    expect((await operator('POST', '/organization', { name: 'A', slug: tenant.slug })).status).toBe(201);
  });

  it('an organization keeps its slug when the change to another one is refused or interrupted', async () => {
    const tenant = await newTenantIn('DB_1');
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P1' });
    const refused = { slug: `${tenant.slug}-2`, markerCodeStart: 7 };
    expect(await codeOf(operator('PUT', `/organization/${tenant.uuid}`, refused))).toEqual([
      400,
      'identifierImmutable',
    ]);
    expect((await listed(tenant.uuid)).slug).toBe(tenant.slug);
    await beginChange(databasesOf(bindings), tenant.uuid, `${tenant.slug}-3`, Date.now());
    expect((await listed(tenant.uuid)).slug).toBe(`${tenant.slug}-3`);
    await syncDirectoryLate(databasesOf(bindings), Date.now());
    expect((await listed(tenant.uuid)).slug).toBe(`${tenant.slug}-3`);
    await syncDirectoryLate(databasesOf(bindings), Date.now() + 2 * MINUTE_MS);
    expect((await listed(tenant.uuid)).slug).toBe(tenant.slug);
  });

  it('an organization starts in its planned database although its creator died', async () => {
    await setOpen('DB_1', true);
    const reaches = vi.spyOn(DB_1, 'withSession').mockImplementation(() => {
      throw new Error('D1_ERROR: Network connection lost.');
    });
    const body = named('DB_1');
    expect((await operator('POST', '/organization', body)).status).toBe(503);
    reaches.mockRestore();
    await syncDirectoryLate(databasesOf(bindings), Date.now() + 2 * MINUTE_MS);
    const { body: page } = await operator('GET', '/organization?pageSize=100');
    const { uuid } = page.content.find(({ slug }: { slug: string }) => slug === body.slug);
    expect((await operator('POST', `/organization/${uuid}/api-key`, { name: 'WMS' })).status).toBe(201);
    expect(await rowsIn(DB_1, uuid)).toMatchObject({ authority: 4, credential: 1 });
  });
});

describe('a database', () => {
  it('a database has the name of its binding', async () => {
    for (const unknown of ['DB_2', 'DB_1 with a long name', 'x'.repeat(255)]) {
      expect(await codeOf(operator('POST', '/organization', named(unknown)))).toEqual([
        400,
        'databaseNotFound',
      ]);
    }
    expect(await codeOf(operator('PUT', '/database/DB_2', { open: true }))).toEqual([
      404,
      'databaseNotFound',
    ]);
  });

  it('a closed database takes no organizations', async () => {
    expect(await codeOf(operator('POST', '/organization', named('DB_1')))).toEqual([409, 'databaseClosed']);
    await setOpen('DB', false);
    const { databaseName: _, ...unnamed } = named('');
    expect(await codeOf(operator('POST', '/organization', unnamed))).toEqual([409, 'databaseClosed']);
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    await setOpen('DB_1', true);
    const first = await operator('POST', '/organization', unnamed, key);
    expect([first.status, first.body.databaseName]).toEqual([201, 'DB_1']);
    await setOpen('DB_1', false);
    expect(await operator('POST', '/organization', unnamed, key)).toMatchObject({
      status: 201,
      body: first.body,
    });
  });

  it('the database with most room takes an organization, and a full one does not', async () => {
    await setOpen('DB_1', true);
    await runSchedule(EVERY_MINUTE, bindings);
    const { databaseName: _, ...unnamed } = named('');
    const { content } = (await operator('GET', '/database')).body;
    const [most] = content.toSorted((one: Sized, other: Sized) => one.sizeBytes - other.sizeBytes);
    expect((await operator('POST', '/organization', unnamed)).body.databaseName).toBe(most.databaseName);
    for (const body of [named('DB_1'), { ...unnamed, slug: `${unnamed.slug}-2` }]) {
      const context = createExecutionContext();
      const request = new Request(`${ORIGIN}/operator/rest/api/v1/organization`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-OPERATOR-KEY': 'local-operator-key' },
        body: JSON.stringify(body),
      });
      const response = await app.fetch(
        request,
        { ...bindings, DATABASE_LIMIT_BYTES: '1000' } as never,
        context,
      );
      expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([
        409,
        'databaseFull',
      ]);
      await waitOnExecutionContext(context);
    }
  });

  it('an unreachable database gives 503 to its own organizations only', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const [here, there] = [await newTenant(), await newTenantIn('DB_1')];
    const without = (name: 'DB' | 'DB_1') =>
      ({ ...bindings, [name]: failingD1({ message: FAILURES.lost, from: 1 }).db }) as object;
    const { DB_1: _, ...unbound } = bindings;
    for (const [env, expected] of [
      [without('DB_1'), [200, 503]],
      [unbound, [200, 503]],
      [without('DB'), [503, 200]],
    ] as const) {
      expect([await ask(here, '/track', env), await ask(there, '/track', env)]).toEqual(expected);
    }
  });
});

interface Sized {
  sizeBytes: number;
}

describe('a database in which an organization does not live', () => {
  const residence = (db: D1Database, uuid: string, value: string, databaseName: string | null) =>
    db
      .prepare('UPDATE organization SET residence = ?, database_name = ? WHERE uuid = ?')
      .bind(value, databaseName, uuid)
      .run();

  it('a request that tries the wrong database first gets its answer and writes nothing there', async () => {
    const tenant = await newTenantIn('DB_1');
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P1' });
    forgetPlace(tenant.uuid);
    forgetCredentials();
    expect((await tenant.call('GET', '/track/P1')).status).toBe(200);
    forgetPlace(tenant.uuid);
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P2' })).status).toBe(200);
    expect(await rowsIn(DB, tenant.uuid)).toEqual({});
  });

  it('a database that an organization is about to leave can be read but not written', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const tenant = await newTenantIn('DB_1');
    await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P1' });
    const before = await rowsIn(DB_1, tenant.uuid);
    await residence(DB_1, tenant.uuid, 'FROZEN', 'DB_1');
    expect((await tenant.call('GET', '/track/P1')).status).toBe(200);
    const refused = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P2' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.any(String)]);
    expect(await rowsIn(DB_1, tenant.uuid)).toEqual(before);
    await residence(DB_1, tenant.uuid, 'HERE', 'DB_1');
    expect((await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P2' })).status).toBe(200);
  });

  it('a reader between two databases finds the organization soon', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const tenant = await newTenantIn('DB_1');
    await tenant.call('GET', '/track');
    await residence(DB_1, tenant.uuid, 'ARRIVING', 'DB');
    expect((await tenant.call('GET', '/track')).status).toBe(503);
    await residence(DB_1, tenant.uuid, 'HERE', 'DB_1');
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  });
});
