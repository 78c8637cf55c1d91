import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS, LATEST } from '../../../src/console/search/kinds.ts';
import { addOthers } from '../conventions/others.ts';
import { walksOf } from '../conventions/walks.ts';
import { newPerson, type Person } from '../session/person.ts';
import { loadingDock } from '../shipment/dock.ts';
import { recorded } from '../statements.ts';

let person: Person;
beforeAll(async () => {
  const dock = await loadingDock();
  person = await newPerson(dock);
  await addOthers(dock, 1_000);
});

describe('the box of every page, among 1,000 others', () => {
  it('finds what is called exactly so by look-ups, in one round trip', async () => {
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

  it('looks for a part in two round trips, among the latest of each kind, along an index', async () => {
    const trips = await recorded(() => person.get('/app/search?q=nobody-is-called-so'));
    expect(trips).toHaveLength(2);
    expect(trips[1]!.statements).toHaveLength(KINDS.length);
    for (const { text, params } of trips[1]!.statements) {
      expect(text).toMatch(/ORDER BY \w+ DESC LIMIT \?\) AS/);
      expect(params).toContain(LATEST);
    }
  });
});
