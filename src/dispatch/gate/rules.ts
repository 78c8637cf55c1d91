import type { FieldChange } from '../../core/lib/changes.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';

/** The refusal of an unknown gate in a body or query: 400, whereas one in a path is 404. */
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

/** The assignment to a gate, or to none. */
export function assignedTo(gate: Omit<GateReference, 'name'> | null): AssignedGate {
  return { gateUuid: gate?.uuid ?? null, gateExternalId: gate?.externalIdentifier ?? null };
}

/** The audited change of a gate, by the name that people know. */
export const gateChange = (before: AssignedGate, after: AssignedGate): FieldChange => ({
  field: 'gate',
  oldValue: before.gateExternalId,
  newValue: after.gateExternalId,
});

/** The refusal of an unknown local manager in a body: 400, whereas one in a path is 404. */
export function unknownLocalManager(rejectedValue: string): Refusal {
  const [code, message] = ['localManagerNotFound' as const, 'There is no LOCAL_MANAGER with this uuid.'];
  const errors = [{ field: 'localManagerUuid', code, message, rejectedValue }];
  return refusal(code, message, { status: 400, errors });
}
