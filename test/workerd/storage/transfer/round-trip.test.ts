import { beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetCredentials } from '../../../../src/access/credential/trusted.ts';
import { stateOf } from '../../../contract/state.ts';
import { newWorld, type World } from '../../../contract/world.ts';
import { bindings, setOpen } from '../../access/database/places.ts';
import { newPerson } from '../../access/session/person.ts';
import { call, ORIGIN, operator } from '../../client.ts';
import { longGone, resolveAlerts, retain } from '../../retention/archives.ts';
import { dump, recordsIn } from '../move/moves.ts';
import { exportOf, importOf, linesOf, wipe } from './exports.ts';

const { DB, DB_1, CALIBRATION } = bindings;

describe('an organization that is exported and imported', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
    await setOpen('DB_1', true);
    await CALIBRATION.put(`organization/${world.tenant.uuid}/any/thing`, new Uint8Array(1_300_000).fill(7), {
      customMetadata: { kind: 'thing' },
      httpMetadata: { contentType: 'application/octet-stream' },
    });
  });

  it('an export starts with its header, has a line per row, and ends with count and hash', async () => {
    const { tenant } = world;
    const lines = linesOf(await exportOf(tenant.uuid));
    const [header, own, ...rest] = lines;
    const last = rest.pop();
    expect(header).toMatchObject({
      format: 'warehouse-dispatch-organization',
      version: 1,
      organization: { uuid: tenant.uuid, slug: tenant.slug, databaseName: 'DB', status: 'ACTIVE' },
    });
    expect(own).toMatchObject({ table: 'organization', values: { uuid: tenant.uuid } });
    expect(last.count).toBe(lines.length - 1);
    const { list_total: _, ...rows } = await dump(DB, tenant.uuid);
    const found: Record<string, string[]> = {};
    for (const { table, values } of rest.filter((line) => line.table)) {
      found[table] = [...(found[table] ?? []), JSON.stringify(values)];
    }
    for (const texts of Object.values(found)) texts.sort();
    expect(found).toEqual(rows);
    expect(Object.keys(found).length).toBeGreaterThan(24);
    expect(header.sequenceNumber).toBe(recordsIn(found['command_log']));
    // The triggers that record changes for the export are gone.
    const { results } = await DB.prepare(
      "SELECT name FROM sqlite_schema WHERE name LIKE 'export_%' AND type = 'trigger'",
    ).all();
    expect(results).toEqual([]);
  });

  it.each(['DB', 'DB_1'])(
    'an imported organization is the same in %s of another deployment, row by row',
    async (databaseName) => {
      const { tenant, names } = world;
      forgetCredentials();
      const home = databaseName === 'DB' ? DB : DB_1;
      const former = databaseName === 'DB' ? DB : DB;
      const [before, state, text] = [
        await dump(former, tenant.uuid),
        await stateOf(tenant),
        await exportOf(tenant.uuid),
      ];
      const objects = await allObjects();
      await wipe(tenant.uuid);
      expect((await tenant.call('GET', '/gate')).status).toBe(401);
      expect(await importOf(text, `?databaseName=${databaseName}`)).toMatchObject({
        operationType: 'ORGANIZATION_IMPORT',
        status: 'SUCCEEDED',
        results: [{ identifier: tenant.uuid, status: 'SUCCEEDED', error: null }],
      });
      expect(withoutKeys(await dump(home, tenant.uuid))).toEqual(withoutKeys(before));
      expect(withoutKeys(await allObjects())).toEqual(withoutKeys(objects));
      expect(objects.length).toBeGreaterThan(1);
      // Keys still have access, and links open the same pages.
      expect((await tenant.call('GET', `/track/${encodeURIComponent(names.wmsId)}`)).status).toBe(200);
      expect((await call('GET', `${ORIGIN}/public/shipment-summary/${names.publicToken}`)).status).toBe(200);
      if (databaseName === 'DB') expect((await stateOf(tenant)).shown).toEqual(state.shown);
      const shown = await operator('GET', `/organization/${tenant.uuid}`);
      expect(shown.body).toMatchObject({ databaseName, slug: tenant.slug });
      // Log and codes continue after the last ones.
      const coupled = await tenant.call('POST', '/track/get-and-couple', { wmsId: `behind ${databaseName}` });
      expect(coupled.status).toBe(200);
      const codes = await home
        .prepare('SELECT max(last_marker_code) AS last FROM marker_allocation WHERE organization_uuid = ?')
        .bind(tenant.uuid)
        .first<{ last: number }>();
      expect(coupled.body.markerCode).toBe(codes!.last);
      const listed = await operator('GET', '/organization?pageSize=100');
      expect(listed.body.content.filter(({ uuid }: { uuid: string }) => uuid === tenant.uuid)).toHaveLength(
        1,
      );
      expect(listed.body.totalElements).toBe(listed.body.content.length);
    },
  );
});

it('an organization with an archive and an erased user is imported with all but its abandoned objects', async () => {
  const tenant = await longGone();
  await resolveAlerts(tenant);
  await retain(tenant);
  const person = await newPerson(tenant);
  await person.get('/app');
  await tenant.call('DELETE', `/user/${person.uuid}?erase=true`);
  await vi.waitFor(async () => {
    const left = await DB.prepare('SELECT 1 FROM user WHERE uuid = ? AND erasing IS NOT NULL')
      .bind(person.uuid)
      .first();
    expect(left).toBeNull();
  }, 20_000);
  const text = await exportOf(tenant.uuid);
  const { calibration_orphan: orphans = [], ...before } = await dump(DB, tenant.uuid);
  const abandoned = orphans.map((row) => JSON.parse(row).object_key);
  expect(before['archive_object']!.length).toBeGreaterThan(1);
  const objects = (await allObjects()).filter(
    ({ key }) => key.includes(tenant.uuid) && !abandoned.includes(key),
  );
  expect(objects.length).toBeGreaterThan(1);
  await wipe(tenant.uuid);
  expect((await importOf(text)).status).toBe('SUCCEEDED');
  expect(withoutKeys(await dump(DB, tenant.uuid))).toEqual(withoutKeys(before));
  expect(withoutKeys(await allObjects())).toEqual(withoutKeys(objects));
}, 60_000);

/** A copy in which all calibration files have the same key, because the import creates new keys. */
const withoutKeys = (found: object) =>
  JSON.parse(JSON.stringify(found).replaceAll(/calibration\/[0-9a-f]{64}/g, 'calibration/key'));

/** All objects of the bucket, with their bytes and metadata. */
async function allObjects() {
  const { objects } = await CALIBRATION.list({ include: ['customMetadata', 'httpMetadata'] });
  // An erasure deletes nightly exports, and an import does not bring them back.
  const files = objects.filter(({ key }) => !key.startsWith('nightly/'));
  return Promise.all(
    files.map(async ({ key, customMetadata, httpMetadata }) => {
      const bytes = new Uint8Array(await (await CALIBRATION.get(key))!.arrayBuffer());
      return { key, customMetadata, httpMetadata, text: Buffer.from(bytes).toString('base64') };
    }),
  );
}
