import { bring } from '../../access/database/arrival.ts';
import { type Columns, columnsOf } from '../../access/database/columns.ts';
import { deleteByKeys, insertRows, readByKeys, rowsFrom } from '../../access/database/rows.ts';
import { TENANT_ROWS, type TenantRows } from '../../access/database/tenant.ts';
import { BEGINNING, type Page, type Place, type RowValues, readPage } from '../../access/database/walk.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { failureOf } from '../../core/lib/store.ts';
import { HOUR_MS, MINUTE_MS } from '../../core/lib/time.ts';
import { firstIdSince } from '../../core/writer/idempotency.ts';
import { type Captured, capturedOf, capturedTables, forget } from './capture.ts';
import type { MoveProgress } from './store.ts';

/** A step copies at most this many pages of rows, each with up to ten statements, */
const PAGES_AT_ONCE = 8;
/** and no further page after this many rows. */
const ROWS_AT_ONCE = 1_000;
/** The maximum number of changed rows per read, */
const CHANGED_AT_ONCE = 500;
/** and of such reads per step. */
const ROUNDS_AT_ONCE = 3;

/** Answers of commands without a key. Their ids ascend with time. */
const RECENT_ANSWERS: TenantRows = { name: 'recent_answer', key: ['id'] };
/** The service repeats a call that fails on its way for less time than this after it was committed, */
const REPEATED_MS = 5 * MINUTE_MS;
/** and commits it less than this time after it was made, even if the clock jumps. */
const COMMITTED_MS = HOUR_MS;

/** Changed rows that were copied, and whether that was all. */
export interface Changes {
  copied: number;
  isAll: boolean;
}

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
    this.#columns ??= await columnsOf(this.#source, [...TENANT_ROWS, RECENT_ANSWERS]);
    return this.#columns.get(name)!;
  }

  /** @throws if a table has other columns in the target */
  async compareColumns(): Promise<void> {
    const there = await columnsOf(this.#target, TENANT_ROWS);
    for (const table of TENANT_ROWS) {
      const columns = await this.columnsOf(table);
      if (canonicalJson(there.get(table.name)!) !== canonicalJson(columns)) {
        throw new Error(`${table.name} differs`);
      }
    }
  }

  /** Change rows in the target, checking the claim in the same transaction. */
  bring(statements: readonly D1PreparedStatement[]): Promise<void> {
    return bring(this.#target, this.#organization, this.#claim, statements);
  }

  /**
   * Copy the next rows: a page of a table, and of the tables after it until there are enough rows. @returns the
   * position to continue at; undefined at the end
   */
  async copyNext({ table: at = 0, place = BEGINNING }: MoveProgress): Promise<MoveProgress | undefined> {
    let copied = 0;
    for (
      let pages = 0;
      at < TENANT_ROWS.length && pages < PAGES_AT_ONCE && copied < ROWS_AT_ONCE;
      pages += 1
    ) {
      const table = TENANT_ROWS[at]!;
      const columns = await this.columnsOf(table);
      const { rows, next } = await readPage(this.#source, table, columns, this.#organization, place);
      try {
        await this.bring(insertRows(this.#target, table, columns, rows));
      } catch (error) {
        if (failureOf(error) !== 'collision') throw error;
        // A row copied earlier has been replaced in the source by one of these.
        await this.copyChanged();
        break;
      }
      copied += rows.length;
      if (!next) at += 1;
      place = next ?? BEGINNING;
    }
    return at < TENANT_ROWS.length ? { table: at, place } : undefined;
  }

  /**
   * Copy the answers to which a call that began before the move may come back: it is repeated at the target, and must find
   * that it has taken effect.
   */
  async copyRecentAnswers(): Promise<void> {
    const columns = await this.columnsOf(RECENT_ANSWERS);
    const now = Date.now();
    const isRecent = `t.create_date >= ${now - REPEATED_MS}`;
    let place: Place | undefined = { part: 0, after: [firstIdSince(now - COMMITTED_MS), 0] };
    while (place) {
      const page: Page = await readPage(
        this.#source,
        RECENT_ANSWERS,
        columns,
        this.#organization,
        place,
        isRecent,
      );
      if (page.rows.length > 0)
        await this.bring(insertRows(this.#target, RECENT_ANSWERS, columns, page.rows));
      place = page.next;
    }
  }

  /** Copy rows that have changed since they were copied. */
  async copyChanged(): Promise<Changes> {
    const changed = new Set(
      (await rowsFrom(capturedTables(this.#source, this.#organization))).map(({ name }) => name),
    );
    const tables = TENANT_ROWS.filter(({ name }) => changed.has(name));
    let copied = 0;
    for (let rounds = 0; rounds < ROUNDS_AT_ONCE && tables.length > 0; rounds += 1) {
      const some = await this.#copyChangedOf(tables[0]!);
      copied += some.copied;
      // Rows that changed during this round are left for the next step.
      if (some.isAll) tables.shift();
    }
    return { copied, isAll: tables.length === 0 };
  }

  async #copyChangedOf(table: TenantRows): Promise<Changes> {
    const columns = await this.columnsOf(table);
    const captured = (await rowsFrom(
      capturedOf(this.#source, this.#organization, table.name, CHANGED_AT_ONCE),
    )) as unknown as Captured[];
    if (captured.length === 0) return { copied: 0, isAll: true };
    const { rows: found, keysCount } = await readByKeys(
      this.#source,
      table,
      columns,
      this.#organization,
      captured.map(({ rowKey }) => rowKey),
    );
    const taken = captured.slice(0, keysCount);
    const keys = taken.map(({ rowKey }) => rowKey);
    const rows: RowValues[] = found.map((row) => columns.names.map((name) => row[name]));
    const there = new Set(found.map((row) => JSON.stringify(table.key.map((name) => row[name]))));
    // In an ordered table, rows that still exist are updated in place, so they keep their position. All other rows
    // are deleted first, because a row may now have a unique value that another row had.
    const gone = table.ordered ? keys.filter((key) => !there.has(key)) : keys;
    await this.bring([
      ...(gone.length > 0 ? [deleteByKeys(this.#target, table, this.#organization, gone)] : []),
      ...insertRows(this.#target, table, columns, rows),
    ]);
    await forget(this.#source, this.#organization, taken).run();
    return { copied: taken.length, isAll: taken.length < CHANGED_AT_ONCE && keysCount === captured.length };
  }
}
