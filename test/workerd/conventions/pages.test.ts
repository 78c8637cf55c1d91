import { expect, it } from 'vitest';
import { TRACK_STATUSES } from '../../../src/dispatch/track/rules.ts';
import { newDock } from '../dispatch/load/shipment/dock.ts';
import { addOthers } from './others.ts';

const MANY = 2_000;
const ITEMS = 20;
const ROWS_MAXIMUM = 40 * ITEMS + 100;
/** The list of gates has no stored total. Its count reads a row for each gate. */
const COUNTED = '/gate';

/** Lists without a filter, and filtered by one or more statuses. No row has some of these statuses. */
const LISTS = [
  ...['/manifest', '/shipment', '/track', '/gate', '/alert-event', '/client', '/user'],
  ...['PLANNED', 'TO_DO', 'COMPLETED', 'IN_PROGRESS', 'PLANNED,COMPLETED,CANCELLED,TO_DO,IN_PROGRESS'].map(
    (statuses) => `/manifest?manifestStatus=${statuses}`,
  ),
  ...['TO_DO', 'PLANNED,COMPLETED', 'TO_DO,CANCELLED'].map((statuses) => `/shipment?status=${statuses}`),
  ...[...TRACK_STATUSES, 'ACTIVE,FLAGGED', TRACK_STATUSES.join(',')].map(
    (statuses) => `/track?trackStatus=${statuses}`,
  ),
  ...['OPEN', 'RESOLVED', 'OPEN,RESOLVED'].map((statuses) => `/alert-event?status=${statuses}`),
];

it('a page of 20 reads 900 rows at most among 2,000, its total included', async () => {
  const dock = await newDock();
  await addOthers(dock, MANY);
  const totals: Record<string, number> = {};
  for (const list of LISTS) {
    for (const direction of ['ASC', 'DESC']) {
      const sort = /client/.test(list) ? 'displayName' : 'createDate';
      const path = `${list}${list.includes('?') ? '&' : '?'}sort.sortBy=${sort}&sort.direction=${direction}`;
      const { body, headers } = await dock.must('GET', path);
      const rows = Number(/(\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);
      const counted = list === COUNTED ? MANY : 0;
      expect([path, rows <= ROWS_MAXIMUM + counted || rows]).toEqual([path, true]);
      expect(body.content).toHaveLength(Math.min(ITEMS, body.totalElements));
      totals[list] = body.totalElements;
    }
  }
  expect(totals['/manifest']).toBe(MANY);
  expect(totals['/manifest?manifestStatus=COMPLETED']).toBe(MANY / 4);
  expect(totals['/track?trackStatus=ACTIVE']).toBe(MANY / 2);
}, 120_000);

it('a walk by status sees each manifest once in the order of creation', async () => {
  const dock = await newDock();
  await addOthers(dock, 60);
  const seen: string[] = [];
  let path: string | undefined = '/manifest?manifestStatus=PLANNED,COMPLETED,CANCELLED&pageSize=7';
  while (path !== undefined) {
    const { body, headers }: Awaited<ReturnType<typeof dock.must>> = await dock.must('GET', path);
    seen.push(...body.content.map((manifest: { uuid: string }) => manifest.uuid));
    const next: string | undefined = /<([^>]+)>/.exec(headers.get('Link') ?? '')?.[1];
    path = next?.slice(next.indexOf('/manifest'));
  }
  expect(seen).toHaveLength(45);
  // All were created in the same millisecond, so the uuid decides.
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
});
