import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fold } from '../../../../src/core/lib/text.ts';
import { candidatesOf } from '../../../../src/dispatch/track/store.ts';
import { checkDigit, ssccSpellings } from '../../../../src/pallet/gs1.ts';
import { palletsMeant, READING_MAXIMUM, readIdentifier } from '../../../../src/pallet/identifier.ts';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const sscc = digits(17).map((start) => start + checkDigit(start));
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'PALpal-12yzYZ&é"ß+()\u00c9\u00e9 '), minLength: 1, maxLength: 8 }),
  sscc.map((number) => `]C100${number}`),
  fc.nat({ max: 2_000 }).map(String),
);

it('the candidates of a reading include every pallet that it can mean', () => {
  const known = text.chain((given) => {
    const { undone, sscc: number } = readIdentifier(given);
    const ids = [
      given,
      given.toUpperCase(),
      given.toLowerCase(),
      ...undone.flatMap(({ literal }) => literal),
    ];
    const related = fc.constantFrom(...ids, ...(number === undefined ? [] : ssccSpellings(number)));
    const pallet = fc.record({ wmsId: fc.oneof(related, text), markerCode: fc.nat({ max: 2_000 }) });
    return fc.tuple(fc.constant(given), fc.uniqueArray(pallet, { selector: ({ wmsId }) => wmsId }));
  });
  fc.assert(
    fc.property(known, ([given, pallets]) => {
      const reading = readIdentifier(given);
      const { ids, folded, markers } = candidatesOf([reading]);
      const found = pallets.filter(
        ({ wmsId, markerCode }) =>
          ids.includes(wmsId) ||
          (fold(wmsId) !== wmsId && folded.includes(fold(wmsId))) ||
          markers.includes(markerCode),
      );
      expect(palletsMeant(reading, found)).toEqual(palletsMeant(reading, pallets));
    }),
    { numRuns: 1_000 },
  );
});

it('the candidates of a reading are at most 40, however long it is', () => {
  for (const part of ['&', 'ß', '(00)', '3', 'é"', '\u00eb', '^]'])
    for (const length of [1, 20, READING_MAXIMUM, 5_000]) {
      const { ids, folded, markers } = candidatesOf([readIdentifier(part.repeat(length / part.length))]);
      expect(ids.length + folded.length + markers.length).toBeLessThanOrEqual(40);
    }
});
