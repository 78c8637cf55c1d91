import { asRfc3339, dateFault, definiteInstant } from '../../../core/lib/date.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { missing, named } from '../../../core/lib/missing.ts';
import type { ProblemItem } from '../../../core/lib/problem.ts';
import type { FieldRole, ShipmentCustomField } from '../../../core/writer/settings.ts';
import { type Parts, partsOf } from '../../../log/operation/rules.ts';
import { type CustomFieldInput, filledFields, isBlank, type StoredField } from '../../custom-field/rules.ts';

/** The manifests of a cancelled shipment are cancelled, or detached from it. */
export const CANCELLED_MANIFESTS = ['CANCEL', 'RELEASE'] as const;
export type CancelledManifests = (typeof CANCELLED_MANIFESTS)[number];

/** The key of the custom field with a role; null if no field has it. */
export const roleKey = (fields: readonly ShipmentCustomField[], role: FieldRole): string | null =>
  fields.find((field) => field.role === role)?.fieldKey ?? null;

/** The maximum number of manifests of a shipment, and of one request. */
export const MANIFESTS_MAXIMUM = 1_000;

/** The maximum number of manifests that one list creates. */
export const ORDERS_MAXIMUM = 200;
/** The maximum number of pallets in one list. It equals the maximum of one manifest. */
export const ORDER_PALLETS_MAXIMUM = 5_000;

/**
 * A reference to a manifest in a request, by external id, by uuid or by both. If both are given,
 * both must match.
 */
export interface ManifestReference {
  manifestExternalId: string | null;
  manifestUuid: string | null;
}

/** The manifest that a reference names. */
export interface FoundReference {
  /** Null if the manifest does not exist. */
  uuid: string | null;
  manifestStatus: string | null;
  /** The shipment that it is attached to. */
  shipmentUuid: string | null;
}

type MemberFault =
  | 'manifestNotFound'
  | 'manifestRepeated'
  | 'manifestInAnotherShipment'
  | 'manifestNotPlanned'
  | 'manifestsNotAttached';

/** The messages about a manifest that cannot be attached or detached. */
const FAULTS: Record<MemberFault, string> = {
  manifestNotFound: 'does not exist.',
  manifestRepeated: 'is listed twice.',
  manifestInAnotherShipment: 'is in another shipment.',
  manifestNotPlanned: 'is not PLANNED. Only a PLANNED manifest can be attached.',
  manifestsNotAttached: 'is not attached to the shipment.',
};

/**
 * The reasons why references cannot be attached to a shipment. `staying` are attached manifests
 * that the request keeps.
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

/** The reasons why references cannot be detached from a shipment. */
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
        message: `${named('Manifest', reference[name]!)} ${FAULTS[fault]}`,
        rejectedValue: reference[name],
      },
    ];
  });
}

/** For each type of custom field: the error in a value, or null. `field` is the name of the field in messages. */
const VALUE_FAULTS = {
  NUMBER: (value: string, field: string) =>
    Number.isFinite(Number(value))
      ? null
      : ({ code: 'customFieldNotNumeric', message: `${field} takes a number.` } as const),
  DATE_TIME: (value: string, field: string) =>
    Number.isNaN(definiteInstant(value))
      ? ({ code: 'customFieldNotDateTime', message: `${field}: ${dateFault(value)}` } as const)
      : null,
};

/**
 * The errors in the custom fields of a request. A key must be configured. A NUMBER must be finite
 * for `Number()`, and a DATE_TIME must be a date with an offset. A blank value means that the shipment does not have the
 * field.
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
      const message = `${named('Custom field', fieldKey)} is not configured for shipments of the organization.`;
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
    const fault = VALUE_FAULTS[type](fieldValue, named('Custom field', fieldKey));
    return fault ? [{ field: `${path(index)}fieldValue`, ...fault, rejectedValue: fieldValue }] : [];
  });
}

/** The fields of a request as they are stored: without blank values, and DATE_TIME values in RFC 3339. */
export function storedFields(
  configured: readonly ShipmentCustomField[],
  fields: readonly CustomFieldInput[],
): StoredField[] {
  const dates = new Set(
    configured.filter(({ fieldType }) => fieldType === 'DATE_TIME').map(({ fieldKey }) => fieldKey),
  );
  return filledFields(fields).map(({ fieldKey, fieldValue }) => ({
    fieldKey,
    fieldValue: dates.has(fieldKey) ? asRfc3339(fieldValue) : fieldValue,
  }));
}

/**
 * The maximum number of characters of previous values that a plan keeps. Beyond that, longer values are replaced
 * by their digest.
 */
const BEFORE_LENGTH_MAXIMUM = 4_000_000;
/** The length of a digest. A value that is not longer is always kept. */
const DIGEST_LENGTH = 64;

/** An item of a bulk upsert, and the shipment with its identifier. */
export interface BulkItem {
  index: number;
  /** The external id or uuid that the item names. */
  identifier: string;
  fields: CustomFieldInput[];
  /** Null if the shipment does not exist. */
  shipment: { uuid: string; externalIdentifier: string } | null;
  /** The stored values of the fields that the item names. */
  current: { fieldKey: string; fieldValue: string }[];
}

/** The stored form of the items of a bulk upsert. Text costs less on its way to the database than objects. */
export const storedItems = (
  items: readonly { shipmentExternalId: string; customFields: CustomFieldInput[] }[],
): Parts =>
  partsOf(
    items.map(({ shipmentExternalId, customFields }) => ({
      identifier: shipmentExternalId,
      input: customFields,
    })),
  );

interface BulkResult {
  index: number;
  error: { code: string; message: string } | null;
}

type Before = string | null | { length: number; sha256: string };

/** The planned changes of a shipment. */
interface PlannedShipment {
  uuid: string;
  externalIdentifier: string;
  /** By key, in the order in which the items name them. */
  fields: Map<string, { before: Before; after: string | null }>;
}

export class BulkPlan {
  readonly results: BulkResult[] = [];
  readonly #shipments = new Map<string, PlannedShipment>();
  readonly #configured: readonly ShipmentCustomField[];
  #beforeLength = 0;

  constructor(configured: readonly ShipmentCustomField[]) {
    this.#configured = configured;
  }

  /**
   * Add all changes of an item, or its error. Later items see the values that earlier items set.
   */
  add(item: BulkItem): void {
    const error = this.#errorOf(item);
    this.results.push({ index: item.index, error });
    if (error !== null || item.shipment === null) return;
    const { uuid } = item.shipment;
    const planned = this.#shipments.get(uuid) ?? { ...item.shipment, fields: new Map() };
    this.#shipments.set(uuid, planned);
    const stored = new Map(item.current.map(({ fieldKey, fieldValue }) => [fieldKey, fieldValue]));
    const set = new Map(
      storedFields(this.#configured, item.fields).map((field) => [field.fieldKey, field.fieldValue]),
    );
    for (const { fieldKey } of item.fields) {
      const after = set.get(fieldKey) ?? null;
      const known = planned.fields.get(fieldKey);
      if (known) known.after = after;
      else planned.fields.set(fieldKey, { before: this.#keep(stored.get(fieldKey) ?? null), after });
    }
  }

  /** The shipments and fields whose values change. */
  get changed() {
    return [...this.#shipments.values()].flatMap(({ uuid, externalIdentifier, fields }) => {
      const changes = [...fields]
        .filter(([, { before, after }]) => !isSame(before, after))
        .map(([fieldKey, { before, after }]) => ({ fieldKey, before, after }));
      return changes.length === 0 ? [] : [{ uuid, externalIdentifier, changes }];
    });
  }

  #errorOf({ identifier, shipment, fields }: BulkItem): BulkResult['error'] {
    if (shipment === null) {
      const { code, detail } = missing('shipmentNotFound', identifier);
      return { code, message: detail };
    }
    const [fault] = fieldFaults(this.#configured, fields, (index) => `customFields[${index}].`);
    return fault ? { code: fault.code, message: `${fault.field}: ${fault.message}` } : null;
  }

  #keep(value: string | null): Before {
    if (value === null || value.length <= DIGEST_LENGTH) return value;
    this.#beforeLength += value.length;
    if (this.#beforeLength <= BEFORE_LENGTH_MAXIMUM) return value;
    return { length: value.length, sha256: sha256Hex(value) };
  }
}

const isSame = (before: Before, after: string | null): boolean =>
  before === null || typeof before === 'string'
    ? before === after
    : after !== null && before.sha256 === sha256Hex(after);
