import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LoadingStatus } from '../../../../src/dispatch/load/shared/table.ts';
import {
  countsOf,
  firstPages,
  type LoadMember,
  pagesCount,
  problemSources,
  recordsOf,
  spanOf,
} from '../../../../src/web/pages/rules.ts';

const STATUSES: LoadingStatus[] = [
  'LOADED',
  'NOT_LOADED',
  'UNLOADED',
  'OFFLOADED',
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
];
const member = fc.record({
  manifestStatus: fc.constantFrom('COMPLETED' as const, 'CANCELLED' as const),
  tally: fc.dictionary(fc.constantFrom(...STATUSES), fc.integer({ min: 1, max: 9 })),
});
const members = fc.array(member, { maxLength: 12 }).map((given) =>
  given.map(
    (each, index): LoadMember => ({
      ...each,
      manifestUuid: `m${index}`,
      manifestExternalId: `M${index}`,
    }),
  ),
);
/** All records of members in order, as `manifest/place`. */
const allRecords = (given: readonly LoadMember[]): string[] =>
  given.flatMap((each) =>
    Array.from({ length: recordsOf(each) }, (_, place) => `${each.manifestUuid}/${place}`),
  );

describe('pages', () => {
  it('summary pages side by side show all records once, under their manifests', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 20 }), (given, size) => {
        const all = allRecords(given);
        const pages = pagesCount(all.length, size);
        const read = Array.from({ length: pages }, (_, index) => {
          const { manifestUuids, skip, take } = spanOf(given, index + 1, size);
          const there = allRecords(given.filter(({ manifestUuid }) => manifestUuids.includes(manifestUuid)));
          const page = there.slice(skip, skip + take);
          expect(new Set(page.map((record) => record.split('/')[0]))).toEqual(new Set(manifestUuids));
          return page;
        });
        expect(read.flat()).toEqual(all);
        expect(pages).toBe(Math.max(1, Math.ceil(all.length / size)));
      }),
    );
  });

  it('the page of each manifest can be found', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 20 }), (given, size) => {
        const first = firstPages(given, size);
        for (const each of given.filter((one) => recordsOf(one) > 0)) {
          const { manifestUuids } = spanOf(given, first.get(each.manifestUuid)!, size);
          expect(manifestUuids).toContain(each.manifestUuid);
        }
      }),
    );
  });
});

describe('counts', () => {
  it('summary counts leave cancelled manifests and invalid records out of the assets', () => {
    fc.assert(
      fc.property(members, (given) => {
        const counts = countsOf(given);
        const of = (cancelled: boolean, ...statuses: LoadingStatus[]) =>
          given
            .filter(({ manifestStatus }) => (manifestStatus === 'CANCELLED') === cancelled)
            .flatMap(({ tally }) => statuses.map((status) => tally[status] ?? 0))
            .reduce((sum, count) => sum + count, 0);
        expect(counts.totalAssetsCount).toBe(of(false, 'LOADED', 'NOT_LOADED', 'UNLOADED', 'OFFLOADED'));
        expect(counts.loadedAssetsCount).toBe(of(false, 'LOADED'));
        expect(counts.cancelledLoadedCount).toBe(of(true, 'LOADED'));
        expect(counts.wronglyLoadedCount).toBe(of(false, 'WRONGLY_LOADED') + of(true, 'WRONGLY_LOADED'));
        expect(counts.unknownLoadingCount).toBe(of(false, 'UNKNOWN_LOADING') + of(true, 'UNKNOWN_LOADING'));
      }),
    );
  });
});

describe('problems', () => {
  it('problems are read with the worst first, and only as many as are shown', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 40 }), (given, maximum) => {
        const sources = problemSources(given, maximum);
        const sizes = sources.map(
          ({ manifestUuid, loadingStatus }) =>
            given.find((each) => each.manifestUuid === manifestUuid)!.tally[loadingStatus]!,
        );
        const found = sizes.reduce((sum, size) => sum + size, 0);
        const { totalAssetsCount, loadedAssetsCount, offloadedAssetsCount, ...counts } = countsOf(given);
        const problems = Object.values(counts).reduce((sum, count) => sum + count, 0);
        expect(found).toBeGreaterThanOrEqual(Math.min(maximum, problems));
        if (sizes.length > 0) expect(found - sizes.at(-1)!).toBeLessThan(maximum);
        const ranks = ['WRONGLY_LOADED', 'UNKNOWN_LOADING', 'CANCELLED_LOADED', 'NOT_LOADED', 'UNLOADED'];
        const order = sources.map(({ problem }) => ranks.indexOf(problem));
        expect(order).toEqual(order.toSorted((one, two) => one - two));
      }),
    );
  });
});
