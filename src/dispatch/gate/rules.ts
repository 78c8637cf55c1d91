import type { FieldChange } from '../../core/lib/changes.ts';
import { missingIn } from '../../core/lib/missing.ts';
import type { Refusal } from '../../core/lib/problem.ts';

/** The refusal of an unknown gate in a body or query: status 400. In a path it is 404. */
export const unknownGate = (field: string, identifier: string): Refusal =>
  missingIn(field, 'gateNotFound', identifier);

/** A reference to a gate. */
export interface GateReference {
  uuid: string;
  externalIdentifier: string;
  name: string;
}

/** The gate to which something is assigned; both null without a gate. */
export interface AssignedGate {
  gateUuid: string | null;
  gateExternalId: string | null;
}

export function assignedTo(gate: Omit<GateReference, 'name'> | null): AssignedGate {
  return { gateUuid: gate?.uuid ?? null, gateExternalId: gate?.externalIdentifier ?? null };
}

/** The audited change of a gate. It names gates by external identifier, as people do. */
export const gateChange = (before: AssignedGate, after: AssignedGate): FieldChange => ({
  field: 'gate',
  oldValue: before.gateExternalId,
  newValue: after.gateExternalId,
});

/** The refusal of an unknown local manager in a body: status 400. In a path it is 404. */
export const unknownLocalManager = (uuid: string): Refusal =>
  missingIn('localManagerUuid', 'localManagerNotFound', uuid);
