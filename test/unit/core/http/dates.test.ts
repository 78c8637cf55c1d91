import { expect, it } from 'vitest';
import { dateFilter, dateInput, inZone } from '../../../../src/core/http/dates.ts';

it.each([
  ['1700000000000', 1_700_000_000_000],
  ['0', 0],
  ['2026-11-21', Date.UTC(2026, 10, 21)],
  ['2026-11-21T08:15:30.123Z', Date.UTC(2026, 10, 21, 8, 15, 30, 123)],
  ['2026-11-21T08:15:30+02:00', Date.UTC(2026, 10, 21, 6, 15, 30)],
  ['2026-11-21T08:15', Date.UTC(2026, 10, 21, 8, 15)],
  ['2026-11-21 08:15', Date.UTC(2026, 10, 21, 8, 15)],
  ['2026-11-21T08:15:30 02:00', Date.UTC(2026, 10, 21, 6, 15, 30)],
  ['2026-11-21 08:15 0200', Date.UTC(2026, 10, 21, 6, 15)],
  ['2026-11-21t08:15:30.5 02', Date.UTC(2026, 10, 21, 6, 15, 30, 500)],
  ['-1', -1],
  ['99999999999999999', Number.MAX_SAFE_INTEGER],
  ['9223372036854775807', Number.MAX_SAFE_INTEGER],
  ['-9223372036854775808', Number.MIN_SAFE_INTEGER],
])('a date filter reads %s', (value, milliseconds) => {
  expect(dateFilter.parse(value)).toBe(milliseconds);
});

it.each([
  ...[
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-11-21T25:00:00Z',
    '1e3',
    '9223372036854775808',
    '12.5',
    '0x10',
  ],
  ...['2026-11-21T08:15  02:00', '2026-11-21T08:15 99:00', '2026-11-21 08:15Z 02:00'],
])('a date filter refuses %s and says how to write + in a query', (value) => {
  const { error } = dateFilter.safeParse(value);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    expect.stringContaining('+ is written as %2B'),
  ]);
});

it('a date filter without an offset is a time in the zone, and other dates are not', () => {
  const inBerlin = (value: string) => inZone('Europe/Berlin', () => dateFilter.parse(value));
  expect(inBerlin('2026-11-21')).toBe(Date.UTC(2026, 10, 20, 23));
  expect(inBerlin('2026-07-21 08:15')).toBe(Date.UTC(2026, 6, 21, 6, 15));
  expect(inBerlin('2026-07-21T08:15Z')).toBe(Date.UTC(2026, 6, 21, 8, 15));
  expect(() => inZone('Europe/Berlin', () => dateFilter.parse('never'))).toThrow();
  expect(dateFilter.parse('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
});

it('a date in a body needs an offset with its sign', () => {
  expect(dateInput.parse('2026-11-21 08:15+0200')).toBe(Date.UTC(2026, 10, 21, 6, 15));
  for (const text of ['2026-11-21T08:15', '2026-11-21T08:15 02:00', '1700000000000']) {
    expect(dateInput.safeParse(text).success, text).toBe(false);
  }
});
