import { expect, it } from 'vitest';
import { Database } from '../../../../src/core/lib/database.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import type { CommandRequest } from '../../../../src/core/writer/command.ts';
import { overdueQuery, runOverdueJobs } from '../../../../src/core/writer/overdue.ts';
import { watchDepartures } from '../../../../src/dispatch/departure/job.ts';
import { overdueDepartures } from '../../../../src/dispatch/departure/store.ts';
import { db, writerOf } from '../../core/writer/requests.ts';
import { bindings } from '../../failing.ts';
import { at, departingDock, HOUR } from './departures.ts';

const COUNT = 1_000;

/** Copies an organization with an empty shipment that departs at a date. */
async function copies(count: number, like: string, departure: number): Promise<void> {
  const { results } = await db
    .prepare("SELECT name FROM pragma_table_info('organization')")
    .all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const values = names.map((name) =>
    name === 'uuid' ? `'${departure}-' || n` : name === 'slug' ? `'slug-${departure}-' || n` : name,
  );
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  await db
    .prepare(
      `${numbers} INSERT INTO organization (${names}) SELECT ${values} FROM numbers CROSS JOIN organization WHERE uuid = ?1`,
    )
    .bind(like)
    .run();
  await db
    .prepare(`${numbers} INSERT INTO shipment (uuid, organization_uuid, external_identifier, status, folded_identifier,
      folded_notes, create_date, update_date)
      SELECT '${departure}-s-' || n, '${departure}-' || n, 'S', 'TO_DO', 's', '', 1, 1 FROM numbers`)
    .run();
  await db
    .prepare(`${numbers} INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
      SELECT '${departure}-' || n, '${departure}-s-' || n, 'etd', ?1 FROM numbers`)
    .bind(at(departure))
    .run();
}

/** How many of the copies have an open alert. */
const alerted = (departure: number) =>
  db
    .prepare("SELECT count(*) AS count FROM alert WHERE organization_uuid LIKE ?1 AND status = 'OPEN'")
    .bind(`${departure}-%`)
    .first<number>('count');

/** How many rows the query of the schedule reads. */
async function rowsRead(): Promise<number> {
  const { text, params } = forD1(overdueQuery(overdueDepartures, Date.now()));
  return (
    await db
      .prepare(text)
      .bind(...params)
      .all()
  ).meta.rows_read;
}

it('a thousand organizations that are due in the same minute are all told in two runs of the schedule', async () => {
  const dock = await departingDock();
  const before = await rowsRead();
  await copies(COUNT, dock.uuid, Date.now() + HOUR);
  // Organizations that are not due cost nothing.
  expect(await rowsRead()).toBe(before);
  const departure = Date.now() - HOUR;
  await copies(COUNT, dock.uuid, departure);
  const databases = new Databases({ DB: db });
  const env = {
    ...bindings,
    WRITER: {
      idFromName: (name: string) => name,
      get: (uuid: string) => ({
        execute: (request: CommandRequest) => writerOf({ uuid } as typeof dock).execute(request),
        scheduleJobs: (now: number) =>
          watchDepartures({ env: env as never, database: new Database(uuid, databases), now, lastRun: null }),
      }),
    },
  } as unknown as typeof bindings;
  const told: (number | null)[] = [];
  for (let run = 0; run < 3; run += 1) {
    await runOverdueJobs(env, 'DB', [overdueDepartures], Date.now());
    told.push(await alerted(departure));
  }
  expect(told).toEqual([COUNT / 2, COUNT, COUNT]);
}, 180_000);
