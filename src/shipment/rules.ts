import { type CustomFieldInput, isBlank, isDateTime } from '../custom-field/rules.ts';
import type { ProblemItem } from '../lib/problem.ts';
import type { FieldRole, ShipmentCustomField } from '../writer/settings.ts';
import type { SHIPMENT_STATUSES } from './table.ts';

export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

/** Where a shipment may go from each status. */
export const TRANSITIONS: Readonly<Record<ShipmentStatus, readonly ShipmentStatus[]>> = {
  PLANNED: [],
  TO_DO: ['IN_PROGRESS', 'CANCELLED'],
  IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
  COMPLETED: [],
  CANCELLED: [],
};

/** Whether manifests, gate and the rest of a shipment may still change. */
export const isOpen = (status: ShipmentStatus): boolean => TRANSITIONS[status].length > 0;

/** The key of the custom field that has a role; null where none has. */
export const roleKey = (fields: readonly ShipmentCustomField[], role: FieldRole): string | null =>
  fields.find((field) => field.role === role)?.fieldKey ?? null;

/** Manifests a shipment may have, and one request may name. */
export const MANIFESTS_MAXIMUM = 1_000;

/** A manifest in a request: by one of the two at least, and by all that is said. */
export interface ManifestReference {
  manifestExternalId: string | null;
  manifestUuid: string | null;
}

/** What a reference was found to mean. */
export interface FoundReference {
  /** Null where there is no such manifest. */
  uuid: string | null;
  manifestStatus: string | null;
  /** The shipment that has it. */
  shipmentUuid: string | null;
}

type MemberFault =
  | 'manifestNotFound'
  | 'manifestRepeated'
  | 'manifestInAnotherShipment'
  | 'manifestNotPlanned'
  | 'manifestsNotAttached';

const MESSAGES: Record<MemberFault, string> = {
  manifestNotFound: 'There is no such manifest.',
  manifestRepeated: 'The manifest stands in the list before.',
  manifestInAnotherShipment: 'The manifest is in another shipment.',
  manifestNotPlanned: 'Only a manifest that is PLANNED can be attached.',
  manifestsNotAttached: 'The manifest is not attached to the shipment.',
};

/**
 * What hinders each of the references from being attached to a shipment. `staying` are manifests that are attached
 * to it already and are named to stay.
 */
export function attachFaults(
  references: readonly ManifestReference[],
  found: readonly FoundReference[],
  staying: ReadonlySet<string> = new Set(),
  shipmentUuid: string | null = null,
): ProblemItem[] {
  return faults(references, found, ({ uuid, manifestStatus, shipmentUuid: of }) => {
    if (staying.has(uuid!)) return undefined;
    if (of !== null && of !== shipmentUuid) return 'manifestInAnotherShipment';
    return manifestStatus === 'PLANNED' ? undefined : 'manifestNotPlanned';
  });
}

/** What hinders each of the references from being detached from a shipment. */
export function detachFaults(
  references: readonly ManifestReference[],
  found: readonly FoundReference[],
  shipmentUuid: string,
): ProblemItem[] {
  return faults(references, found, (reference) =>
    reference.shipmentUuid === shipmentUuid ? undefined : 'manifestsNotAttached',
  );
}

function faults(
  references: readonly ManifestReference[],
  found: readonly FoundReference[],
  judge: (found: FoundReference) => MemberFault | undefined,
): ProblemItem[] {
  const seen = new Set<string>();
  return references.flatMap((reference, index) => {
    const meant = found[index]!;
    const fault =
      meant.uuid === null ? 'manifestNotFound' : seen.has(meant.uuid) ? 'manifestRepeated' : judge(meant);
    if (meant.uuid !== null) seen.add(meant.uuid);
    if (fault === undefined) return [];
    const name = reference.manifestExternalId === null ? 'manifestUuid' : 'manifestExternalId';
    return [
      {
        field: `manifests[${index}].${name}`,
        code: fault,
        message: MESSAGES[fault],
        rejectedValue: reference[name],
      },
    ];
  });
}

/** What is wrong with a value of a type, if anything. */
const VALUE_FAULTS = {
  NUMBER: (value: string) =>
    Number.isFinite(Number(value))
      ? null
      : ({ code: 'customFieldNotNumeric', message: 'The field takes a number.' } as const),
  DATE_TIME: (value: string) =>
    isDateTime(value)
      ? null
      : ({
          code: 'customFieldNotDateTime',
          message: 'The field takes a date and time with an offset, such as 2026-11-22T14:30:00+01:00.',
        } as const),
};

/**
 * What is wrong with the fields of a request. A key has to be configured; a NUMBER takes what `Number()` parses to a
 * finite value, a DATE_TIME what `isDateTime` says. A blank value stands for no field.
 */
export function fieldFaults(
  configured: readonly ShipmentCustomField[],
  fields: readonly CustomFieldInput[],
  path: (index: number) => string,
): ProblemItem[] {
  const types = new Map(configured.map(({ fieldKey, fieldType }) => [fieldKey, fieldType]));
  return fields.flatMap(({ fieldKey, fieldValue }, index): ProblemItem[] => {
    const type = types.get(fieldKey);
    if (type === undefined) {
      const message = 'The organization has no such shipment field.';
      return [
        {
          field: `${path(index)}fieldKey`,
          code: 'customFieldNotConfigured',
          message,
          rejectedValue: fieldKey,
          allowedValues: [...types.keys()],
        },
      ];
    }
    if (type === 'TEXT' || fieldValue === null || isBlank(fieldValue)) return [];
    const fault = VALUE_FAULTS[type](fieldValue);
    return fault ? [{ field: `${path(index)}fieldValue`, ...fault, rejectedValue: fieldValue }] : [];
  });
}
