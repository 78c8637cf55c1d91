import { type Refusal, refusal } from '../lib/problem.ts';

/** A gate that a body or query names and that does not exist: 400, where one in a path is 404. */
export function unknownGate(field: string, rejectedValue: string): Refusal {
  const message = 'There is no such gate.';
  return refusal('gateNotFound', message, {
    status: 400,
    errors: [{ field, code: 'gateNotFound', message, rejectedValue }],
  });
}
