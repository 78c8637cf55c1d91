import { expect, it, vi } from 'vitest';
import { roomFor } from '../../../../src/access/database/room.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { wrappedD1 } from '../../../d1.ts';
import { bindings } from '../../access/database/places.ts';
import { call, newTenant, OPERATOR_API, OPERATOR_KEY, ORIGIN, operator } from '../../client.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { FAILURES, failingD1, fetchOver } from '../../failing.ts';
import { DAILY, deliverTurn, EVERY_MINUTE, runSchedule } from '../../schedule.ts';

const HEADERS = { 'X-OPERATOR-KEY': OPERATOR_KEY };
const PATH = `${ORIGIN}${OPERATOR_API}/metrics`;

/** The metrics after a turn of each database. */
async function metrics(): Promise<{ text: string; type: string | null }> {
  await runSchedule(EVERY_MINUTE, bindings);
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
    expect(sampleOf(text, `database_size_bytes${label}`)).toBe(sizeBytes);
    expect(sampleOf(text, `database_measurement_age_seconds${label}`)).toBeLessThan(10);
    expect(sampleOf(text, `minute_schedule_age_seconds${label}`)).toBeLessThan(10);
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

const silenced = (name: 'DB' | 'DB_1') => ({
  ...bindings,
  [name]: failingD1({ message: FAILURES.lost, from: 1 }, bindings[name]).db,
});

it('metrics report a silent database as down with its last values, until it answers again', async () => {
  for (const method of ['warn', 'error'] as const) vi.spyOn(console, method).mockReturnValue(undefined);
  await metrics();
  await runSchedule(EVERY_MINUTE, silenced('DB_1'));
  const get = async () => (await fetchOver(bindings, new Request(PATH, { headers: HEADERS }))).text;
  const down = await get();
  const label = '{database="DB_1"}';
  expect(sampleOf(down, `database_up${label}`)).toBe(0);
  expect(sampleOf(down, `database_size_bytes${label}`)).toBeGreaterThan(100_000);
  expect(sampleOf(down, 'database_up{database="DB"}')).toBe(1);
  const { databaseName, measureDate } = (await operator('GET', '/database')).body.content[1];
  expect([databaseName, Date.now() - Date.parse(measureDate) < 60_000]).toEqual(['DB_1', true]);
  const refused = { name: 'A', slug: `s-${crypto.randomUUID().slice(0, 13)}`, databaseName };
  await operator('PUT', `/database/${databaseName}`, { open: true });
  expect((await operator('POST', '/organization', refused)).status).toBe(503);
  await runSchedule(EVERY_MINUTE, bindings);
  expect(sampleOf(await get(), `database_up${label}`)).toBe(1);
  expect((await operator('POST', '/organization', refused)).status).toBe(201);
  await operator('PUT', `/database/${databaseName}`, { open: false });
});

it('metrics report that DB is down while it does not answer', async () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  const { status, text } = await fetchOver(silenced('DB'), new Request(PATH, { headers: HEADERS }));
  expect([status, sampleOf(text, 'database_up{database="DB"}')]).toEqual([200, 0]);
  expect(text.match(/^warehouse_dispatch_\S+/gm)).toHaveLength(2);
});

it('metrics report the age of the last complete turn of a database whose task fails', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue(undefined);
  await metrics();
  await runSchedule(DAILY, bindings);
  await bindings.DB.exec(
    'UPDATE database_measurement SET minute_date = minute_date - 600000, day_date = day_date - 600000',
  );
  const broken = wrappedD1(bindings.DB_1, (texts, ask) => {
    if (texts.some((text) => /FROM export|DELETE FROM retention_due/.test(text)))
      throw new Error('SQLITE_CORRUPT');
    return ask();
  });
  for (const cron of [EVERY_MINUTE, DAILY]) await runSchedule(cron, { ...bindings, DB_1: broken }, 1);
  const { text } = await fetchAgain();
  for (const schedule of ['minute', 'daily']) {
    const ageOf = (name: string) => sampleOf(text, `${schedule}_schedule_age_seconds{database="${name}"}`);
    expect(ageOf('DB_1')).toBeGreaterThan(599);
    expect(ageOf('DB')).toBeLessThan(60);
  }
  expect(sampleOf(text, 'database_up{database="DB_1"}')).toBe(1);
  expect(logged.mock.calls.flat().join()).toContain(
    '"database":"DB_1","schedule":"minute","error":"Error: SQLITE_CORRUPT"',
  );
});

const fetchAgain = () => fetchOver(bindings, new Request(PATH, { headers: HEADERS }));

it('an older turn does not replace the measurement of a newer one', async () => {
  await metrics();
  const measured = () => bindings.DB.prepare('SELECT * FROM database_measurement ORDER BY 1').all();
  await bindings.DB.exec(
    'UPDATE database_measurement SET measure_date = measure_date + 60000, size_bytes = 1',
  );
  const { results } = await measured();
  await deliverTurn(bindings, { database: 'DB_1', schedule: 'minute' });
  expect((await measured()).results).toEqual(results);
  await bindings.DB.exec('DELETE FROM database_measurement');
});

it('metrics of 500 databases, their list and the choice of one take one call of DB each', async () => {
  const calls: string[][] = [];
  const counting = (name: string) =>
    wrappedD1(bindings.DB, (texts, ask) => {
      calls.push([name, ...texts]);
      return ask();
    });
  const names = ['DB', ...Array.from({ length: 499 }, (_, index) => `DB_${index + 1}`)];
  const env = { ...bindings, ...Object.fromEntries(names.map((name) => [name, counting(name)])) };
  await bindings.DB.prepare(
    `INSERT INTO database_measurement (database_name, measure_date, size_bytes)
      SELECT value, 1, 1000000 - key FROM json_each(?) WHERE TRUE ON CONFLICT DO NOTHING`,
  )
    .bind(JSON.stringify(names))
    .run();
  const asked = async (path: string) => {
    calls.length = 0;
    const { status, text } = await fetchOver(
      env,
      new Request(`${ORIGIN}${OPERATOR_API}${path}`, { headers: HEADERS }),
    );
    expect(status).toBe(200);
    return { text, calls: calls.map(([name, ...statements]) => [name, statements.length]) };
  };
  const read = await asked('/metrics');
  expect(read.calls).toEqual([['DB', 2]]);
  expect(read.text.match(/database_size_bytes\{/g)).toHaveLength(500);
  const list = await asked('/database?pageSize=100');
  expect(list.calls).toEqual([['DB', 2]]);
  expect(JSON.parse(list.text).totalElements).toBe(500);
  calls.length = 0;
  expect(await roomFor(new Databases(env), undefined, 1e10)).toBe('DB_499');
  expect(calls.map(([name, ...statements]) => [name, statements.length])).toEqual([['DB', 1]]);
  await bindings.DB.exec('DELETE FROM database_measurement');
});

it('metrics report the shipments of the last 24 hours of all organizations of a database', async () => {
  const sample = 'day_shipments_completed{database="DB"}';
  const before = (await metrics()).text;
  const docks = [await loadingDock(), await loadingDock()];
  for (const dock of docks) {
    await dock.must('POST', '/shipment/S/arrival', {
      arrivalDate: new Date(Date.now() - 5 * 60_000).toISOString(),
    });
    await dock.scan('A');
    await dock.must('POST', '/shipment/S/status/COMPLETED');
  }
  const { text } = await metrics();
  const grown = (name: string) => sampleOf(text, name)! - sampleOf(before, name)!;
  expect([
    grown(sample),
    grown('day_dwell_seconds{database="DB"}'),
    grown('day_pallets_loaded{database="DB"}'),
  ]).toEqual([2, 600, 2]);
  // One was completed more than a day ago, and the organization of the other one has left.
  const [old, gone] = docks.map(({ uuid }) => uuid);
  await bindings.DB.batch([
    bindings.DB.prepare(
      'UPDATE shipment_figures SET close_date = close_date - 86400000 WHERE organization_uuid = ?',
    ).bind(old),
    bindings.DB.prepare("UPDATE organization SET residence = 'ELSEWHERE' WHERE uuid = ?").bind(gone),
  ]);
  expect(sampleOf((await metrics()).text, sample)).toBe(sampleOf(before, sample));
});
