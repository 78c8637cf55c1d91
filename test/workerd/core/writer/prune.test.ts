import { describe, expect, it } from 'vitest';
import { pruneIdempotency } from '../../../../src/core/writer/idempotency.ts';
import { pruneEvents } from '../../../../src/log/event/store.ts';
import { db, newTenant } from './requests.ts';

const DAY_MS = 86_400_000;
/** More rows than one statement deletes. */
const MANY = 6_000;
const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index));

describe('the deletion of expired answers', () => {
  it('answers without a key are deleted after a day, also behind many answers that are kept', async () => {
    const { uuid } = await newTenant();
    const now = Date.now();
    const add = (count: number, key: string, age: number, kept: number) =>
      db
        .prepare(
          `INSERT INTO idempotency (organization_uuid, key, fingerprint, command_id, create_date, expires_date)
          SELECT ?1, ?2 || value, 'f', 'c', ?3, ?4 FROM json_each(?5)`,
        )
        .bind(uuid, key, now - age, now - age + kept, numbers(count))
        .run();
    await add(MANY, 'key:expired', 31 * DAY_MS, 30 * DAY_MS);
    await add(MANY, 'key:old', 20 * DAY_MS, 30 * DAY_MS);
    await add(10, 'command:expired', 2 * DAY_MS, DAY_MS);
    await add(10, 'key:new', 2 * DAY_MS, 30 * DAY_MS);
    await add(MANY, 'command:expired too', 1.5 * DAY_MS, DAY_MS);
    await add(10, 'command:new', 0, DAY_MS);
    expect(await pruneIdempotency(db, now)).toBeGreaterThanOrEqual(2 * MANY + 10);
    const { results } = await db
      .prepare(
        "SELECT rtrim(key, '0123456789') AS kind, count(*) AS rows FROM idempotency WHERE organization_uuid = ?1 AND command_id = 'c' GROUP BY kind",
      )
      .bind(uuid)
      .all();
    expect(results).toEqual([
      { kind: 'command:new', rows: 10 },
      { kind: 'key:new', rows: 10 },
      { kind: 'key:old', rows: MANY },
    ]);
  }, 60_000);
});

describe('the deletion of expired events', () => {
  it('the last events of many idle organizations do not keep other events from being deleted', async () => {
    const old = Date.now() - 40 * DAY_MS;
    const add = (organization: string, count: number) =>
      db
        .prepare(
          `INSERT INTO event_log (organization_uuid, sequence_number, uuid, event_type, event_date, entity_type)
          SELECT ${organization}, value + 1, 'e', 'MANIFEST_UPDATED', ?1, 'MANIFEST' FROM json_each(?2)`,
        )
        .bind(old, numbers(count))
        .run();
    const idle = `idle ${crypto.randomUUID()}`;
    await add(`'${idle} ' || value`, MANY);
    await add(`'${idle}'`, 10);
    await pruneEvents(db, Date.now());
    const { results } = await db
      .prepare(
        "SELECT organization_uuid = ?1 AS last, count(*) AS rows FROM event_log WHERE organization_uuid GLOB ?1 || '*' GROUP BY last",
      )
      .bind(idle)
      .all();
    expect(results).toEqual([
      { last: 0, rows: MANY },
      { last: 1, rows: 1 },
    ]);
  }, 60_000);
});
