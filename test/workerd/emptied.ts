/** Objects that earlier files of this runtime left, and that are empty: see `migrate.ts`. */
export const emptied = new Set<string>();

/** The statements that restore the tables to their state after the migrations. Undefined before the first file. */
export const made: { tables: string[] | undefined } = { tables: undefined };
