import { expect, it, vi } from 'vitest';
import { bindings } from '../../access/database/places.ts';
import { call, newTenant, OPERATOR_API, OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { FAILURES, failingD1, fetchOver } from '../../failing.ts';

const HEADERS = { 'X-OPERATOR-KEY': OPERATOR_KEY };
const PATH = `${ORIGIN}${OPERATOR_API}/metrics`;

async function metrics(): Promise<{ text: string; type: string | null }> {
  const { body, headers } = await call('GET', PATH, { headers: HEADERS });
  return { text: new TextDecoder().decode(body), type: headers.get('Content-Type') };
}

const sampleOf = (text: string, sample: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`warehouse_dispatch_${sample} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
};

it('promtool accepts the metrics', async () => {
  await newTenant();
  const { text, type } = await metrics();
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text.endsWith('\n')).toBe(true);
  const kinds = new Map<string, string>();
  const names = new Set<string>();
  for (const line of text.slice(0, -1).split('\n')) {
    const [, word, name, rest] = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') {
      // Each name appears once, before its type and its samples.
      expect([name, names.has(name!)]).toEqual([name, false]);
      names.add(name!);
    } else if (word === 'TYPE') kinds.set(name!, rest!);
    else {
      const sample = /^([a-z_]+)(\{[a-z]+="[A-Za-z_0-9-]+"\})? -?\d+(\.\d+)?$/.exec(line);
      expect([line, sample && kinds.get(sample[1]!)]).toEqual([line, 'gauge']);
    }
  }
  expect([...kinds.keys()]).toEqual([...names]);
  // The linter allows such endings only for counters and histograms, and it requires base units.
  for (const name of names)
    expect(name).not.toMatch(/_(total|count|sum|bucket|milliseconds|kilobytes|gauge)$/);
});

it('metrics report organizations, sizes, operations, webhook backlog and dead letters', async () => {
  const before = (await metrics()).text;
  const tenant = await newTenant();
  const { body: hook } = await tenant.call('POST', '/webhook', {
    name: 'W',
    url: 'https://hooks.example.com/x',
    active: false,
  });
  await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
  const { DB } = bindings;
  await DB.batch([
    // A receiver that does not answer, an operation in progress, and a dead letter.
    DB.prepare(
      `INSERT INTO webhook_delivery (uuid, organization_uuid, webhook_uuid, sequence_number, event_uuid, event_type, state, due_date,
        queued_count, failures_count, attempts, attempts_count, create_date, update_date)
        VALUES (?1, ?2, ?3, 1, ?1, 'X', 'WAITING', ?4, 0, 1, '[]', 1, ?5, ?5)`,
    ).bind(crypto.randomUUID(), tenant.uuid, hook.uuid, Date.now() + 3_600_000, Date.now() - 90_000),
    DB.prepare('UPDATE webhook SET active = 1, position = 1000 WHERE uuid = ?').bind(hook.uuid),
  ]);
  // An organization that arrives is not counted.
  const { uuid } = await newTenant();
  await DB.prepare("UPDATE organization SET residence = 'ARRIVING' WHERE uuid = ?").bind(uuid).run();
  const { text } = await metrics();
  const total = await operator('GET', '/organization?pageSize=1');
  expect(sampleOf(text, 'organizations')).toBe(total.body.totalElements);
  expect(total.body.totalElements).toBe(sampleOf(before, 'organizations')! + 1);
  const databases = (await operator('GET', '/database')).body.content;
  for (const { databaseName, sizeBytes, limitBytes } of databases) {
    const label = `{database="${databaseName}"}`;
    expect(sampleOf(text, `database_up${label}`)).toBe(1);
    expect(Math.abs(sampleOf(text, `database_size_bytes${label}`)! - sizeBytes)).toBeLessThan(100_000);
    expect(sampleOf(text, `database_limit_bytes${label}`)).toBe(limitBytes);
    expect(sampleOf(text, `operations_outstanding${label}`)).toBe(0);
    expect(sampleOf(text, `dead_letters${label}`)).toBe(0);
  }
  const waiting = 'webhook_events_undelivered{database="DB"}';
  expect(sampleOf(text, waiting)! - sampleOf(before, waiting)!).toBe(1);
  const age = sampleOf(text, 'webhook_oldest_undelivered_event_age_seconds{database="DB"}')!;
  expect(age).toBeGreaterThan(89);
  expect(age).toBeLessThan(120);
  // Deliveries of a paused webhook do not count as waiting.
  await DB.prepare('UPDATE webhook SET active = 0 WHERE uuid = ?').bind(hook.uuid).run();
  expect(sampleOf((await metrics()).text, waiting)).toBe(sampleOf(before, waiting));
});

it('metrics report a silent database as down and the others as usual', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { DB, DB_1 } = bindings;
  for (const name of ['DB', 'DB_1']) {
    const db = failingD1({ message: FAILURES.lost, from: 1 }, name === 'DB' ? DB : DB_1).db;
    const env = { ...bindings, [name]: db };
    const { status, text } = await fetchOver(env, new Request(PATH, { headers: HEADERS }));
    expect(status).toBe(200);
    const other = name === 'DB' ? 'DB_1' : 'DB';
    expect(sampleOf(text, `database_up{database="${name}"}`)).toBe(0);
    expect(sampleOf(text, `database_size_bytes{database="${name}"}`)).toBeUndefined();
    expect(sampleOf(text, `database_up{database="${other}"}`)).toBe(1);
    expect(sampleOf(text, `dead_letters{database="${other}"}`)).toBe(0);
  }
});

it('metrics report the shipments of the last 24 hours by organization, up to a number of organizations', async () => {
  const dock = await loadingDock();
  const sample = `day_shipments_completed{organization="${dock.slug}"}`;
  expect(sampleOf((await metrics()).text, sample)).toBeUndefined();
  await dock.must('POST', '/shipment/S/arrival', {
    arrivalDate: new Date(Date.now() - 5 * 60_000).toISOString(),
  });
  await dock.scan('A');
  await dock.must('POST', '/shipment/S/status/COMPLETED');
  const { text } = await metrics();
  const of = (name: string) => sampleOf(text, `${name}{organization="${dock.slug}"}`);
  expect([sampleOf(text, sample), of('day_dwell_seconds'), of('day_pallets_loaded')]).toEqual([1, 300, 1]);
  const { DB } = bindings;
  await DB.prepare(
    'UPDATE shipment_figures SET close_date = close_date - 86400000 WHERE organization_uuid = ?',
  )
    .bind(dock.uuid)
    .run();
  expect(sampleOf((await metrics()).text, sample)).toBeUndefined();
  // A hundred older organizations with a shipment.
  await DB.prepare(
    'UPDATE shipment_figures SET close_date = close_date + 86400000 WHERE organization_uuid = ?',
  )
    .bind(dock.uuid)
    .run();
  await DB.prepare(
    `INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled, marker_allocation_maximum,
        marker_code_start, requests_per_minute, shipment_custom_fields, create_date, update_date)
      SELECT 'old-' || value, 'old', 'old-' || value, 'SHIPMENT', 0, 1, 1, 1, '[]', value, value FROM
      (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 100) SELECT value FROM n)`,
  ).run();
  expect(sampleOf((await metrics()).text, sample)).toBeUndefined();
});
