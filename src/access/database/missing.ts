import migrations from './migrations.json' with { type: 'json' };

/** The migrations of this version that are not among the applied ones. Null if the database has no list of them. */
export const missingOf = (applied: readonly string[] | null): string[] | null =>
  applied && migrations.filter((name) => !applied.includes(name));
