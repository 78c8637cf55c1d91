import { Buffer } from 'node:buffer';
import { plain } from '../../access/database/rows.ts';
import { keepSnapshot, readSnapshot, type Snapshot } from '../../access/database/snapshot.ts';
import { EXPORTED_ROWS, TENANT_ROWS } from '../../access/database/tenant.ts';
import { BEGINNING, type RowValues } from '../../access/database/walk.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import type { ExportPlace } from './export-place.ts';
import { lineOf, PIECE_BYTES } from './format.ts';
import { keysBelow } from './objects.ts';

/** Lines of an export. `next` is the place after them, if another request can continue there. */
export interface Lines {
  lines: readonly string[];
  next?: Pick<ExportPlace, 'table' | 'place' | 'object'>;
}

/** Reads the rows and objects of a snapshot as lines. */
export class LinesReader {
  readonly #snapshot: Snapshot;
  readonly #bucket: R2Bucket;
  readonly #rowsOnly: boolean;
  /** The number of objects that were read. */
  objectsCount = 0;

  /** `rowsOnly`: leave out the objects. */
  constructor(snapshot: Snapshot, bucket: R2Bucket, rowsOnly = false) {
    this.#snapshot = snapshot;
    this.#bucket = bucket;
    this.#rowsOnly = rowsOnly;
  }

  /** All lines from a place on: the rows by table, with the objects that they name, then the other objects. */
  async *from({ table: first, place: begin, object }: Required<Lines>['next']): AsyncGenerator<Lines> {
    let place: ExportPlace['place'] | undefined = begin;
    for (let at = first; at < EXPORTED_ROWS.length; at += 1) {
      for (place ??= BEGINNING; place; ) {
        const table = EXPORTED_ROWS[at]!;
        await keepSnapshot(this.#snapshot);
        const { rows, next } = await readSnapshot(this.#snapshot, table, place);
        const { names } = this.#snapshot.columns.get(table.name)!;
        yield { lines: rows.map((row) => rowLine(table.name, names, row)) };
        if (table.objects?.keys === 'ANY' && !this.#rowsOnly) {
          const column = names.indexOf(table.objects.column);
          for (const row of rows) yield* this.#objectLines(String(row[column]));
        }
        place = next;
        yield { lines: [], next: next ? { table: at, place: next } : { table: at + 1, place: BEGINNING } };
      }
    }
    if (!this.#rowsOnly) yield* this.#objects(object);
  }

  /** The objects below the prefix of the organization, after the named one. */
  async *#objects(after: string | undefined): AsyncGenerator<Lines> {
    const abandoned = await this.#abandonedKeys();
    for await (const key of keysBelow(this.#bucket, objectPrefix(this.#snapshot.organization), after)) {
      if (!abandoned.has(key)) yield* this.#objectLines(key);
      yield { lines: [], next: { table: EXPORTED_ROWS.length, place: BEGINNING, object: key } };
    }
  }

  /** The keys of objects that are about to be deleted. */
  async #abandonedKeys(): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const table of TENANT_ROWS.filter(({ objects }) => objects?.keys === 'ABANDONED')) {
      const at = this.#snapshot.columns.get(table.name)!.names.indexOf(table.objects!.column);
      for (let place: ExportPlace['place'] | undefined = BEGINNING; place; ) {
        const { rows, next } = await readSnapshot(this.#snapshot, table, place);
        for (const row of rows) keys.add(String(row[at]));
        place = next;
      }
    }
    return keys;
  }

  /** The lines of an object; none where the bucket does not have it. */
  async *#objectLines(key: string): AsyncGenerator<Lines> {
    this.objectsCount += 1;
    await keepSnapshot(this.#snapshot);
    const found = await this.#bucket.get(key);
    if (!found) return;
    const { cacheExpiry: _, ...httpMetadata } = found.httpMetadata ?? {};
    const customMetadata = found.customMetadata ?? {};
    yield { lines: [lineOf({ object: key, sizeBytes: found.size, httpMetadata, customMetadata })] };
    const piece = (data: Buffer): Lines => ({
      lines: [lineOf({ object: key, data: data.toString('base64') })],
    });
    let held = Buffer.alloc(0);
    for await (const part of found.body as unknown as AsyncIterable<Uint8Array>) {
      held = Buffer.concat([held, part]);
      while (held.length >= PIECE_BYTES) {
        await keepSnapshot(this.#snapshot);
        yield piece(held.subarray(0, PIECE_BYTES));
        held = held.subarray(PIECE_BYTES);
      }
    }
    if (held.length > 0) yield piece(held);
  }
}

/** The line of a row. */
export const rowLine = (table: string, names: readonly string[], row: RowValues): string =>
  lineOf({
    table,
    values: Object.fromEntries(names.map((name, index) => [name, plain(row[index])])) as Record<
      string,
      string
    >,
  });
