import { asJson, tablesOf } from './dump.ts';
import type { Row, Statement, Store } from './store.ts';

/** The rows of a table, with rowids if it has them. */
interface TableRows {
  table: string;
  columns: string[];
  rows: unknown[][];
}

/** All tables and the current triggers. A move creates some triggers. */
interface Snapshot {
  tables: TableRows[];
  triggers: Row[];
}

/** The real D1. It is restored row by row, with the same result as Time Travel. */
export class RealStore implements Store {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  async batch(statements: readonly Statement[]): Promise<Row[][]> {
    const prepared = statements.map(({ text, params }) => this.#db.prepare(text).bind(...params));
    return (await this.#db.batch<Row>(prepared)).map(({ results }) => results);
  }

  async read(text: string, ...params: unknown[]): Promise<Row[]> {
    const { results } = await this.#db
      .prepare(text)
      .bind(...params)
      .all<Row>();
    return results;
  }

  async snapshot(): Promise<Snapshot> {
    const tables: TableRows[] = [];
    for (const { name, hasRowid } of await tablesOf(this)) {
      const rows = await this.read(hasRowid ? `SELECT rowid, * FROM ${name}` : `SELECT * FROM ${name}`);
      tables.push({
        table: name,
        columns: Object.keys(rows[0] ?? {}),
        rows: rows.map((row) => Object.values(row).map(asJson)),
      });
    }
    return { tables, triggers: await this.#triggers() };
  }

  async restore(snapshot: unknown): Promise<void> {
    const { tables, triggers } = snapshot as Snapshot;
    const values = (columns: string[]) =>
      columns
        .map(
          (_, index) =>
            `coalesce(unhex(json_extract(value, '$[${index}].hex')), json_extract(value, '$[${index}]'))`,
        )
        .join(', ');
    await this.batch([
      // The snapshot already contains what triggers wrote for these rows.
      ...(await this.#triggers()).map(({ name }) => ({ text: `DROP TRIGGER "${name}"`, params: [] })),
      ...tables.flatMap(({ table, columns, rows }) => [
        { text: `DELETE FROM ${table}`, params: [] },
        ...(rows.length === 0
          ? []
          : [
              {
                text: `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values(columns)} FROM json_each(?)`,
                params: [JSON.stringify(rows)],
              },
            ]),
      ]),
      ...triggers.map(({ sql }) => ({ text: sql as string, params: [] })),
    ]);
  }

  #triggers(): Promise<Row[]> {
    return this.read("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'");
  }
}
