import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import { keyFingerprint, sealedBy } from '../../../../src/core/lib/seal.ts';
import { resealWebhooks } from '../../../../src/delivery/webhook/reseal.ts';
import { openHeaders, openSecrets } from '../../../../src/delivery/webhook/secret.ts';
import { exportOrganization } from '../../../../src/storage/transfer/export.ts';
import { operator } from '../../client.ts';
import { EVERY_MINUTE, runSchedule } from '../../schedule.ts';
import { bindings, newTenant, register, type Tenant } from './receiver.ts';

const KEY = bindings.SEALING_KEY!;
const NEXT = 'the next key, which no other test uses';
const NAMES = ['DB', 'DB_1'] as const;
const databases = databasesOf(bindings);

interface Row {
  uuid: string;
  secrets: string;
  custom_headers: string;
}
const rowsOf = async (tenant: Tenant): Promise<Row[]> => {
  const rows = await Promise.all(
    NAMES.map((name) =>
      databases
        .named(name)
        .prepare(
          'SELECT uuid, secrets, custom_headers FROM webhook WHERE organization_uuid = ? ORDER BY uuid',
        )
        .bind(tenant.uuid)
        .all<Row>(),
    ),
  );
  return rows.flatMap(({ results }) => results);
};
/** All sealed values of an organization's webhooks, opened with these keys. */
const openedBy = async (tenant: Tenant, keys: readonly [string, ...string[]]): Promise<unknown[]> =>
  Promise.all(
    (await rowsOf(tenant)).map(async ({ uuid, secrets, custom_headers }) => [
      await openSecrets(keys, uuid, JSON.parse(secrets), Date.now()),
      await openHeaders(keys, uuid, JSON.parse(custom_headers)),
    ]),
  );
const run = async (keys: readonly [string, ...string[]]) => {
  for (const name of NAMES) await resealWebhooks(databases, name, keys);
};

let tenants: Tenant[];
let before: unknown[];
const opened = async (keys: readonly [string, ...string[]]) =>
  (await Promise.all(tenants.map((tenant) => openedBy(tenant, keys)))).flat();
beforeEach(async () => {
  await operator('PUT', '/database/DB_1', { open: true });
  for (const name of NAMES) await databases.named(name).prepare('DELETE FROM webhook').run();
  tenants = [await newTenant(), await newTenant({ databaseName: 'DB_1' })];
  for (const tenant of tenants) {
    const customHeaders = [{ name: 'Authorization', value: `Bearer ${tenant.slug}` }];
    for (let index = 0; index < 3; index += 1) {
      const { uuid } = await register(tenant, { active: false, customHeaders });
      await tenant.call('POST', `/webhook/${uuid}/rotate-secret`, { overlapSeconds: 3_600 });
    }
  }
  before = await opened([KEY]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await run([KEY, NEXT]);
});

it('resealing renews every secret in every database and keeps its value', async () => {
  expect(before).toHaveLength(6);
  await run([NEXT, KEY]);
  expect(await opened([NEXT])).toEqual(before);
  const sealed = JSON.stringify(await Promise.all(tenants.map(rowsOf)));
  expect([sealed.includes(sealedBy(KEY)), sealed.includes(sealedBy(NEXT))]).toEqual([false, true]);
  // A second run writes nothing.
  await run([NEXT, KEY]);
  expect(JSON.stringify(await Promise.all(tenants.map(rowsOf)))).toBe(sealed);
});

it('resealing continues after an interruption, and both keys work until it is done', async () => {
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  let left = 4;
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...args) => {
    if (left-- <= 0) throw new Error('gone');
    return encrypt(...args);
  });
  await run([NEXT, KEY]);
  expect(await opened([NEXT, KEY])).toEqual(before);
  await expect(opened([NEXT])).rejects.toThrow();
  await expect(opened([KEY])).rejects.toThrow();
  vi.restoreAllMocks();
  await run([NEXT, KEY]);
  expect(await opened([NEXT])).toEqual(before);
});

it('resealing leaves what it cannot open and continues with the rest', async () => {
  const rows = await Promise.all(tenants.map(rowsOf));
  for (const keys of [[NEXT], [NEXT, 'the key of another service']] as const) await run(keys);
  expect(await Promise.all(tenants.map(rowsOf))).toEqual(rows);
  const [{ uuid }] = rows[0]! as [Row];
  const broken = 'UPDATE webhook SET custom_headers = ? WHERE uuid = ?';
  const [kept] = rows[0]!.map(({ custom_headers }) => custom_headers);
  const damaged = JSON.stringify([{ name: 'Authorization', value: `${sealedBy(KEY)}AAAA.AAAA` }]);
  await bindings.DB.prepare(broken).bind(damaged, uuid).run();
  await run([NEXT, KEY]);
  const [first, ...others] = (await rowsOf(tenants[0]!)).map(({ custom_headers }) => custom_headers);
  expect(first).toBe(damaged);
  for (const other of others) expect(other).toContain(sealedBy(NEXT));
  await bindings.DB.prepare(broken).bind(kept, uuid).run();
});

it('resealing does not undo a concurrent change', async () => {
  const [tenant] = tenants as [Tenant];
  const [{ uuid }] = (await rowsOf(tenant)) as [Row];
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  let changed: Promise<unknown> | undefined;
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (...args) => {
    const isFirst = changed === undefined;
    changed ??= tenant.call('PUT', `/webhook/${uuid}`, { customHeaders: [{ name: 'X-New', value: 'new' }] });
    if (isFirst) await changed;
    return encrypt(...args);
  });
  await run([NEXT, KEY]);
  const [[, headers]] = (await openedBy(tenant, [NEXT, KEY])) as [[unknown, unknown]];
  expect(headers).toEqual([['X-New', 'new']]);
});

it('resealing completes before an export, which names one key for its content', async () => {
  for (const tenant of tenants) {
    const exporting = { databases, bucket: bindings.CALIBRATION, sealingKeys: [NEXT, KEY] as const };
    const { body } = (await exportOrganization({ ...exporting, links: 'https://x.example' }, tenant.uuid))!;
    const text = await new Response(body).text();
    expect(JSON.parse(text.split('\n')[0]!).sealingKey).toBe(keyFingerprint(NEXT));
    expect([text.includes(sealedBy(KEY)), text.includes(sealedBy(NEXT))]).toEqual([false, true]);
  }
});

it('metrics report unfinished resealing', async () => {
  const counts = async (): Promise<number[]> => {
    await runSchedule(EVERY_MINUTE, bindings);
    const { body } = await operator('GET', '/metrics');
    const text = new TextDecoder().decode(body);
    return [...text.matchAll(/webhooks_sealed_with_another_key\{database="\w+"\} (\d+)/g)].map(([, value]) =>
      Number(value),
    );
  };
  expect(await counts()).toEqual([0, 0]);
  await run([NEXT, KEY]);
  const [main, other] = await counts();
  expect(Math.min(main!, other!)).toBeGreaterThanOrEqual(3);
  await run([KEY, NEXT]);
  expect(await counts()).toEqual([0, 0]);
});
