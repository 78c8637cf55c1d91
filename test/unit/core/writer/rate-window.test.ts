import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RateWindow } from '../../../../src/core/writer/rate-window.ts';

it('the rate window never allows more than the limit per minute, for any requests at any time', () => {
  const asks = fc.array(
    fc.record({ wanted: fc.integer({ min: 1, max: 30 }), after: fc.integer({ min: 0, max: 30_000 }) }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), asks, (limit, requests) => {
      const window = new RateWindow();
      const granted = new Map<number, number>();
      let now = 1_700_000_000_000;
      for (const { wanted, after } of requests) {
        now += after;
        const lease = window.lease(limit, wanted, now);
        const minute = Math.floor(now / 60_000);
        granted.set(minute, (granted.get(minute) ?? 0) + lease.granted);
        expect(lease.resetDate).toBe((minute + 1) * 60_000);
        expect(lease.remaining).toBe(limit - granted.get(minute)!);
        expect(lease.granted).toBeLessThanOrEqual(wanted);
      }
      for (const total of granted.values()) expect(total).toBeLessThanOrEqual(limit);
    }),
  );
});
