/** Objects that earlier files of this runtime left, and that are empty: see `migrate.ts`. */
export const emptied = new Set<string>();
