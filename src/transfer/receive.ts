import { createHash } from 'node:crypto';
import { columnsOf } from '../database/rows.ts';
import { TENANT_ROWS } from '../database/tenant.ts';
import { bodyParts } from '../http/body.ts';
import type { AppContext } from '../http/types.ts';
import { LineError, linesOf } from '../lib/lines.ts';
import type { NewObject } from '../lib/new-object.ts';
import { objectPrefix } from '../lib/object-prefix.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { settingsColumns } from '../writer/settings-table.ts';
import {
  FORMAT,
  type Header,
  headerSchema,
  LINE_BYTES_MAXIMUM,
  type Line,
  lineOf,
  lineSchema,
  VERSION,
} from './format.ts';
import type { Resealing } from './secrets.ts';

/** The largest export that can be imported in bytes: the largest request body that Cloudflare accepts. */
export const IMPORT_BYTES_MAXIMUM = 500_000_000;

/** A received export, complete and unaltered. */
export interface Received {
  header: Header;
  /** The row of the organization, by its columns. */
  settings: Record<string, string | number | null>;
  /** Rows by table. */
  counts: Record<string, number>;
  /** SHA-256 (hex) of what was received. */
  sha256: string;
  /** Webhooks that were paused with new secrets, because theirs could not be opened. */
  pausedCount: number;
}

/** The body is not an export, is incomplete, or was altered. */
const invalid = (detail: string): ProblemError => new ProblemError(refusal('exportInvalid', detail));

/**
 * Store the body in an object of the bucket, with secrets sealed again and otherwise unchanged, and validate that it is
 * a complete and unaltered export. The object exists once `complete` is called. @throws 400, 413
 */
export async function receiveExport(
  c: AppContext,
  object: NewObject,
  reseal: (header: Header) => Resealing,
): Promise<Received> {
  const receiver = new Receiver(c, object, reseal);
  try {
    for await (const line of linesOf(bodyParts(c, IMPORT_BYTES_MAXIMUM), LINE_BYTES_MAXIMUM)) {
      await receiver.take(line);
    }
    return receiver.end();
  } catch (error) {
    await object.abort();
    if (error instanceof LineError) throw invalid(`The body is no export: ${error.message}.`);
    throw error;
  }
}

class Receiver {
  readonly #c: AppContext;
  readonly #object: NewObject;
  readonly #resealing: (header: Header) => Resealing;
  readonly #hash = createHash('sha256');
  readonly #counts: Record<string, number> = Object.fromEntries(TENANT_ROWS.map(({ name }) => [name, 0]));
  /** The objects that rows name. */
  readonly #named = new Set<string>();
  #columns: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  #reseal: Resealing | undefined;
  #header: Header | undefined;
  #settings: Received['settings'] | undefined;
  /** The object whose pieces are being read. */
  #open: { key: string; missing: number } | undefined;
  #count = 0;
  #sha256: string | undefined;
  #pausedCount = 0;

  constructor(c: AppContext, object: NewObject, resealing: (header: Header) => Resealing) {
    this.#c = c;
    this.#object = object;
    this.#resealing = resealing;
  }

  /** Process a line. */
  async take(bytes: Buffer): Promise<void> {
    if (this.#sha256 !== undefined) throw invalid('There is more behind the last line of the export.');
    const content = parsed(bytes);
    if (content === undefined) throw invalid(`Line ${this.#count + 1} is no JSON text.`);
    let kept = bytes;
    if (!this.#header) this.#begin(content);
    else kept = await this.#line(bytes, content);
    if (this.#sha256 === undefined) {
      this.#hash.update(bytes);
      this.#count += 1;
    }
    await this.#object.write(kept);
  }

  /** The result, after the last line. */
  end(): Received {
    if (!this.#header || !this.#settings || this.#sha256 === undefined || this.#open) {
      throw invalid('The export is cut: it has no last line.');
    }
    return {
      header: this.#header,
      settings: this.#settings,
      counts: this.#counts,
      sha256: this.#sha256,
      pausedCount: this.#pausedCount,
    };
  }

  #begin(content: unknown): void {
    const { format, version } = Object(content);
    if (format !== FORMAT) throw invalid(`The first line does not say that its format is ${FORMAT}.`);
    if (version !== VERSION) throw unsupported(`Version ${VERSION} of exports is what is known here.`);
    const header = headerSchema.safeParse(content);
    if (!header.success) throw invalid('The first line is not that of an export.');
    this.#header = header.data;
    this.#reseal = this.#resealing(header.data);
  }

  async #line(bytes: Buffer, content: unknown): Promise<Buffer> {
    const { success, data: line } = lineSchema.safeParse(content);
    if (!success) throw invalid(`Line ${this.#count + 1} is not one of an export.`);
    if (this.#open && !('data' in line)) throw invalid(`Line ${this.#count + 1} is amid an object.`);
    if ('table' in line) return this.#row(bytes, line);
    if ('count' in line) this.#last(line);
    else this.#piece(line);
    return bytes;
  }

  async #row(bytes: Buffer, { table, values }: Extract<Line, { table: string }>): Promise<Buffer> {
    const { uuid, slug } = this.#header!.organization;
    this.#columns ??= await knownColumns(this.#c.env.DB);
    const columns = this.#columns.get(table);
    if (!columns) throw unsupported(`There is no table ${table} here.`);
    const unknown = Object.keys(values).find((name) => !columns.has(name));
    if (unknown !== undefined) throw unsupported(`There is no column ${table}.${unknown} here.`);
    if (table === 'organization') {
      if (this.#settings || values['uuid'] !== uuid || values['slug'] !== slug) {
        throw invalid('The row of the organization is not that of the first line.');
      }
      this.#settings = values;
      return bytes;
    }
    if (values['organization_uuid'] !== uuid) {
      throw invalid(`Line ${this.#count + 1} is of another organization.`);
    }
    this.#counts[table] = this.#counts[table]! + 1;
    if (table === 'calibration') this.#named.add(String(values['object_key']));
    if (table !== 'webhook' && table !== 'identity_provider') return bytes;
    const { row, isPaused } = await this.#reseal!(table, values);
    this.#pausedCount += Number(isPaused);
    return Buffer.from(lineOf({ table, values: row }));
  }

  #piece(line: Extract<Line, { object: string }>): void {
    if ('sizeBytes' in line) {
      const { object, sizeBytes } = line;
      const isOwn =
        this.#named.has(object) || object.startsWith(objectPrefix(this.#header!.organization.uuid));
      if (!isOwn) throw invalid(`Line ${this.#count + 1} is of an object of another organization.`);
      this.#open = sizeBytes > 0 ? { key: object, missing: sizeBytes } : undefined;
      return;
    }
    const missing = (this.#open?.missing ?? 0) - Buffer.from(line.data, 'base64').length;
    if (this.#open?.key !== line.object || missing < 0) {
      throw invalid(`Line ${this.#count + 1} is not the next piece of an object.`);
    }
    this.#open = missing > 0 ? { ...this.#open, missing } : undefined;
  }

  #last({ count, sha256 }: Extract<Line, { count: number }>): void {
    if (count !== this.#count || sha256 !== this.#hash.digest('hex')) {
      throw invalid('The export is not as it was made: count or SHA-256 of its lines differ.');
    }
    this.#sha256 = sha256;
  }
}

const unsupported = (detail: string): ProblemError =>
  new ProblemError(refusal('exportVersionUnsupported', detail));

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The columns of the tables that an export may contain. */
async function knownColumns(db: D1Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const columns = await columnsOf(db, TENANT_ROWS);
  return new Map([
    ['organization', new Set(settingsColumns)],
    ...[...columns].map(([table, { names }]): [string, Set<string>] => [table, new Set(names)]),
  ]);
}
