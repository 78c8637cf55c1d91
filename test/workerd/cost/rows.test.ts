import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { pruneAnswers, pruneRecentAnswers } from '../../../src/core/writer/idempotency.ts';
import { pruneDeliveries } from '../../../src/delivery/webhook/message-store.ts';
import { pruneScans } from '../../../src/dispatch/loading/scan-store.ts';
import { pruneEvents } from '../../../src/log/event/store.ts';
import {
  MESSAGE_ROWS_WRITTEN,
  PALLET_MAXIMUM,
  PALLET_WEBHOOK_MAXIMUM,
  ROWS_WRITTEN,
  USAGE,
  type Usage,
} from '../../bench/bill.ts';
import { Receivers, register, until } from '../delivery/webhook/receiver.ts';
import { newDock } from '../dispatch/load/shipment/dock.ts';
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

  it('a pallet whose WMS id has letters of both cases stays within the ceiling', async () => {
    const { perPallet } = await dispatchDay(async () => async () => undefined, 'Pál');
    expect(perPallet.rowsWritten).toBe(USAGE.withoutWebhook.rowsWritten + 1);
    expect(perPallet.rowsWritten).toBeLessThanOrEqual(PALLET_MAXIMUM);
    expect(USAGE.withWebhook.rowsWritten + 1).toBeLessThanOrEqual(PALLET_WEBHOOK_MAXIMUM);
  }, 60_000);

  it('a webhook for all events adds three rows for each message with up to five events', async () => {
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
              `SELECT 1 FROM event_log e JOIN webhook w ON w.organization_uuid = e.organization_uuid
              WHERE w.uuid = ?1 AND e.sequence_number NOT IN (SELECT d.value ->> 'sequenceNumber'
                FROM webhook_message m, json_each(m.deliveries) d WHERE m.webhook_uuid = w.uuid)`,
            )
            .bind(hook.uuid)
            .all();
          return results.length === 0;
        });
    });
    const of = (named: RegExp): number =>
      Object.values(runs)
        .flat()
        .flatMap((run) => [...run])
        .reduce((rows, [statement, written]) => rows + (named.test(statement) ? written : 0), 0);
    const messages = of(/INSERT INTO webhook_message/);
    expect(messages).toBeGreaterThan(10);
    expect(of(/webhook/) / messages).toBeLessThanOrEqual(MESSAGE_ROWS_WRITTEN);
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

  /** Stores answers of keys. The requests of the day have no keys. */
  async function keyedAnswers(count: number): Promise<void> {
    const dock = await newDock();
    const path = '/marker-code/allocate?quantity=1&imageDelivery=URL';
    for (let index = 0; index < count; index += 1)
      await dock.call('POST', path, undefined, { 'Idempotency-Key': `key-${index}` });
  }

  const countOf = async (table: string): Promise<number> =>
    (await db.prepare(`SELECT count(*) AS rows FROM ${table}`).first<{ rows: number }>())!.rows;

  it.each([
    ['a stored answer', 'recent_answer', pruneRecentAnswers, 1, 0],
    ['a stored answer of a key', 'idempotency', pruneAnswers, 1, 0],
    ['an event', 'event', pruneEvents, 1, 0],
    ['a scan', 'scan', pruneScans, 1, 0],
    // A webhook lists its last messages as open until its next run.
    ['a message, with the total of its list,', 'webhook_message', pruneDeliveries, 2, 1],
  ] as const)('the deletion of %s costs no more than its row', async (_, table, prune, rows, once) => {
    if (table === 'idempotency') await keyedAnswers(20);
    const counts = { written: 0 };
    const before = await countOf(table);
    await prune(counting(counts), Date.now() + MONTH_MS);
    const deleted = before - (await countOf(table));
    expect(deleted).toBeGreaterThan(10);
    expect(counts.written).toBe(rows * deleted + once);
  });
});
