import type { FieldChange } from '../lib/changes.ts';
import { type Refusal, refusal } from '../lib/problem.ts';

/** A gate that a body or query names and that does not exist: 400, where one in a path is 404. */
export function unknownGate(field: string, rejectedValue: string): Refusal {
  const message = 'There is no such gate.';
  return refusal('gateNotFound', message, {
    status: 400,
    errors: [{ field, code: 'gateNotFound', message, rejectedValue }],
  });
}

/** A gate as other things name it. */
export interface GateReference {
  uuid: string;
  externalIdentifier: string;
  name: string;
}

/** The gate that something is assigned to; both null for none. */
export interface AssignedGate {
  gateUuid: string | null;
  gateExternalId: string | null;
}

/** What is assigned to a gate, or to none. */
export function assignedTo(gate: Omit<GateReference, 'name'> | null): AssignedGate {
  return { gateUuid: gate?.uuid ?? null, gateExternalId: gate?.externalIdentifier ?? null };
}

/** How another gate stands in the audit log: by the name that people know. */
export const gateChange = (before: AssignedGate, after: AssignedGate): FieldChange => ({
  field: 'gate',
  oldValue: before.gateExternalId,
  newValue: after.gateExternalId,
});

/** A local manager that a body names and that does not exist: 400, where one in a path is 404. */
export function unknownLocalManager(rejectedValue: string): Refusal {
  const [code, message] = ['localManagerNotFound' as const, 'There is no LOCAL_MANAGER with this uuid.'];
  const errors = [{ field: 'localManagerUuid', code, message, rejectedValue }];
  return refusal(code, message, { status: 400, errors });
}
