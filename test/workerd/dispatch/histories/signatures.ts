import fc from 'fast-check';
import type { Signature } from './model/state.ts';

export const signer = fc.constantFrom('DRIVER', 'DRIVER', 'LOADER', 'CONSIGNEE');
export const STROKES = [
  [
    [1, 2],
    [3, 4],
  ],
];

let signed = 0;

/** A signature with a name of its own. */
export function signatureOf(role: string): Signature {
  signed += 1;
  return { role, name: `Signer ${signed}`, signDate: '2026-11-21T08:15:30.000Z' };
}
