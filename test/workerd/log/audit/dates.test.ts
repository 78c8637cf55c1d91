import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import { pageOf, type Shown } from './logs.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const MINUTE_MS = 60_000;
/** The records of the long log, a minute apart. */
const RECORDS = 3_000;
const FIRST_DATE = Date.UTC(2026, 0, 1);
/** A clock went back this far at record 1,500. */
const BACK_MS = 50_000;

const dateOf = (number: number): number =>
  FIRST_DATE + number * MINUTE_MS - (number === RECORDS / 2 ? MINUTE_MS + BACK_MS : 0);
const iso = (date: number): string => new Date(date).toISOString();

/** The rows that a request reads. The first one may also read the credential. */
async function rowsOf(tenant: Tenant, path: string): Promise<number> {
  const answers = [await tenant.call('GET', path), await tenant.call('GET', path)];
  return Math.min(
    ...answers.map(({ headers }) => Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1])),
  );
}

describe('the dates of a long log', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant();
    await db
      .prepare(
        `INSERT INTO log (id, event_date, actor_number, request_id, hashes, records)
        SELECT (o.number << 32) + 100 + d.key, d.value, l.actor_number, l.request_id, randomblob(32),
          json_array(json_set(l.records -> 0, '$[3]', 'ROW-' || d.key, '$[4]', json('[]')))
        FROM organization_number o CROSS JOIN log l ON l.id = o.number << 32 | 1
        CROSS JOIN json_each(?2) d WHERE o.organization_uuid = ?1`,
      )
      .bind(tenant.uuid, JSON.stringify(Array.from({ length: RECORDS }, (_, number) => dateOf(number))))
      .run();
    await db
      .prepare(
        `UPDATE log SET event_date = ?2 WHERE id BETWEEN
          (SELECT number << 32 FROM organization_number WHERE organization_uuid = ?1) AND
          (SELECT number << 32 | 99 FROM organization_number WHERE organization_uuid = ?1)`,
      )
      .bind(tenant.uuid, FIRST_DATE - MINUTE_MS)
      .run();
  });

  it.each([0, 1, 700, 1_498, 1_499, 1_500, 1_501, RECORDS - 1])(
    'a filter by date finds record %i, and reads few others',
    async (number) => {
      const range = `eventDateAfter=${iso(dateOf(number))}&eventDateBefore=${iso(dateOf(number) + 1)}`;
      const { content, totalElements } = (await pageOf(tenant, range)).body;
      expect(totalElements).toBe(1);
      expect(content.map(({ sequenceNumber }: Shown) => sequenceNumber)).toEqual([100 + number]);
      expect(await rowsOf(tenant, `/audit-log?${range}`)).toBeLessThan(300);
      const { uuid } = content[0];
      expect((await tenant.call('GET', `/audit-log/${uuid}`)).body.uuid).toBe(uuid);
      expect(await rowsOf(tenant, `/audit-log/${uuid}`)).toBeLessThan(200);
    },
  );

  it('ranges that contain no record are empty, also before and after the log', async () => {
    const queries = [
      `eventDateBefore=${iso(FIRST_DATE - 2 * MINUTE_MS)}`,
      `eventDateAfter=${iso(dateOf(RECORDS))}`,
      `createDateAfter=${iso(dateOf(7) + 1)}&createDateBefore=${iso(dateOf(8))}`,
    ];
    for (const query of queries) {
      expect([query, (await pageOf(tenant, query)).body.totalElements]).toEqual([query, 0]);
    }
  });

  it('a walk by date sees each record once, in the order of the log', async () => {
    const path = `/audit-log?sort.sortBy=eventDate&sort.direction=ASC&pageSize=100&eventDateAfter=${iso(dateOf(2_800))}`;
    const seen: number[] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const { body, headers }: Awaited<ReturnType<Tenant['call']>> = await tenant.call('GET', next);
      seen.push(...body.content.map(({ sequenceNumber }: Shown) => sequenceNumber));
      next = /\/audit-log\?[^>]*/.exec(headers.get('Link') ?? '')?.[0];
    }
    expect(seen).toEqual(Array.from({ length: RECORDS - 2_800 }, (_, index) => 2_900 + index));
  });
});
