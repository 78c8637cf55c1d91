import { describe, expect, it } from 'vitest';
import { similarNames } from '../../../../src/web/ui/confirm/carriers.tsx';
import { fieldLabel } from '../../../../src/web/ui/parts/field-labels.ts';
import { wordsIn } from '../../../messages.ts';

const KNOWN = ['DHL', 'DPD', 'Federal', 'Speedy Express', 'United Package', 'Jürgens'];

describe('a name that is nearly a known one', () => {
  it.each([
    ['Speedy Expres', ['Speedy Express']],
    ['Speedy Exrpess', ['Speedy Express']],
    ['speedy  express', ['Speedy Express']],
    ['dhl', ['DHL']],
    ['Fedral', ['Federal']],
    ['Jurgens', ['Jürgens']],
    ['DHD', []],
    ['DHL', []],
    ['Federal Express', []],
    ['Northern', []],
  ])('%s is compared with all known names', (typed, expected) => {
    expect(similarNames(typed, KNOWN)).toEqual(expected);
  });

  it('the most similar name comes first, and at most five names are offered', () => {
    const many = [
      'Carrier 10',
      'Carrier 11',
      'Carrier 12',
      'Carrier 13',
      'Carrier 14',
      'Carrier 15',
      'carrier 1',
    ];
    expect(similarNames('Carrier 1', many)[0]).toBe('carrier 1');
    expect(similarNames('Carrier 1', many)).toHaveLength(5);
  });

  it('500 long names are compared in less than a second', () => {
    const long = Array.from({ length: 500 }, (_, index) => `${'carrier '.repeat(12)}${index}`);
    // The time of this process alone: a busy machine interrupts it.
    const before = process.cpuUsage();
    similarNames(`${'carrier '.repeat(12)}x`, long);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('the label of a custom field', () => {
  it.each([
    ['etd', 'PLANNED_DEPARTURE', 'Departure'],
    ['orderType', null, 'Order type'],
    ['door_code', null, 'Door code'],
    ['PO-Number', null, 'PO number'],
    ['Order type (ERP)', null, 'Order type (ERP)'],
    ['__', null, '__'],
  ] as const)('the field %s with the role %s has the label %s', (fieldKey, role, label) => {
    expect(fieldLabel(wordsIn('en'), { fieldKey, role })).toBe(label);
  });
});
