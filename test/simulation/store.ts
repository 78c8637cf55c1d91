/** A statement as D1 is sent it. */
export interface Statement {
  text: string;
  params: readonly unknown[];
}

export type Row = Record<string, unknown>;

/** A database that histories are played on: D1 itself, or the thin one. */
export interface Store {
  /** All statements in one transaction; their rows. @throws as D1 does; then nothing took effect. */
  batch(statements: readonly Statement[]): Promise<Row[][]>;
  /** Rows of one statement, besides all faults: what checks look at. */
  read(text: string, ...params: unknown[]): Promise<Row[]>;
  /** Everything there is now; `restore` puts the database back to that. */
  snapshot(): Promise<unknown>;
  restore(snapshot: unknown): Promise<void>;
}
