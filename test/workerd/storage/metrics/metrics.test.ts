import { expect, it, vi } from 'vitest';
import { bindings } from '../../access/database/places.ts';
import { call, newTenant, OPERATOR_API, OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';
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
      const sample = /^([a-z_]+)(\{[a-z]+="[A-Z_0-9]+"\})? -?\d+(\.\d+)?$/.exec(line);
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
  const { text } = await metrics();
  const total = await operator('GET', '/organization?pageSize=1');
  expect(sampleOf(text, 'organizations')).toBe(total.body.totalElements);
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
