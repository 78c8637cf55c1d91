import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffFields, filledFields, isBlank } from '../../../../src/dispatch/custom-field/rules.ts';

it.each([null, '', ' ', '\t\n', '\u00a0'])('a custom field treats %j as blank', (value) => {
  expect(isBlank(value)).toBe(true);
});

it.each(['0', 'x', ' x '])('a custom field treats %j as a value', (value) => {
  expect(isBlank(value)).toBe(false);
});

it('the field rule turns the current fields into the wanted ones', () => {
  const fields = fc.uniqueArray(
    fc.record({ fieldKey: fc.constantFrom(...'abcdef'), fieldValue: fc.constantFrom('1', '2', ' ') }),
    { selector: ({ fieldKey }) => fieldKey },
  );
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      const [current, wanted] = [filledFields(before), filledFields(after)];
      const { added, updated, removed, unchanged } = diffFields(current, wanted);
      const result = new Map(current.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue]));
      for (const { fieldKey } of removed) result.delete(fieldKey);
      for (const { fieldKey, fieldValue } of [...added, ...updated]) result.set(fieldKey, fieldValue);
      expect(result).toEqual(new Map(wanted.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue])));
      expect(added.length + updated.length + unchanged.length).toBe(wanted.length);
    }),
  );
});
