import { sha256Hex } from '../../../core/lib/hash.ts';
import { missing } from '../../../core/lib/missing.ts';
import type { ShipmentCustomField } from '../../../core/writer/settings.ts';
import { type Parts, partsOf } from '../../../log/operation/rules.ts';
import type { CustomFieldInput } from '../../custom-field/rules.ts';
import { fieldFaults, storedFields } from './rules.ts';

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

export interface BulkResult {
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
