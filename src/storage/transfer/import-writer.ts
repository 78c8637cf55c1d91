import { bring } from '../../access/database/arrival.ts';
import type { Columns } from '../../access/database/columns.ts';
import { insertRows } from '../../access/database/rows.ts';
import { TENANT_ROWS, type TenantRows } from '../../access/database/tenant.ts';
import { PAGE_BYTES, PAGE_ROWS, type RowValues } from '../../access/database/walk.ts';
import { linesOf } from '../../core/lib/lines.ts';
import { NewObject } from '../../core/lib/new-object.ts';
import type { Line } from './format.ts';
import { lineReader } from './line.ts';

const TABLES = new Map(TENANT_ROWS.map((table) => [table.name, table]));

/** Where rows and objects are written, and under which claim. */
export interface Destination {
  db: D1Database;
  bucket: R2Bucket;
  organization: string;
  claim: string;
  /** Tables whose rows are left out. */
  without?: readonly string[];
}

/** The number of statements after which a step ends. */
const STATEMENTS_AT_ONCE = 40;

/** Rows to be inserted together: of one table, with the same columns. */
interface Held {
  table: TenantRows;
  names: readonly string[];
  rows: RowValues[];
  /** The length of their lines. */
  bytes: number;
}

/**
 * Writes the rows and objects of an export line by line, after `receiveExport` has validated it. Each line may be
 * written twice. `offset` is the position up to which everything has been written.
 */
export class ImportWriter {
  readonly #to: Destination;
  #held: Held | undefined;
  #object: { object: NewObject; missing: number } | undefined;
  #read: number;
  #statements = 0;
  /** The number of bytes of the export that have been written. */
  offset: number;

  constructor(to: Destination, offset: number) {
    this.#to = to;
    this.#read = offset;
    this.offset = offset;
  }

  /**
   * Write the next lines until a date (epoch milliseconds), or until there were enough statements. Returns whether those
   * were the last.
   */
  async lines(body: AsyncIterable<Uint8Array>, until: number): Promise<boolean> {
    let isOver = false;
    for await (const bytes of linesOf(body, lineReader.limits.bytes)) {
      // Stop only if a line is left. After the last line, the next step would have nothing to read.
      if (isOver) return false;
      const line = JSON.parse(bytes.toString()) as Line;
      await this.#take(line, bytes.length);
      this.#read += bytes.length;
      // An object that was begun is completed in the same step.
      isOver = this.#object === undefined && (Date.now() > until || this.#statements >= STATEMENTS_AT_ONCE);
      const { rows, bytes: held } = this.#held ?? { rows: [], bytes: 0 };
      if (isOver || rows.length >= PAGE_ROWS || held >= PAGE_BYTES) await this.#flush();
      if (this.#held === undefined && this.#object === undefined) this.offset = this.#read;
    }
    await this.#flush();
    this.offset = this.#read;
    return true;
  }

  async #take(line: Line, bytes: number): Promise<void> {
    if ('table' in line && this.#to.without?.includes(line.table)) return undefined;
    if ('table' in line && TABLES.has(line.table)) return this.#row(line.table, line.values, bytes);
    await this.#flush();
    if ('sizeBytes' in line) {
      const { httpMetadata, customMetadata } = line;
      const object = new NewObject(this.#to.bucket, line.object, { httpMetadata, customMetadata });
      await this.#piece({ object, missing: line.sizeBytes }, Buffer.alloc(0));
    } else if ('data' in line) {
      await this.#piece(this.#object!, Buffer.from(line.data, 'base64'));
    }
  }

  async #row(name: string, values: Record<string, unknown>, bytes: number): Promise<void> {
    const names = Object.keys(values);
    const fits = this.#held?.table.name === name && String(this.#held.names) === String(names);
    if (!fits) await this.#flush();
    this.#held ??= { table: TABLES.get(name)!, names, rows: [], bytes: 0 };
    this.#held.rows.push(Object.values(values));
    this.#held.bytes += bytes;
  }

  async #flush(): Promise<void> {
    if (this.#held === undefined) return;
    const { table, names, rows } = this.#held;
    const columns: Columns = { names, withoutRowid: false };
    const { db, organization, claim } = this.#to;
    const statements = insertRows(db, table, columns, rows);
    await bring(db, organization, claim, statements);
    this.#statements += 1 + statements.length;
    this.#held = undefined;
  }

  async #piece(open: { object: NewObject; missing: number }, bytes: Buffer): Promise<void> {
    await open.object.write(bytes);
    const missing = open.missing - bytes.length;
    this.#object = missing > 0 ? { ...open, missing } : undefined;
    if (missing === 0) await open.object.complete();
  }
}
