export interface FieldChange {
  field: string;
  oldValue: unknown;
  newValue: unknown;
}

/** The fields that differ between two states; `before` is null for a new object. */
export function changedFields<T extends object>(before: T | null, after: Partial<T>): FieldChange[] {
  return Object.entries(after)
    .map(([field, newValue]) => ({
      field,
      oldValue: (before as Record<string, unknown> | null)?.[field] ?? null,
      newValue: newValue ?? null,
    }))
    .filter(({ oldValue, newValue }) => JSON.stringify(oldValue) !== JSON.stringify(newValue));
}
