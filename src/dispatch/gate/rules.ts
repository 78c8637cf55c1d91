import type { FieldChange } from '../../core/lib/changes.ts';

/** A reference to a gate. */
export interface GateReference {
  uuid: string;
  externalIdentifier: string;
  name: string;
}

/** Gates in natural order of their names: Gate 2 before Gate 10. */
export function gatesInOrder<T extends Omit<GateReference, 'uuid'>>(gates: readonly T[]): T[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return gates.toSorted(
    (one, other) =>
      compare(one.name, other.name) || compare(one.externalIdentifier, other.externalIdentifier),
  );
}

/** The gate to which something is assigned; both null without a gate. */
export interface AssignedGate {
  gateUuid: string | null;
  gateExternalId: string | null;
}

export function assignedTo(gate: Omit<GateReference, 'name'> | null): AssignedGate {
  return { gateUuid: gate?.uuid ?? null, gateExternalId: gate?.externalIdentifier ?? null };
}

/** The gate of an assignment, without its name. It is the reverse of `assignedTo`. */
export const assignedGateOf = ({
  gateUuid,
  gateExternalId,
}: AssignedGate): Omit<GateReference, 'name'> | null =>
  gateUuid === null ? null : { uuid: gateUuid, externalIdentifier: gateExternalId! };

/** The audited change of a gate. It names gates by external identifier, as people do. */
export const gateChange = (before: AssignedGate, after: AssignedGate): FieldChange => ({
  field: 'gate',
  oldValue: before.gateExternalId,
  newValue: after.gateExternalId,
});
