import type { SQL } from 'drizzle-orm';

/** The result of one statement of a batch. */
export interface AskResult<Row = unknown> {
  rows: Row[];
  /** Rows that D1 read and wrote for the statement, as billed. */
  rowsRead: number;
  rowsWritten: number;
}

/** The type of the rows of a statement, declared by `sql<Row>`. */
type RowOf<S> = S extends SQL<infer Row> ? Row : never;

/** Reads of the store by name. If a name has several statements, their rows are concatenated. */
export type Asks = Readonly<Record<string, SQL | readonly SQL[] | undefined>>;

/** The rows of each read; empty if the read is undefined. */
export type RowsOf<A extends Asks> = {
  readonly [K in keyof A]-?: RowOf<A[K] extends readonly (infer S)[] ? S : NonNullable<A[K]>>[];
};

/** The statements of reads, in order. */
export const statementsOf = (asks: Asks): SQL[] =>
  Object.values(asks).flatMap((asked): readonly SQL[] =>
    asked === undefined ? [] : isList(asked) ? asked : [asked],
  );

/** The rows of reads, from the results of their statements. */
export function rowsOfAsks<A extends Asks>(asks: A, results: readonly AskResult[]): RowsOf<A> {
  let index = 0;
  return Object.fromEntries(
    Object.entries(asks).map(([name, asked]) => {
      const count = asked === undefined ? 0 : isList(asked) ? asked.length : 1;
      const rows = results.slice(index, index + count).flatMap((result) => result.rows);
      index += count;
      return [name, rows];
    }),
  ) as RowsOf<A>;
}

const isList = (asked: SQL | readonly SQL[]): asked is readonly SQL[] => Array.isArray(asked);
