import { sql } from 'drizzle-orm';
import type { Env } from '../../../src/core/env.ts';
import { Database } from '../../../src/core/lib/database.ts';
import { databasesOf } from '../../../src/core/lib/databases.ts';
import { inList } from '../../../src/core/lib/sql.ts';
import { ON_REQUEST } from '../../../src/core/writer/jobs.ts';
import { keepRetention } from '../../../src/retention/job.ts';
import { bindings } from '../access/database/places.ts';
import { type Answer, call, operator, type Tenant } from '../client.ts';
import type { Dock } from '../dispatch/load/shipment/dock.ts';
import { addressesOf, departed } from '../web/pages/published.ts';

export const DAY_MS = 86_400_000;
export const bucket = bindings.CALIBRATION;

/** Set the retention time of an organization in days from now on. */
export async function keepFor(tenant: Tenant, retentionDays: number | null): Promise<void> {
  const { status, body } = await operator('PUT', `/organization/${tenant.uuid}`, { retentionDays });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

const databaseOf = (tenant: Tenant, env: object = bindings) => new Database(tenant.uuid, databasesOf(env));

/** Move all closing dates back by a number of days. */
export async function age(tenant: Tenant, days: number): Promise<void> {
  await databaseOf(tenant).send(
    ['shipment', 'manifest'].map(
      (table) => sql`UPDATE ${sql.raw(table)} SET close_date = close_date - ${days * DAY_MS}
        WHERE organization_uuid = ${tenant.uuid}`,
    ),
  );
}

/** Run the job once, as the organization's object does. With a later `now`, only its calls bound the run. */
export const runOnce = (tenant: Tenant, env: Partial<Env> = {}, now = Date.now()) => {
  const over = { ...bindings, ...env };
  return keepRetention({ env: over, database: databaseOf(tenant, over), now, lastRun: null });
};

/** Run the daily schedule for one organization. */
export async function plan(tenant: Tenant): Promise<void> {
  await databaseOf(tenant).send([
    sql`INSERT INTO retention_due VALUES (${tenant.uuid}, 0) ON CONFLICT DO UPDATE SET due_date = 0`,
  ]);
}

/** Run the schedule and then the job until all work is done. */
export async function retain(tenant: Tenant, env: Partial<Env> = {}): Promise<void> {
  await plan(tenant);
  const deadline = Date.now() + 50_000;
  for (let next = await runOnce(tenant, env); next !== ON_REQUEST; next = await runOnce(tenant, env)) {
    if (Date.now() > deadline) throw new Error('retention does not end');
    // The organization's object runs the job, too. If both did the same piece, one was refused and pauses for a minute.
    if (Number(next) > Date.now()) await plan(tenant);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Archive closed manifests of an organization that has a retention time. */
export async function archived(tenant: Tenant, uuids: readonly string[]): Promise<void> {
  await databaseOf(tenant).send([
    sql`UPDATE manifest SET close_date = 1 WHERE organization_uuid = ${tenant.uuid} AND uuid ${inList(uuids)}`,
  ]);
  await retain(tenant);
}

/**
 * A dock with shipment S of manifests M, N and O with some problems, closed 100 days ago. All pallets
 * except D are retired.
 */
export async function longGone(): Promise<Dock> {
  const dock = await departed();
  await dock.must('PATCH', '/shipment/S/asset-loading/track/C/status', { status: 'LOADED' });
  for (const pallet of ['A', 'B', 'C', 'E', 'X']) await dock.must('PATCH', `/track/${pallet}/retire`);
  await dock.must('POST', '/track/A/comments', { additionalInfo: 'a scratch' });
  await age(dock, 100);
  await keepFor(dock, 90);
  return dock;
}

/** Resolve all open alerts. */
export async function resolveAlerts(tenant: Tenant): Promise<void> {
  await bindings.DB.prepare(
    "UPDATE alert SET status = 'RESOLVED', resolved_date = ?2 WHERE organization_uuid = ?1 AND status = 'OPEN'",
  )
    .bind(tenant.uuid, Date.now())
    .run();
}

/** All pages, documents and data of shipment S and its manifests, byte for byte. */
export async function shownOf(
  dock: Dock,
  names: readonly string[] = ['shipment/S', 'manifest/M', 'manifest/N'],
) {
  const urls: string[] = [];
  for (const name of names) {
    const [kind, identifier] = name.split('/') as ['shipment' | 'manifest', string];
    urls.push(...Object.values(await addressesOf(dock, kind, identifier)));
  }
  return { urls, bodies: await bodiesOf(urls) };
}

/** The answers of these addresses: status, ETag and body. */
export async function bodiesOf(urls: readonly string[]): Promise<string[]> {
  const answers: Answer[] = [];
  for (const url of urls) answers.push(await call('GET', url));
  return answers.map(({ status, headers, body }) => {
    const text = body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : JSON.stringify(body);
    return `${status} ${headers.get('ETag')} ${text}`;
  });
}

/** The body and ETag of a resource of the API. */
export async function got(tenant: Tenant, path: string): Promise<string> {
  const { status, headers, body } = await tenant.call('GET', path);
  return `${status} ${headers.get('ETag')} ${JSON.stringify(body)}`;
}

/** The number of an organization's rows by table. */
export async function rowsOf(tenant: Tenant, tables: readonly string[], db = bindings.DB) {
  const counts = await db.batch<{ count: number }>(
    tables.map((table) =>
      db.prepare(`SELECT count(*) AS count FROM ${table} WHERE organization_uuid = ?`).bind(tenant.uuid),
    ),
  );
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]!.results[0]!.count]));
}

/** The keys of an organization's objects in the bucket, also of objects without a commit. */
export async function keysOf(tenant: Tenant) {
  const { objects } = await bucket.list({ prefix: `organization/${tenant.uuid}/archive/` });
  const { results } = await bindings.DB.prepare(
    'SELECT object_key AS key FROM archive_object WHERE organization_uuid = ?',
  )
    .bind(tenant.uuid)
    .all<{ key: string }>();
  const taken = new Set(results.map(({ key }) => key));
  const keys = objects.map(({ key }) => key);
  return {
    keys,
    orphans: keys.filter((key) => !taken.has(key)),
    lost: [...taken].filter((key) => !keys.includes(key)),
  };
}
