/** What changed in one field. */
export interface FieldChange {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

/** What differs between two states, field by field; `before` is null for something new. */
export function changedFields<T extends object>(before: T | null, after: Partial<T>): FieldChange[] {
  return Object.entries(after)
    .map(([field, newValue]) => ({
      field,
      oldValue: (before as Record<string, unknown> | null)?.[field] ?? null,
      newValue: newValue ?? null,
    }))
    .filter(({ oldValue, newValue }) => JSON.stringify(oldValue) !== JSON.stringify(newValue));
}
