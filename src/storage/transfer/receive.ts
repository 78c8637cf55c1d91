import { createHash } from 'node:crypto';
import { columnsOf } from '../../access/database/columns.ts';
import { TENANT_ROWS, type TenantRows } from '../../access/database/tenant.ts';
import { settingsOf } from '../../core/env.ts';
import { bodyParts } from '../../core/http/body.ts';
import { originsOf } from '../../core/http/hosts.ts';
import type { AppContext } from '../../core/http/types.ts';
import { databasesOf, MAIN } from '../../core/lib/databases.ts';
import { LineError, linesOf } from '../../core/lib/lines.ts';
import type { NewObject } from '../../core/lib/new-object.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { OverBudget } from '../../core/lib/reader.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import {
  FORMAT,
  HEADER_BYTES_MAXIMUM,
  type Header,
  headerSchema,
  type Line,
  lineOf,
  lineSchema,
  VERSION,
} from './format.ts';
import type { Reading, Values } from './kinds.ts';
import { lineReader, parseLine } from './line.ts';
import { LogWalk } from './log-walk.ts';
import { ObjectKeys } from './object-keys.ts';
import { type Fault, rowFault } from './rows.ts';
import type { Resealing } from './secrets.ts';
import { settingsFault } from './settings-row.ts';

const TABLES = new Map(TENANT_ROWS.map((table): [string, TenantRows] => [table.name, table]));

/** The largest export that can be imported in bytes: the largest request body that Cloudflare accepts. */
export const IMPORT_BYTES_MAXIMUM = 500_000_000;

/** A received export, complete and unaltered. */
export interface Received {
  header: Header;
  /** The row of the organization, by its columns. */
  settings: Values;
  /** Rows by table. */
  counts: Record<string, number>;
  /** SHA-256 (hex) of the received body. */
  sha256: string;
  /** Webhooks that were paused with new secrets, because theirs could not be opened. */
  pausedCount: number;
}

/** The body is not an export, is incomplete, or was altered. */
const invalid = (detail: string): ProblemError => new ProblemError(refusal('exportInvalid', detail));

/** A row has a value that the service never writes. */
function refuseRow(line: number, table: string, { column, why }: Fault): never {
  const field = `${table}.${column}`;
  const message = `Line ${line}: ${field} ${why}.`;
  const errors = [{ field, code: 'exportInvalid' as const, message }];
  throw new ProblemError(refusal('exportInvalid', message, { errors }));
}

/**
 * Store the body in an object of the bucket, and validate that it is a complete and unaltered export with nothing but
 * values that the service writes. Secrets are sealed again and objects get new keys before they are stored. The object
 * exists once `complete` is called. @throws 400, 413
 */
export async function receiveExport(
  c: AppContext,
  object: NewObject,
  reseal: (header: Header) => Resealing,
): Promise<Received> {
  const receiver = new Receiver(c, object, reseal);
  try {
    for await (const line of linesOf(bodyParts(c, IMPORT_BYTES_MAXIMUM), lineReader.limits.bytes)) {
      await receiver.take(line);
    }
    return receiver.end();
  } catch (error) {
    await object.abort();
    if (error instanceof LineError) throw invalid(`The body is not an export: ${error.message}.`);
    if (error instanceof OverBudget) throw invalid(receiver.tooMuch(error));
    throw error;
  }
}

/** The first line without a byte order mark. */
const withoutMark = (line: Buffer): Buffer =>
  line.subarray(0, MARK.length).equals(MARK) ? line.subarray(MARK.length) : line;
const MARK = Buffer.from('\ufeff');

class Receiver {
  readonly #c: AppContext;
  readonly #object: NewObject;
  readonly #resealing: (header: Header) => Resealing;
  readonly #hash = createHash('sha256');
  readonly #counts: Record<string, number> = Object.fromEntries(TENANT_ROWS.map(({ name }) => [name, 0]));
  readonly #log = new LogWalk();
  #keys: ObjectKeys | undefined;
  #columns: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  #reseal: Resealing | undefined;
  #header: Header | undefined;
  #settings: Received['settings'] | undefined;
  /** The object whose pieces are being read. */
  #open: { key: string; storedKey: string; missing: number } | undefined;
  /** Pays for the line that is being read. */
  #budget = lineReader.budget();
  #reading: Omit<Reading, 'budget'> | undefined;
  #count = 0;
  #sha256: string | undefined;
  #pausedCount = 0;

  constructor(c: AppContext, object: NewObject, resealing: (header: Header) => Resealing) {
    this.#c = c;
    this.#object = object;
    this.#resealing = resealing;
  }

  /** Process a line. */
  async take(line: Buffer): Promise<void> {
    const bytes = this.#header ? line : withoutMark(line);
    if (this.#sha256 !== undefined) throw invalid('The body continues after the last line of the export.');
    if (!this.#header && bytes.length > HEADER_BYTES_MAXIMUM) throw invalid('The first line is too long.');
    this.#budget = lineReader.budget();
    const content = parseLine(bytes, this.#budget, this.#header ? 'members' : 'values');
    if (content === undefined) throw invalid(`Line ${this.#number} is not valid JSON.`);
    let kept: Buffer | undefined = bytes;
    if (!this.#header) this.#begin(content);
    else kept = await this.#line(bytes, content);
    if (this.#sha256 === undefined) {
      this.#hash.update(bytes);
      this.#count += 1;
    }
    if (kept) await this.#object.write(kept);
  }

  /** Why the line that is being read was refused. */
  tooMuch({ kind, maximum }: OverBudget): string {
    return `Line ${this.#number} exceeds the limit of ${maximum} ${kind}.`;
  }

  /** The number of the line that is being read. */
  get #number(): number {
    return this.#count + 1;
  }

  /** The result, after the last line. */
  end(): Received {
    if (!this.#header || !this.#settings || this.#sha256 === undefined || this.#open) {
      throw invalid('The export is incomplete: its end is missing.');
    }
    if (this.#log.last !== this.#header.sequenceNumber) {
      throw invalid(
        'The last sequence number of the audit log differs from sequenceNumber in the first line.',
      );
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
    if (version !== VERSION) throw unsupported(`The service reads version ${VERSION} of exports only.`);
    const header = headerSchema.safeParse(content);
    if (!header.success) throw invalid('The first line is not the header of an export.');
    this.#header = header.data;
    this.#reseal = this.#resealing(header.data);
    const { uuid, slug } = header.data.organization;
    this.#keys = new ObjectKeys(uuid);
    this.#reading = {
      allowLoopback: settingsOf(this.#c.env).WEBHOOK_ALLOW_LOOPBACK,
      origins: originsOf(this.#c, slug),
    };
  }

  /** The line in the form in which it is stored; undefined where it is left out. */
  async #line(bytes: Buffer, content: unknown): Promise<Buffer | undefined> {
    const { success, data: line } = lineSchema.safeParse(content);
    if (!success) throw invalid(`Line ${this.#number} does not belong in an export.`);
    if (this.#open && !('data' in line))
      throw invalid(
        `Line ${this.#number} must be a piece of an object, because the object before it is incomplete.`,
      );
    if ('table' in line) return this.#row(bytes, line);
    if ('object' in line) return this.#piece(line);
    if ('next' in line)
      throw invalid('This is only one part of an export. Make a complete export with npm run export.');
    this.#last(line);
    return bytes;
  }

  async #row(
    bytes: Buffer,
    { table, values }: Extract<Line, { table: string }>,
  ): Promise<Buffer | undefined> {
    const { uuid, slug } = this.#header!.organization;
    this.#columns ??= await knownColumns(databasesOf(this.#c.env).named(MAIN));
    const columns = this.#columns.get(table);
    if (!columns) throw unsupported(`This deployment has no table ${table}.`);
    const unknown = Object.keys(values).find((name) => !columns.has(name));
    if (unknown !== undefined) throw unsupported(`This deployment has no column ${table}.${unknown}.`);
    if (table === 'organization') {
      if (this.#settings || values['uuid'] !== uuid || values['slug'] !== slug) {
        throw invalid(`Line ${this.#number} is not the row of the organization that the first line names.`);
      }
      const fault = settingsFault(values, this.#budget);
      if (fault) refuseRow(this.#number, table, fault);
      this.#settings = values;
      return bytes;
    }
    if (values['organization_uuid'] !== uuid) {
      throw invalid(`Line ${this.#number} belongs to another organization.`);
    }
    const row = this.#validated(TABLES.get(table)!, values);
    if (!row) return undefined;
    this.#counts[table] = this.#counts[table]! + 1;
    if (table === 'webhook' || table === 'identity_provider') {
      const resealed = await this.#reseal!(table, row);
      this.#pausedCount += Number(resealed.isPaused);
      return Buffer.from(lineOf({ table, values: this.#linkedHere(resealed.row) }));
    }
    return row === values ? bytes : Buffer.from(lineOf({ table, values: row }));
  }

  /** The row with links to this deployment. */
  #linkedHere(row: Values): Values {
    const { origins } = this.#reading!;
    const link = row['link_origin'];
    return link === undefined || origins.includes(String(link)) ? row : { ...row, link_origin: origins[0]! };
  }

  /** The row with the keys that its objects have here; undefined where rows of the table are left out. */
  #validated(table: TenantRows, values: Values): Values | undefined {
    const { name, objects } = table;
    if (objects?.keys === 'ABANDONED') return undefined;
    const reading = { ...this.#reading!, budget: this.#budget };
    const fault =
      rowFault(name, values, reading) ?? (name === 'command_log' ? this.#log.take(values) : undefined);
    if (fault) refuseRow(this.#number, name, fault);
    const row = this.#keys!.take(table, values);
    if (row) return row;
    return refuseRow(this.#number, name, {
      column: objects!.column,
      why: 'names an object that does not belong to this row',
    });
  }

  #piece(line: Extract<Line, { object: string }>): Buffer {
    const { object } = line;
    if ('sizeBytes' in line) {
      const { sizeBytes } = line;
      const storedKey = this.#keys!.storedKey(object);
      if (storedKey === undefined)
        throw invalid(`Line ${this.#number} belongs to an object of another organization.`);
      this.#open = sizeBytes > 0 ? { key: object, storedKey, missing: sizeBytes } : undefined;
      return Buffer.from(lineOf({ ...line, object: storedKey }));
    }
    const missing = (this.#open?.missing ?? 0) - Buffer.from(line.data, 'base64').length;
    if (this.#open?.key !== object || missing < 0) {
      throw invalid(`Line ${this.#number} is not the next piece of an object.`);
    }
    const { storedKey } = this.#open;
    this.#open = missing > 0 ? { ...this.#open, missing } : undefined;
    return Buffer.from(lineOf({ ...line, object: storedKey }));
  }

  #last({ count, sha256 }: Extract<Line, { count: number }>): void {
    if (count !== this.#count || sha256 !== this.#hash.digest('hex')) {
      throw invalid('The export was changed or damaged: the number or the SHA-256 of its lines differs.');
    }
    this.#sha256 = sha256;
  }
}

const unsupported = (detail: string): ProblemError =>
  new ProblemError(refusal('exportVersionUnsupported', detail));

/** The columns of the tables that an export may contain. */
async function knownColumns(db: D1Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const columns = await columnsOf(db, TENANT_ROWS);
  return new Map([
    ['organization', new Set(settingsColumns)],
    ...[...columns].map(([table, { names }]): [string, Set<string>] => [table, new Set(names)]),
  ]);
}
