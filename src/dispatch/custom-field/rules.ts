export const CUSTOM_FIELDS_MAXIMUM = 50;
/** The maximum number of characters of a key. */
export const KEY_LENGTH_MAXIMUM = 100;

/** The fields that a filter `key:value` can mean: a key may contain colons, too. */
export const readingsOf = (filter: string): [fieldKey: string, fieldValue: string][] =>
  [...filter.matchAll(/:/g)]
    .map(({ index }): [string, string] => [filter.slice(0, index), filter.slice(index + 1)])
    .filter(([key]) => key !== '' && [...key].length <= KEY_LENGTH_MAXIMUM);

/** A custom field in a request. A blank value means no field. */
export interface CustomFieldInput {
  fieldKey: string;
  fieldValue: string | null;
}

export interface StoredField {
  fieldKey: string;
  fieldValue: string;
}

/** Whether a value means no field. */
export const isBlank = (value: string | null): boolean => value === null || value.trim() === '';

/** The fields of a request that have a value. */
export function filledFields(fields: readonly CustomFieldInput[]): StoredField[] {
  return fields.filter((field): field is StoredField => !isBlank(field.fieldValue));
}

/** The places of fields in a body, and their keys: of all fields of the request that have a value, or of `among`. */
export function keysOf(
  fields: readonly CustomFieldInput[],
  among: readonly StoredField[] = filledFields(fields),
): (readonly [field: string, key: string])[] {
  const keys = new Set(among.map(({ fieldKey }) => fieldKey));
  return fields.flatMap(({ fieldKey }, index) =>
    keys.has(fieldKey) ? [[`customFields[${index}].fieldKey`, fieldKey] as const] : [],
  );
}

/** The difference between `current` and `wanted`, field by field. */
export function diffFields(current: readonly StoredField[], wanted: readonly StoredField[]) {
  const before = new Map(current.map((field) => [field.fieldKey, field.fieldValue]));
  const after = new Set(wanted.map((field) => field.fieldKey));
  return {
    added: wanted.filter((field) => !before.has(field.fieldKey)),
    updated: wanted.filter(
      (field) => before.has(field.fieldKey) && before.get(field.fieldKey) !== field.fieldValue,
    ),
    unchanged: wanted.filter((field) => before.get(field.fieldKey) === field.fieldValue),
    removed: current.filter((field) => !after.has(field.fieldKey)),
  };
}
