import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LATEST } from '../../../../src/web/console/search/hits.ts';
import { KINDS } from '../../../../src/web/console/search/kinds.ts';
import { newPerson } from '../../access/session/person.ts';
import { addOthers } from '../../conventions/others.ts';
import { walksOf } from '../../conventions/walks.ts';
import { loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';

const db = (env as unknown as { DB: D1Database }).DB;
const dock = await loadingDock();
const person = await newPerson(dock);
await addOthers(dock, 1_000);
await db
  .prepare(`INSERT INTO custom_field (organization_uuid, owner_uuid, field_key, field_value)
      SELECT ?1, 'nobody', 'key-' || value, 'x' FROM json_each(?2)`)
  .bind(dock.uuid, JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index)))
  .run();

describe('the box of every page, among 1,000 others', () => {
  it('the search box finds an exact name by look-ups in one round trip', async () => {
    let status = 0;
    const trips = await recorded(async () => {
      status = (await person.get('/app/search?q=OTHER-0007')).status;
    });
    expect(status).toBe(200);
    const [named] = trips;
    expect(named!.statements.length).toBeGreaterThan(KINDS.length);
    expect(named!.rowsRead).toBeLessThan(150);
    for (const statement of named!.statements)
      expect([statement.text, await walksOf(statement)]).toEqual([statement.text, []]);
  });

  it('the search box finds a part of a name in two round trips along an index', async () => {
    const trips = await recorded(() => person.get('/app/search?q=nobody-is-called-so'));
    expect(trips).toHaveLength(2);
    const fields = KINDS.filter(({ hasFields }) => hasFields);
    expect(trips[1]!.statements).toHaveLength(KINDS.length + fields.length);
    for (const { text, params } of trips[1]!.statements.slice(0, KINDS.length)) {
      // The latest rows, or the pallets of open manifests.
      expect(text).toMatch(/(?:ORDER BY \w+ DESC(?:, uuid DESC)?|a\.manifest_uuid = m\.uuid) LIMIT \?\) AS/);
      expect(params).toContain(LATEST);
    }
  });

  it.each([
    ['Speedy', 'that every manifest has', 600],
    ['nothing', 'that none has', 600],
  ])('the search box finds a custom field %s, %s, by look-ups', async (q, _, most) => {
    const [, parts] = await recorded(() => person.get(`/app/search?q=${q}`));
    for (const { text, params } of parts!.statements.slice(KINDS.length)) {
      const { meta } = await db
        .prepare(text)
        .bind(...params)
        .all();
      expect(meta.rows_read).toBeLessThanOrEqual(most);
    }
  });
});
