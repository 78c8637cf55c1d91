import { expect, it } from 'vitest';
import { trackStatus } from '../../../../src/dispatch/track/rules.ts';

it.each([
  ['NONE', 0, 'ACTIVE'],
  ['NONE', 1, 'FLAGGED'],
  ['SCHEDULED', 0, 'SCHEDULED_FOR_RETIREMENT'],
  ['SCHEDULED', 1, 'SCHEDULED_FOR_RETIREMENT'],
  ['RETIRED', 0, 'NOT_ACTIVE'],
  ['RETIRED', 1, 'NOT_ACTIVE'],
] as const)('a track with retirement %s and flag %i has the status %s', (retirement, flagged, status) => {
  expect(trackStatus({ retirement, flagged })).toBe(status);
});
