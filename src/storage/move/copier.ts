import { bring } from '../../access/database/arrival.ts';
import {
  type Columns,
  columnsOf,
  deleteByKeys,
  insertRows,
  ROWS_AT_ONCE,
  type RowValues,
  readRows,
  rowsFrom,
  selectByKeys,
} from '../../access/database/rows.ts';
import { TENANT_ROWS, type TenantRows } from '../../access/database/tenant.ts';
import { failureOf } from '../../core/lib/store.ts';
import { type Captured, capturedOf, capturedTables, forget } from './capture.ts';
import type { MoveProgress } from './store.ts';

/** Copies an organization's rows from one database to another, as the holder of the claim in the target. */
export class RowCopier {
  readonly #organization: string;
  readonly #claim: string;
  readonly #source: D1Database;
  readonly #target: D1Database;
  #columns: ReadonlyMap<string, Columns> | undefined;

  constructor(organization: string, source: D1Database, target: D1Database, claim: string) {
    this.#organization = organization;
    this.#source = source;
    this.#target = target;
    this.#claim = claim;
  }

  /** The columns of a table in the source. */
  async columnsOf({ name }: TenantRows): Promise<Columns> {
    this.#columns ??= await columnsOf(this.#source, TENANT_ROWS);
    return this.#columns.get(name)!;
  }

  /** Change rows in the target, checking the claim in the same transaction. */
  bring(statements: readonly D1PreparedStatement[]): Promise<void> {
    return bring(this.#target, this.#organization, this.#claim, statements);
  }

  /**
   * Copy the next rows: of a table, and of the tables after it until there are enough rows (`ROWS_AT_ONCE`). @returns
   * the position to continue at; undefined at the end
   */
  async copyNext({ table: at = 0, after = [] }: MoveProgress): Promise<MoveProgress | undefined> {
    for (let copied = 0; at < TENANT_ROWS.length && copied < ROWS_AT_ONCE; ) {
      const table = TENANT_ROWS[at]!;
      const columns = await this.columnsOf(table);
      const { rows, next } = await readRows(this.#source, table, columns, this.#organization, after);
      try {
        await this.bring(insertRows(this.#target, table, columns, rows));
      } catch (error) {
        if (failureOf(error) !== 'collision') throw error;
        // A row copied earlier has been replaced in the source by one of these.
        await this.copyChanged();
        break;
      }
      copied += rows.length;
      if (next === null) at += 1;
      after = next ?? [];
    }
    return at < TENANT_ROWS.length ? { table: at, after } : undefined;
  }

  /** Copy rows that have changed since they were copied. Returns how many there were. */
  async copyChanged(): Promise<number> {
    const changed = new Set(
      (await rowsFrom(capturedTables(this.#source, this.#organization))).map(({ name }) => name),
    );
    let copied = 0;
    for (const table of TENANT_ROWS) {
      if (changed.has(table.name)) copied += await this.#copyChangedOf(table);
    }
    return copied;
  }

  async #copyChangedOf(table: TenantRows): Promise<number> {
    const columns = await this.columnsOf(table);
    let copied = 0;
    for (;;) {
      const captured = (await rowsFrom(
        capturedOf(this.#source, this.#organization, table.name, ROWS_AT_ONCE),
      )) as unknown as Captured[];
      if (captured.length === 0) return copied;
      const keys = captured.map(({ rowKey }) => rowKey);
      const found = await rowsFrom(selectByKeys(this.#source, table, columns, this.#organization, keys));
      const rows: RowValues[] = found.map((row) => columns.names.map((name) => row[name]));
      const there = new Set(found.map((row) => JSON.stringify(table.key.map((name) => row[name]))));
      // In an ordered table, rows that still exist are updated in place, so they keep their position. All other rows
      // are deleted first, because a row may now have a unique value that another row had.
      const gone = table.ordered ? keys.filter((key) => !there.has(key)) : keys;
      await this.bring([
        ...(gone.length > 0 ? [deleteByKeys(this.#target, table, this.#organization, gone)] : []),
        ...insertRows(this.#target, table, columns, rows),
      ]);
      await forget(this.#source, this.#organization, captured).run();
      copied += captured.length;
      // Rows that changed during this round are left for the next one.
      if (captured.length < ROWS_AT_ONCE) return copied;
    }
  }
}
