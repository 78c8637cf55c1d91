import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asRfc3339, definiteInstant } from '../../../../src/core/lib/date.ts';
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
  ])('a date custom field stores %s, which is RFC 3339, as it is', (value, instant) => {
    expect(asRfc3339(value)).toBe(value);
    expect([definiteInstant(value), stored(value)]).toEqual([instant, instant]);
  });

  it.each([
    ['2026-11-22 14:30+0100', '2026-11-22T14:30:00+01:00'],
    ['2026-11-22t13:30z', '2026-11-22T13:30:00Z'],
    ['2026-11-22T13:30:00,5+00', '2026-11-22T13:30:00.500Z'],
    ['2026-11-22T24:00-05', '2026-11-23T00:00:00-05:00'],
    ['2026-11-22T14:30:00+0530', '2026-11-22T14:30:00+05:30'],
  ])('a date custom field stores %s in RFC 3339', (value, written) => {
    expect(asRfc3339(value)).toBe(written);
    expect([definiteInstant(value), stored(written)]).toEqual([Date.parse(written), Date.parse(written)]);
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
        const instants = [definiteInstant(value), stored(asRfc3339(value))];
        expect(instants).toEqual([date.getTime(), date.getTime()]);
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
