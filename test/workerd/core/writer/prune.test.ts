import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { datedUuid, uuidTime } from '../../../../src/core/lib/id.ts';
import { Scope } from '../../../../src/core/lib/scope.ts';
import { forD1 } from '../../../../src/core/lib/sql.ts';
import { ofService } from '../../../../src/core/writer/client.ts';
import { pruneAnswers, pruneRecentAnswers, recordAnswer } from '../../../../src/core/writer/idempotency.ts';
import { pruneEvents } from '../../../../src/log/event/store.ts';
import { db, newTenant } from './requests.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** More rows than one statement deletes. */
const MANY = 6_000;
const numbers = (count: number) => JSON.stringify(Array.from({ length: count }, (_, index) => index));

describe('the deletion of expired answers', () => {
  it('answers with a key are deleted after 30 days, and others after a day', async () => {
    const { uuid } = await newTenant();
    const now = Date.now();
    const add = (count: number, key: string, age: number) =>
      db
        .prepare(
          `INSERT INTO idempotency (organization_uuid, key, fingerprint, command_id, create_date, expires_date)
          SELECT ?1, ?2 || value, 'f', 'c', ?3, ?4 FROM json_each(?5)`,
        )
        .bind(uuid, key, now - age, now - age + 30 * DAY_MS, numbers(count))
        .run();
    await add(MANY, 'expired', 31 * DAY_MS);
    await add(MANY, 'old', 20 * DAY_MS);
    await add(10, 'expired too', 30.5 * DAY_MS);
    await add(10, 'new', 2 * DAY_MS);
    const commands = [49, 25, 23, 0].map((hours) => datedUuid(now - hours * HOUR_MS, randomBytes(16)));
    const scope = new Scope(uuid);
    for (const commandId of commands) {
      const request = { ...ofService('coupleTrack', {}), commandId };
      const made = uuidTime(commandId);
      const { text, params } = forD1(recordAnswer(scope, request, sql`'{}'`, { now: made }));
      await db
        .prepare(text)
        .bind(...params)
        .run();
    }
    expect(await pruneAnswers(db, now)).toBeGreaterThanOrEqual(MANY + 10);
    expect(await pruneRecentAnswers(db, now)).toBeGreaterThanOrEqual(2);
    const { results } = await db
      .prepare(
        "SELECT rtrim(key, '0123456789') AS kind, count(*) AS rows FROM idempotency WHERE organization_uuid = ?1 AND command_id = 'c' GROUP BY kind",
      )
      .bind(uuid)
      .all();
    expect(results).toEqual([
      { kind: 'new', rows: 10 },
      { kind: 'old', rows: MANY },
    ]);
    const left = await db
      .prepare(
        'SELECT command_id AS id FROM recent_answer WHERE organization_uuid = ?1 AND command_id IN (SELECT value FROM json_each(?2)) ORDER BY 1',
      )
      .bind(uuid, JSON.stringify(commands))
      .all();
    expect(left.results.map(({ id }) => id)).toEqual(commands.slice(2).toSorted());
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
