/** A statement as it is sent to D1. */
export interface Statement {
  text: string;
  params: readonly unknown[];
}

export type Row = Record<string, unknown>;

/** The database of a history: the real D1, or the thin one. */
export interface Store {
  /**
   * Run all statements in one transaction and return their rows. @throws as D1 does; then nothing took
   * effect.
   */
  batch(statements: readonly Statement[]): Promise<Row[][]>;
  /** Rows of one statement, without faults. For the checks. */
  read(text: string, ...params: unknown[]): Promise<Row[]>;
  /** The whole content. `restore` brings it back. */
  snapshot(): Promise<unknown>;
  restore(snapshot: unknown): Promise<void>;
}
