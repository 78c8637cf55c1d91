import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { pruneIdempotency } from '../../../src/core/writer/idempotency.ts';
import { pruneDeliveries } from '../../../src/delivery/webhook/store.ts';
import { pruneScans } from '../../../src/dispatch/loading/scan-store.ts';
import { pruneEvents } from '../../../src/log/event/store.ts';
import {
  DELIVERY_ROWS_WRITTEN,
  PALLET_MAXIMUM,
  PALLET_WEBHOOK_MAXIMUM,
  ROWS_WRITTEN,
  USAGE,
  type Usage,
} from '../../bench/bill.ts';
import { Receivers, register, until } from '../delivery/webhook/receiver.ts';
import { dispatchDay, rowsOf, shown } from './day.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const MONTH_MS = 31 * 86_400_000;

/** The guide's table is computed from the usage in `bill.ts`, so that must be near what a day uses. */
function expectUsage(perPallet: Pick<Usage, 'rowsWritten' | 'rowsRead'>, usage: Usage): void {
  expect(Math.abs(perPallet.rowsWritten - usage.rowsWritten)).toBeLessThan(1);
  expect(perPallet.rowsRead / usage.rowsRead).toBeGreaterThan(0.8);
  expect(perPallet.rowsRead / usage.rowsRead).toBeLessThan(1.25);
}

describe('rows written in a day at a dock', () => {
  it('each operation and each pallet stays within its ceiling', async () => {
    const { runs, perPallet } = await dispatchDay(async () => async () => undefined);
    expect(Object.keys(runs)).toEqual(Object.keys(ROWS_WRITTEN));
    for (const [name, ceiling] of Object.entries(ROWS_WRITTEN)) {
      const [least] = runs[name]!.toSorted((one, other) => rowsOf(one) - rowsOf(other));
      expect(rowsOf(least!), `${name}:\n${shown(least!)}`).toBeLessThanOrEqual(ceiling);
    }
    expect(perPallet.rowsWritten).toBeLessThanOrEqual(PALLET_MAXIMUM);
    expectUsage(perPallet, USAGE.withoutWebhook);
  }, 60_000);

  it('a webhook for all events adds eight rows for each delivery, and one for each run of its job', async () => {
    const receivers = new Receivers();
    let hook = { uuid: '' };
    const { runs, perPallet } = await dispatchDay(async (dock) => {
      const registered = await register(dock);
      hook = registered;
      receivers.at(registered.url, 204);
      return () =>
        until(async () => {
          const { results } = await db
            .prepare(
              `SELECT 1 FROM event e JOIN webhook w ON w.organization_uuid = e.organization_uuid
              LEFT JOIN webhook_delivery d ON d.webhook_uuid = w.uuid AND d.sequence_number = e.sequence_number
              WHERE w.uuid = ?1 AND d.state IS NOT 'SUCCEEDED'`,
            )
            .bind(hook.uuid)
            .all();
          return results.length === 0;
        });
    });
    const all = Object.values(runs).flat();
    const ofDeliveries = all.reduce(
      (rows, run) =>
        rows +
        [...run].reduce(
          (sum, [statement, written]) => sum + (/webhook_delivery/.test(statement) ? written : 0),
          0,
        ),
      0,
    );
    const delivered = 4 * (1 + 2 + 3 + 5 + 3);
    expect(ofDeliveries / delivered).toBeLessThanOrEqual(DELIVERY_ROWS_WRITTEN);
    expect(perPallet.rowsWritten).toBeLessThanOrEqual(PALLET_WEBHOOK_MAXIMUM);
    expectUsage(perPallet, USAGE.withWebhook);
  }, 60_000);
});

describe('rows written by the daily deletion of expired rows', () => {
  /** The database. It counts the rows that statements write. */
  const counting = (counts: { written: number }): D1Database =>
    new Proxy(db, {
      get: (target, name) =>
        name === 'prepare'
          ? (text: string) => ({
              bind: (...params: unknown[]) => {
                const bound = target.prepare(text).bind(...params);
                return {
                  first: () => bound.first(),
                  run: async () => {
                    const result = await bound.run();
                    counts.written += result.meta.rows_written;
                    return result;
                  },
                };
              },
            })
          : Reflect.get(target, name),
    });

  const countOf = async (table: string): Promise<number> =>
    (await db.prepare(`SELECT count(*) AS rows FROM ${table}`).first<{ rows: number }>())!.rows;

  it.each([
    ['a stored answer', 'idempotency', pruneIdempotency, 1],
    ['an event', 'event', pruneEvents, 1],
    ['a scan', 'scan', pruneScans, 1],
    ['a delivery, with the total of its list,', 'webhook_delivery', pruneDeliveries, 2],
  ] as const)('the deletion of %s costs no more than its row', async (_, table, prune, rows) => {
    const counts = { written: 0 };
    const before = await countOf(table);
    await prune(counting(counts), Date.now() + MONTH_MS);
    const deleted = before - (await countOf(table));
    expect(deleted).toBeGreaterThan(10);
    expect(counts.written).toBe(rows * deleted);
  });
});
