import { beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import '../../../../src/app.ts';
import { newPerson, type Person } from '../../access/session/person.ts';
import { addOthers } from '../../conventions/others.ts';
import { walksOf } from '../../conventions/walks.ts';
import { type Dock, loadingDock } from '../../dispatch/load/shipment/dock.ts';
import { recorded } from '../../statements.ts';
import { everyPage } from './every-page.ts';
import type { OperatorPages } from './operator-person.ts';

let person: Person;
let staff: OperatorPages;
/** A path for each page pattern. The test fails for a new page that has no path here. */
let paths: Map<string, string>;

beforeAll(async () => {
  ({ person, staff, paths } = await everyPage());
}, 60_000);

/**
 * The setup list looks for one row of each kind. The last 24 hours of reports and the board count all open work. Their own
 * tests check how much they may read.
 */
const COUNTING = new Set(['/app', '/app/report', '/app/board', '/app/gate/:uuid']);
/** Files of lists in an order that can change: they read the number of rows, then all keys, then the rows in pieces. */
const BY_KEYS = new Set(['/app/client', '/app/shipment'].flatMap((path) => [`${path}.csv`, `${path}.xlsx`]));
/** Operator pages of one organization need one more call to look it up, because no session names it. */
const OF_ONE = /^\/operator\/organization\/:uuid/;

describe('every page', () => {
  it('every page calls D1 once and walks over no organization', async () => {
    const declared = PAGES.filter(({ right }) => right !== 'guest').map(({ path }) => path);
    expect(declared.filter((path) => !paths.has(path))).toEqual([]);
    for (const [pattern, path] of paths) {
      const query = PAGES.find((declared) => declared.path === pattern);
      if (query?.right === 'guest' || /\/logout$/.test(pattern)) continue;
      const isOperators = query !== undefined && isOperatorRight(query.right);
      const look = () =>
        recorded(async () => {
          const { status } = await (isOperators ? staff : person).get(path);
          expect([pattern, status]).toEqual([pattern, pattern === '/app' ? 303 : 200]);
        });
      // An operator's session is a cookie. One more call checks that it was not signed out.
      const most =
        1 + (OF_ONE.test(pattern) ? 1 : 0) + (isOperators ? 1 : 0) + (BY_KEYS.has(pattern) ? 2 : 0);
      let trips = await look();
      // A Durable Object also does work of its own at some times, so the page is opened again.
      for (let again = 0; again < 3 && trips.length > most; again += 1) trips = await look();
      expect([pattern, trips.length <= most || trips]).toEqual([pattern, true]);
      if (COUNTING.has(pattern)) continue;
      for (const statement of trips.flatMap((trip) => trip.statements)) {
        expect([pattern, statement.text, await walksOf(statement)]).toEqual([pattern, statement.text, []]);
      }
    }
  }, 60_000);
});

describe('among 1,000 others', () => {
  it('a page among 1,000 others reads and sends as much as it shows, and a list shows twenty', async () => {
    const dock: Dock = await loadingDock();
    await dock.scan('X');
    const reader = await newPerson(dock);
    const shown = async () => {
      const seen: Record<string, [rows: number, size: number]> = {};
      for (const [name, list] of [
        ['manifest', '/manifest?q=M'],
        ['shipment', '/shipment?q=S'],
        ['track', '/track?wmsId=B'],
        ['alert', '/alert-event'],
      ] as const) {
        const [found] = (await dock.must('GET', list)).body.content.toReversed();
        let size = 0;
        const trips = await recorded(async () => {
          size = (await reader.get(new URL(found.deepLink).pathname)).text.length;
        });
        seen[name] = [trips.reduce((sum, trip) => sum + trip.rowsRead, 0), size];
      }
      return seen;
    };
    const before = await shown();
    await addOthers(dock, 1_000);
    const after = await shown();
    for (const [name, [rows, size]] of Object.entries(after)) {
      // A form offers 200 gates and reads one more, to know whether there are more.
      expect([name, rows <= before[name]![0] + 450 || rows]).toEqual([name, true]);
      expect([name, size <= before[name]![1] + 25_000 || size]).toEqual([name, true]);
    }
    for (const list of ['manifest', 'shipment', 'track', 'client', 'gate']) {
      const { text } = await reader.get(`/app/${list}`);
      expect([list, text.length < 60_000 || text.length]).toEqual([list, true]);
      expect([list, text.match(/<tr[ >]/g)!.length]).toEqual([list, 21]);
      expect(text).toContain('Page 1 of');
      expect((await reader.get(`/app/${list}?pageNumber=2`)).text).toContain('Page 2 of');
    }
  });
});
