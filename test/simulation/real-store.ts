import { asJson, tablesOf } from './dump.ts';
import type { Row, Statement, Store } from './store.ts';

/** Rows of a table with their rowids, where it has them. */
interface Kept {
  table: string;
  columns: string[];
  rows: unknown[][];
}

/** All that there is, with the triggers that stand then: a move makes some. */
interface Snapshot {
  kept: Kept[];
  triggers: Row[];
}

/** D1 itself. It is put back row by row, which leaves what Time Travel would. */
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
    const kept: Kept[] = [];
    for (const { name, hasRowid } of await tablesOf(this)) {
      const rows = await this.read(hasRowid ? `SELECT rowid, * FROM ${name}` : `SELECT * FROM ${name}`);
      kept.push({
        table: name,
        columns: Object.keys(rows[0] ?? {}),
        rows: rows.map((row) => Object.values(row).map(asJson)),
      });
    }
    return { kept, triggers: await this.#triggers() };
  }

  async restore(snapshot: unknown): Promise<void> {
    const { kept, triggers } = snapshot as Snapshot;
    const values = (columns: string[]) =>
      columns
        .map(
          (_, index) =>
            `coalesce(unhex(json_extract(value, '$[${index}].hex')), json_extract(value, '$[${index}]'))`,
        )
        .join(', ');
    await this.batch([
      // What rows brought about when they were written stands in the snapshot.
      ...(await this.#triggers()).map(({ name }) => ({ text: `DROP TRIGGER "${name}"`, params: [] })),
      ...kept.flatMap(({ table, columns, rows }) => [
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
