import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDateTime } from '../../../../src/dispatch/custom-field/rules.ts';
import { migratedDatabase } from '../../../migrations.ts';

/** The table of the service. Its generated column must agree with the rule in TypeScript. */
const database = migratedDatabase();
const stored = (value: string): unknown => {
  database.exec('DELETE FROM custom_field');
  database.prepare("INSERT INTO custom_field VALUES ('o', 'track', 'key', ?, NULL)").run(value);
  return database.prepare('SELECT field_date AS date FROM custom_field').get()!['date'];
};

describe('a custom field that is a date and time', () => {
  it.each([
    ['2026-11-22T14:30:00+01:00', 1_795_354_200_000],
    ['2026-11-22T13:30:00Z', 1_795_354_200_000],
    ['2026-11-22T13:30:00.5Z', 1_795_354_200_500],
    ['2026-11-22T08:30:00.125-05:00', 1_795_354_200_125],
    ['2024-02-29T23:59:59.999+14:00', 1_709_200_799_999],
  ])('a date custom field takes %s', (value, instant) => {
    expect(isDateTime(value)).toBe(true);
    expect(stored(value)).toBe(instant);
  });

  it.each([
    ...[
      '2026-11-22T14:30:00',
      '2026-11-22',
      'tomorrow',
      'now',
      '',
      '1795354200000',
      '14:30Z',
      '2026-11-22T14:30Z',
    ],
    ...[
      '2026-11-31T10:00Z',
      '2025-02-29T10:00Z',
      '2026-13-01T10:00Z',
      '2026-11-22T24:00Z',
      '2026-11-22T10:60Z',
    ],
    ...['2026-11-22T14:30+15:00', '2026-11-22T14:30+0100', '2026-11-22T14:30+01', ' 2026-11-22T14:30Z'],
    ...['2026-11-22 14:30Z', '2026-11-22T14:30z', '22026-11-22T14:30Z', '2026-11-22T14:30:00+14:01'],
  ])('a date custom field refuses %s', (value) => {
    expect(isDateTime(value)).toBe(false);
  });

  it('a date custom field stores the instant that it names', () => {
    const instant = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('9998-12-31'),
      noInvalidDate: true,
    });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(instant, offset, (date, minutes) => {
        const two = (number: number) => String(number).padStart(2, '0');
        const away = Math.abs(minutes);
        const offsetText = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(away / 60))}:${two(away % 60)}`;
        const value = new Date(date.getTime() + minutes * 60_000).toISOString().replace('Z', offsetText);
        expect([isDateTime(value), Date.parse(value), stored(value)]).toEqual([
          true,
          date.getTime(),
          date.getTime(),
        ]);
      }),
    );
  });

  it("a date custom field never relies on SQLite's own reading of a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        if (!value.includes('\0')) expect(stored(value)).toBeNull();
      }),
    );
    for (const word of ['now', 'localtime', '2461000.5', '12:00', '2026-11-22 10:00'])
      expect(stored(word)).toBeNull();
  });
});
