import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { quantityOf } from '../../../../src/dispatch/marker/rules.ts';
import { type BatchStatus, partOf, refuseMove } from '../../../../src/dispatch/printing-batch/rules.ts';
import { BATCH_STATUSES } from '../../../../src/dispatch/printing-batch/table.ts';

const uuid = '0193a5b0-7c1e-7000-8000-000000000001';

describe('a status', () => {
  // [from][to]: undefined if the change is allowed, otherwise the problem code.
  const expected: Record<BatchStatus, Record<BatchStatus, string | undefined>> = {
    CREATED: { CREATED: undefined, IN_PROGRESS: undefined, COMPLETED: undefined, CANCELLED: undefined },
    IN_PROGRESS: {
      CREATED: 'transitionNotAllowed',
      IN_PROGRESS: undefined,
      COMPLETED: undefined,
      CANCELLED: undefined,
    },
    COMPLETED: {
      CREATED: 'batchClosed',
      IN_PROGRESS: 'batchClosed',
      COMPLETED: undefined,
      CANCELLED: 'batchClosed',
    },
    CANCELLED: {
      CREATED: 'batchClosed',
      IN_PROGRESS: 'batchClosed',
      COMPLETED: 'batchClosed',
      CANCELLED: undefined,
    },
  };

  test.each(BATCH_STATUSES.flatMap((from) => BATCH_STATUSES.map((to) => [from, to] as const)))(
    'a printing batch may change from %s to %s only as the contract says',
    (from, to) => {
      expect(refuseMove({ uuid, status: from }, to)?.code).toBe(expected[from][to]);
    },
  );

  it('a refused batch status names the statuses that can be reached', () => {
    expect(refuseMove({ uuid, status: 'IN_PROGRESS' }, 'CREATED')).toMatchObject({
      code: 'transitionNotAllowed',
      allowedValues: ['COMPLETED', 'CANCELLED'],
    });
  });
});

describe('a part of a block', () => {
  const MAXIMUM = Number.MAX_SAFE_INTEGER;
  const block = fc
    .tuple(fc.integer({ min: 1, max: MAXIMUM - 10_000 }), fc.integer({ min: 1, max: 10_000 }))
    .map(([first, quantity]) => ({ firstMarkerCode: first, lastMarkerCode: first + quantity - 1 }));

  it('a batch without a range prints the whole block', () => {
    fc.assert(
      fc.property(block, (whole) => {
        expect(partOf(whole, {})).toEqual(whole);
      }),
    );
  });

  it('a range of a batch is taken inside the block and refused otherwise', () => {
    const near = fc.integer({ min: -3, max: 10_003 });
    fc.assert(
      fc.property(block, near, near, (whole, one, two) => {
        const asked = {
          firstMarkerCode: whole.firstMarkerCode + one,
          lastMarkerCode: whole.firstMarkerCode + two,
        };
        const within = one >= 0 && one <= two && two < quantityOf(whole);
        const part = partOf(whole, asked);
        if (within) expect(part).toEqual(asked);
        else expect(part).toMatchObject({ code: 'validationFailed' });
      }),
    );
  });

  it('a refused range names each end that is outside, and both if they are swapped', () => {
    const whole = { firstMarkerCode: 10, lastMarkerCode: 19 };
    const fields = (firstMarkerCode?: number, lastMarkerCode?: number) => {
      const part = partOf(whole, { firstMarkerCode, lastMarkerCode });
      return 'code' in part ? part.errors!.map(({ field }) => field) : [];
    };
    expect(fields(9)).toEqual(['firstMarkerCode']);
    expect(fields(undefined, 20)).toEqual(['lastMarkerCode']);
    expect(fields(9, 20)).toEqual(['firstMarkerCode', 'lastMarkerCode']);
    expect(fields(15, 14)).toEqual(['firstMarkerCode', 'lastMarkerCode']);
    expect(fields(19, 19)).toEqual([]);
  });
});
