import { runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../../../src/core/lib/id.ts';
import { addOrphan } from '../../../../src/dispatch/calibration/store.ts';
import { transferringOf } from '../../../../src/storage/transfer/job.ts';
import { TransferRunner } from '../../../../src/storage/transfer/transfer-runner.ts';
import { newWorld, type World } from '../../../contract/world.ts';
import { bindings, newTenantIn, setOpen } from '../../access/database/places.ts';
import { call, newTenant, OPERATOR_API, ORIGIN, operator, type Tenant } from '../../client.ts';
import { FAILURES, failingD1 } from '../../failing.ts';
import { ended, move } from '../move/moves.ts';
import { beginExport, exportOf, importOf, wipe } from './exports.ts';
import { planErasure, transferOf } from './planned.ts';

const { DB, DB_1, CALIBRATION, WRITER } = bindings;
/** The row of a job. */
const JOB = ['DB long_job'];

beforeEach(async () => {
  await setOpen('DB_1', true);
  for (const level of ['warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
});

const suspend = (uuid: string) => operator('POST', `/organization/${uuid}/suspend`);
const erase = (uuid: string, slug: string) => operator('DELETE', `/organization/${uuid}?slug=${slug}`);

async function erased({ uuid, slug }: Pick<Tenant, 'uuid' | 'slug'>) {
  await suspend(uuid);
  const { status, body } = await erase(uuid, slug);
  if (status !== 202) throw new Error(JSON.stringify(body));
  return ended(body.operationId);
}

/** All places with a text: tables by name, and objects. */
async function traces(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, db] of Object.entries({ DB, DB_1 })) {
    const { results: tables } = await db
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT IN ('log', 'log_entity', 'log_name', 'command_log') AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'",
      )
      .all<{ name: string }>();
    for (const table of tables) {
      const { results } = await db.prepare(`SELECT * FROM "${table.name}"`).all();
      const rows = results.filter((row) => JSON.stringify(row).includes(text));
      const isOfOperator = ({ organization_uuid: owner }: Record<string, unknown>) =>
        owner === NO_ORGANIZATION;
      if (rows.length > 0)
        found.push(`${name} ${table.name}${rows.every(isOfOperator) ? ' of the operator' : ''}`);
    }
    const { results: schema } = await db.prepare('SELECT name, sql FROM sqlite_schema').all();
    if (JSON.stringify(schema).includes(text)) found.push(`${name} schema`);
  }
  for (const { key } of (await CALIBRATION.list()).objects) if (key.includes(text)) found.push(key);
  return found.sort();
}

/** The storage of an organization's object. */
const storageOf = (uuid: string) =>
  runInDurableObject(WRITER.get(WRITER.idFromName(uuid)), async (_, { storage }) => [
    ...(await storage.list()).keys(),
    await storage.getAlarm(),
  ]);

describe('an organization that is erased', () => {
  it.each(['DB', 'DB_1'])(
    "an erased organization leaves nothing in %s and elsewhere except the operator's records",
    async (databaseName) => {
      const world: World = await newWorld();
      const { tenant, names } = world;
      await CALIBRATION.put(`organization/${tenant.uuid}/any`, 'thing');
      const cached = `https://proof.invalid/${tenant.uuid}`;
      await CALIBRATION.put(`proof/${tenant.uuid}/made-1.pdf`, 'document', {
        customMetadata: { looks: tenant.uuid },
      });
      await caches.default.put(
        cached,
        new Response('document', { headers: { 'Cache-Control': 'max-age=60' } }),
      );
      expect(await caches.default.match(cached)).toBeDefined();
      if (databaseName === 'DB_1') await move(tenant, 'DB_1');
      const before = (await CALIBRATION.list()).objects.length;
      const { objects: own } = await CALIBRATION.list({ prefix: `organization/${tenant.uuid}/` });
      expect(own.length).toBeGreaterThan(1);
      const left = await beginExport(tenant.uuid);
      expect((await traces(tenant.uuid)).length).toBeGreaterThan(25);
      expect(await storageOf(tenant.uuid)).not.toEqual([null]);
      await suspend(tenant.uuid);
      const { status, body, headers } = await erase(tenant.uuid, tenant.slug);
      expect([status, headers.get('Location')]).toEqual([
        202,
        `${OPERATOR_API}/operation/${body.operationId}`,
      ]);
      // It is gone at once for all callers.
      await gone(world);
      expect(await ended(body.operationId)).toMatchObject({
        operationType: 'ORGANIZATION_ERASURE',
        status: 'SUCCEEDED',
        results: [{ identifier: tenant.uuid, error: null }],
      });
      expect(await traces(tenant.uuid)).toEqual(['DB audit_log of the operator', ...JOB]);
      // The calibration file and the document are gone, too.
      expect((await CALIBRATION.list()).objects.length).toBe(before - own.length - 2);
      expect(await caches.default.match(cached)).toBeUndefined();
      expect(await storageOf(tenant.uuid)).toEqual([null]);
      await expect(left.arrayBuffer()).rejects.toThrow();
      await gone(world);
      // A late write leaves no trace, either.
      const late = new Database(tenant.uuid, databasesOf(bindings));
      await expect(late.send(addOrphan(late, 'late', 1))).rejects.toThrow('organizationNotFound');
      await operator('PUT', `/organization/${tenant.uuid}`, { name: 'x' }, { 'Idempotency-Key': 'late' });
      await operator(
        'POST',
        `/organization/${tenant.uuid}/api-key`,
        { name: 'x' },
        { 'Idempotency-Key': 'late 2' },
      );
      expect(await traces(tenant.uuid)).toEqual(['DB audit_log of the operator', ...JOB]);
      const log = await operator(
        'GET',
        '/audit-log?action=ORGANIZATION_ERASURE_ACCEPTED&sort.sortBy=sequenceNumber&sort.direction=DESC',
      );
      expect(log.body.content[0]).toMatchObject({ entityUuid: tenant.uuid, entityExternalId: tenant.slug });
      expect(names.publicToken.length).toBeGreaterThan(20);
      // Its slug can be used again.
      const again = await operator('POST', '/organization', { name: 'Again', slug: tenant.slug });
      expect(again.status).toBe(201);
    },
  );

  async function gone({ tenant, names }: World) {
    forgetCredentials();
    expect((await tenant.call('GET', '/track')).status).toBe(401);
    expect((await operator('GET', `/organization/${tenant.uuid}`)).status).toBe(404);
    expect((await operator('POST', `/organization/${tenant.uuid}/resume`)).status).toBe(404);
    expect((await erase(tenant.uuid, tenant.slug)).status).toBe(404);
    expect(
      (await operator('POST', `/organization/${tenant.uuid}/move`, { databaseName: 'DB_1' })).status,
    ).toBe(404);
    expect((await beginExport(tenant.uuid)).status).toBe(404);
    for (const page of ['shipment-summary/:', 'proof-of-shipment/:.pdf']) {
      const path = `/public/${page.replace(':', names.publicToken)}`;
      expect([page, (await call('GET', `${ORIGIN}${path}`)).status]).toEqual([page, 404]);
    }
    const { body } = await operator('GET', '/organization?pageSize=100');
    expect(body.content.some(({ uuid }: { uuid: string }) => uuid === tenant.uuid)).toBe(false);
    expect(body.totalElements).toBe(body.content.length);
  }

  it('an erased organization can be imported again, with an object that knows nothing of before', async () => {
    const tenant = await newTenant();
    const text = await exportOf(tenant.uuid);
    // The log continues after the export.
    for (let index = 0; index < 5; index += 1)
      await tenant.call('POST', '/track/get-and-couple', { wmsId: `P${index}` });
    await erased(tenant);
    expect((await importOf(text)).status).toBe('SUCCEEDED');
    const { body } = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    expect(body.markerCode).toBe(1_000_000_000);
    const log = await tenant.call('GET', '/audit-log?pageSize=100');
    expect(JSON.stringify(log.body)).not.toContain('STORE_REWOUND');
    await wipe(tenant.uuid);
  });

  it('an erasure needs a suspended organization and its slug', async () => {
    const tenant = await newTenant();
    const codeOf = async (uuid: string, query: string) => {
      const { status, body } = await operator('DELETE', `/organization/${uuid}${query}`);
      return [status, body.code, body.errors[0]?.field];
    };
    expect(await codeOf(tenant.uuid, `?slug=${tenant.slug}`)).toEqual([
      409,
      'organizationNotSuspended',
      undefined,
    ]);
    await suspend(tenant.uuid);
    expect(await codeOf(tenant.uuid, '')).toEqual([400, 'validationFailed', 'slug']);
    expect(await codeOf(tenant.uuid, '?slug=other')).toEqual([400, 'validationFailed', 'slug']);
    expect(await codeOf(tenant.uuid, `?slug=${tenant.slug.toUpperCase()}`)).toEqual([
      400,
      'validationFailed',
      'slug',
    ]);
    expect(await codeOf(crypto.randomUUID(), `?slug=${tenant.slug}`)).toEqual([
      404,
      'organizationNotFound',
      undefined,
    ]);
    await operator('POST', `/organization/${tenant.uuid}/resume`);
    expect(await codeOf(tenant.uuid, `?slug=${tenant.slug}`)).toEqual([
      409,
      'organizationNotSuspended',
      undefined,
    ]);
    expect((await tenant.call('GET', '/track')).status).toBe(200);
  });

  it('an erasure waits for the end of a move', async () => {
    const tenant = await newTenant();
    await suspend(tenant.uuid);
    const left = await beginExport(tenant.uuid);
    // The move waits for the reader of the export.
    const moved = move(tenant, 'DB_1');
    await vi.waitFor(
      async () =>
        expect((await operator('GET', `/organization/${tenant.uuid}`)).body.databaseName).toBe('DB_1'),
      { timeout: 20_000 },
    );
    const refused = await erase(tenant.uuid, tenant.slug);
    expect([refused.status, refused.body.code]).toEqual([409, 'moveUnderWay']);
    await left.body!.cancel();
    await moved;
    expect((await erased(tenant)).status).toBe('SUCCEEDED');
    expect(await traces(tenant.uuid)).toEqual(['DB audit_log of the operator', ...JOB]);
  });

  it('an erasure ends the same wherever its runner dies, and touches no other organization', async () => {
    const other = await newTenant();
    await other.call('POST', '/track/get-and-couple', { wmsId: 'theirs' });
    const theirs = await exportOf(other.uuid);
    const tenant = await newTenantIn('DB_1');
    for (let index = 0; index < 3; index += 1)
      await tenant.call('POST', '/track/get-and-couple', { wmsId: `P${index}` });
    await suspend(tenant.uuid);
    // Only the test carries it out.
    const { uuid: job } = await planErasure(tenant);
    let deaths = 0;
    for (let calls = 0; ; calls += 1) {
      const open = await transferOf(job);
      if (!open) break;
      // Each attempt dies one call later than the last one, before or after the call takes effect.
      const fault = { message: FAILURES.lost, from: Math.floor(calls / 2) + 1, late: calls % 2 === 1 };
      const failing = { DB: failingD1(fault).db, DB_1: failingD1(fault, DB_1).db };
      try {
        const carrier = new TransferRunner(
          { ...transferringOf(bindings), databases: databasesOf(failing) },
          open,
        );
        while (!(await carrier.step()));
      } catch {
        deaths += 1;
      }
    }
    expect(deaths).toBeGreaterThan(10);
    expect((await traces(tenant.uuid)).filter((trace) => !/of the operator/.test(trace))).toEqual(JOB);
    const [, ...rows] = theirs.split('\n');
    expect((await exportOf(other.uuid)).split('\n').slice(1, -2)).toEqual(rows.slice(0, -2));
  });
});
