/** Objects that earlier files of this runtime left, and that are empty: see `migrate.ts`. */
export const emptied = new Set<string>();

/** What makes the tables as the migrations left them for the first file of this runtime; undefined before. */
export const made: { tables: string[] | undefined } = { tables: undefined };
