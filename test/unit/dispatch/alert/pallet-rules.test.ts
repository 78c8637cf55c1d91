import { expect, it } from 'vitest';
import { accountsFor } from '../../../../src/dispatch/alert/rules.ts';
import { DIRECTIONS, SCAN_OUTCOMES } from '../../../../src/dispatch/loading/table.ts';

/** The readings that account for a pallet, as `DIRECTION OUTCOME`. */
const accounting = (alertType: Parameters<typeof accountsFor>[0]): string[] =>
  DIRECTIONS.flatMap((direction) =>
    SCAN_OUTCOMES.filter((outcome) => accountsFor(alertType, { direction, outcome })).map(
      (outcome) => `${direction} ${outcome}`,
    ),
  );

it('a pallet that was read at a gate without work is accounted for when it becomes LOADED', () => {
  expect(accounting('SCAN_WITHOUT_ACTIVE_MANIFEST').filter((reading) => reading.startsWith('LOAD '))).toEqual(
    ['LOAD LOADED'],
  );
  expect(accountsFor('SCAN_WITHOUT_ACTIVE_MANIFEST', { direction: 'UNLOAD', outcome: 'UNLOADED' })).toBe(
    false,
  );
});

it('a pallet aboard is accounted for by a LOAD on a load, and by every UNLOAD and OFFLOAD that is not late', () => {
  const taken = SCAN_OUTCOMES.filter((outcome) => outcome !== 'SUPERSEDED');
  expect(accounting('PALLETS_ABOARD')).toEqual([
    ...['LOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING'].map((outcome) => `LOAD ${outcome}`),
    ...taken.map((outcome) => `UNLOAD ${outcome}`),
    ...taken.map((outcome) => `OFFLOAD ${outcome}`),
  ]);
});
