import { describe, expect, it } from 'vitest';
import { eventTime, readingTime, refuseTime } from '../../../src/pallet/device-time.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-28T12:00:00Z');
const CREATED = NOW - 3 * DAY;

describe('a time that a device reports', () => {
  it.each([
    ['nothing', null, NOW],
    ['now', NOW, NOW],
    ['a millisecond ago', NOW - 1, NOW - 1],
    ['two seconds ahead', NOW + 2 * SECOND, NOW],
    ['five minutes ahead', NOW + 5 * MINUTE, NOW],
    ['more than five minutes ahead', NOW + 5 * MINUTE + 1, 'FUTURE'],
    ['ten years ahead', Date.parse('2036-01-01T00:00:00Z'), 'FUTURE'],
    ['the creation', CREATED, CREATED],
    ['a day before the creation', CREATED - DAY, CREATED - DAY],
    ['more than a day before the creation', CREATED - DAY - 1, 'TOO_EARLY'],
    ['a year ago', NOW - 365 * DAY, 'TOO_EARLY'],
    ['1970', 0, 'TOO_EARLY'],
    ['1969', -1, 'TOO_EARLY'],
  ] as const)('an event at %s is taken, moved to now, or refused', (_, said, expected) => {
    expect(eventTime(said, NOW, CREATED)).toBe(expected);
  });

  it.each([
    ['nothing', null, NOW, false],
    ['now', NOW, NOW, false],
    ['two hours ago', NOW - 120 * MINUTE, NOW - 120 * MINUTE, false],
    ['five minutes ahead', NOW + 5 * MINUTE, NOW, false],
    ['more than five minutes ahead', NOW + 5 * MINUTE + 1, NOW, true],
    ['ten years ahead', Date.parse('2036-01-01T00:00:00Z'), NOW, true],
    ['30 days ago', NOW - 30 * DAY, NOW - 30 * DAY, false],
    ['more than 30 days ago', NOW - 30 * DAY - 1, NOW, true],
    ['1970', 0, NOW, true],
    ['1969', -1, NOW, true],
  ] as const)('a reading at %s is taken, moved to now, or replaced', (_, said, date, isReplaced) => {
    expect(readingTime(said, NOW)).toEqual({ date, isReplaced });
  });

  it('a refusal names the field, the date and the thing', () => {
    const timed = { field: 'signDate', said: 0, name: 'Shipment "S"', created: CREATED };
    expect(refuseTime('TOO_EARLY', timed)).toMatchObject({
      code: 'validationFailed',
      status: 400,
      detail:
        'The date "1970-01-01T00:00:00.000Z" is more than a day before the creation of Shipment "S" on 2026-11-25T12:00:00.000Z.',
      errors: [{ field: 'signDate', rejectedValue: '1970-01-01T00:00:00.000Z' }],
    });
    expect(refuseTime('FUTURE', { ...timed, said: NOW }).detail).toBe(
      'The date "2026-11-28T12:00:00.000Z" is in the future. A clock may be fast by 5 minutes at most.',
    );
  });
});
