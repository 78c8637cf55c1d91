import { expect, it } from 'vitest';
import { keepUntagged } from '../../../../src/access/database/arrival.ts';
import { wrappedD1 } from '../../../d1.ts';
import { bindings, newTenantIn } from './places.ts';

const { DB, DB_1 } = bindings;
const SESSIONS = 20_001;
/** The most secrets that are read at once. */
const READ_MAXIMUM = 10_000;

it('the owner of many secrets without a routing tag is stored in DB, and they are read in pages', async () => {
  const tenant = await newTenantIn('DB_1');
  const secretsOf = (table: string, db: D1Database) =>
    db
      .prepare(`SELECT count(*) AS count FROM ${table} WHERE organization_uuid = ?`)
      .bind(tenant.uuid)
      .first<number>('count');
  const keys = await secretsOf('credential_secret', DB_1);
  await DB_1.prepare(
    `INSERT INTO session (uuid, token_hash, organization_uuid, user_uuid, session_epoch, user_agent, last_seen_date,
        expires_date, create_date)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SESSIONS})
      SELECT ?1 || i, ?1 || i, ?1, 'u', 1, '', 1, 1, 1 FROM n`,
  )
    .bind(tenant.uuid)
    .run();
  const read: number[] = [];
  const counted = wrappedD1(DB_1, async (_, ask) => {
    const answer = await ask();
    read.push((answer as { results: unknown[] }).results.length);
    return answer;
  });
  await keepUntagged(DB, counted, tenant.uuid);
  await keepUntagged(DB, counted, tenant.uuid);
  expect(await secretsOf('untagged_secret', DB)).toBe(SESSIONS + keys!);
  expect(Math.max(...read)).toBe(READ_MAXIMUM);
});
