import { expect, it } from 'vitest';
import { pruneDeliveries } from '../../../../src/delivery/webhook/message-store.ts';
import { pruneScans } from '../../../../src/dispatch/loading/scan-store.ts';
import { bindings } from '../../access/database/places.ts';
import { countedD1 } from '../../counted.ts';

const { DB } = bindings;
/** The tables of the daily schedule share the 1,000 statements of an invocation. */
const TABLE_STATEMENTS = 60;
const ROWS = 260_000;
/** The runs that delete so many rows. */
const RUNS = { scan: 1, webhook_delivery: 1 };

it('Few runs of the schedule delete many expired rows, each with few statements', async () => {
  const organization = crypto.randomUUID();
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`;
  await DB.prepare(
    `INSERT INTO scan (organization_uuid, scan_id, gate_uuid, marker_code, direction, damaged, scan_date, outcome, create_date)
      ${numbers} SELECT ?1, 'scan-' || i, 'g', i, 'LOAD', 0, 1, 'LOADED', 1 FROM n`,
  )
    .bind(organization)
    .run();
  await DB.prepare(
    `INSERT INTO webhook_delivery (uuid, organization_uuid, webhook_uuid, event_uuid, event_type, state, queued_count,
        failures_count, attempts, attempts_count, create_date, update_date)
      ${numbers} SELECT '00000000-0000-7000-8000-' || ?1 || i, ?1, 'w', 'e', 'TRACK_COUPLED', 'SUCCEEDED', 0, 0, '[]', 0, 1, 1 FROM n`,
  )
    .bind(organization)
    .run();
  for (const [table, prune] of [
    ['scan', pruneScans],
    ['webhook_delivery', pruneDeliveries],
  ] as const) {
    const left = () =>
      DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE organization_uuid = ?`)
        .bind(organization)
        .first('count');
    const { db, spent } = countedD1(DB);
    for (let runs = 1; runs <= RUNS[table]; runs += 1) {
      expect(await left()).toBeGreaterThan(0);
      spent.statements = 0;
      await prune(db, Date.now());
      expect(spent.statements).toBeLessThan(TABLE_STATEMENTS);
    }
    expect(await left()).toBe(0);
  }
}, 120_000);
