import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoted } from '../../../../src/core/lib/missing.ts';
import {
  type AlertFacts,
  type AlertTexts,
  alertMessage,
  ENGLISH,
  textOf,
} from '../../../../src/dispatch/alert/message-rules.ts';

const date = fc.integer({ min: 0, max: Date.parse('9999-12-31') });
const count = fc.nat({ max: 1_000_000 });
/** Names that look like parts of messages. */
const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '2026-11-26T10:00:00Z',
    'S" has not left. Its planned departure was at 2026-11-26T10:00:00.000Z.',
    '7 of 9 pallets.\n"',
    'X has sent no heartbeat since 2026-11-26T10:00:00.000Z.',
  ),
);
const load = name.map(quoted);
const facts: { [T in keyof AlertFacts]: fc.Arbitrary<AlertFacts[T]> } = {
  DEPARTURE_LATE: fc.record({ load, plannedDate: date }),
  DEPARTURE_AT_RISK: fc.record({ load, plannedDate: date, readyDate: date }),
  COMPLETED_SHORT: fc.record({
    kind: fc.constantFrom('Shipment', 'Manifest'),
    load,
    missing: count,
    total: count,
  }),
  DEVICE_OFFLINE: fc.record({
    kind: fc.constantFrom('Scanner', 'Local manager', 'Agent'),
    device: name.filter((text) => text !== ''),
    heardDate: date,
  }),
  PALLETS_ABOARD: fc
    .record({
      kind: fc.constantFrom('Shipment', 'Manifest'),
      load,
      pallets: fc.array(load, { maxLength: 10 }),
      further: count,
    })
    .map(({ further, ...given }) => ({ ...given, count: given.pallets.length + further })),
};
const TYPES = Object.keys(facts) as (keyof AlertFacts)[];
/** Writes the facts themselves. */
const writeJson = (given: unknown) => JSON.stringify(given);
const asJson = Object.fromEntries(TYPES.map((type) => [type, writeJson])) as unknown as AlertTexts;

it.each(TYPES)(
  'the facts of a stored message of %s are exactly the facts that it was written with',
  (type) => {
    fc.assert(
      fc.property(facts[type] as fc.Arbitrary<never>, (given) => {
        const message = alertMessage(type, given);
        expect(JSON.parse(textOf(asJson, { alertType: type, message }, String)!)).toEqual(given);
      }),
    );
  },
);

it('other times replace only the dates of the departure, and not a date in the name', () => {
  const dated = quoted('2026-11-26T10:00:00.000Z');
  const message = alertMessage('DEPARTURE_LATE', { load: dated, plannedDate: 0 });
  const alert = { alertType: 'DEPARTURE_LATE', message };
  expect(textOf(ENGLISH, alert, () => 'noon')).toBe(
    `Shipment ${dated} has not left. Its planned departure was at noon.`,
  );
});

it.each([
  ['DEPARTURE_LATE', 'Another text.'],
  ['WRONGLY_LOADED', 'Shipment "S" was completed without 1 of 2 pallets.'],
  ['toString', 'Shipment "S" was completed without 1 of 2 pallets.'],
])('a message of %s without facts has no other text', (alertType, message) => {
  expect(textOf(ENGLISH, { alertType, message }, String)).toBeUndefined();
});
