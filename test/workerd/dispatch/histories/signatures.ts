import fc from 'fast-check';
import type { Signature } from './model/state.ts';

export const STROKES = [
  [
    [1, 2],
    [3, 4],
  ],
];

const SIGNED = new Date().toISOString();

/** A signature. Its name is part of the step, so that a step sends the same whenever it is repeated. */
export const anySignature: fc.Arbitrary<Signature> = fc
  .tuple(fc.constantFrom('DRIVER', 'DRIVER', 'LOADER', 'CONSIGNEE'), fc.nat({ max: 999 }))
  .map(([role, number]) => ({ role, name: `Signer ${number}`, signDate: SIGNED }));
