import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { bodyParts, LEVELS_MAXIMUM, malformed, notUtf8, tooDeep } from '../../core/http/body.ts';
import { isJson, unsupported } from '../../core/http/media-type.ts';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { type AppContext, principalOf } from '../../core/http/types.ts';
import { bucketOf } from '../../core/lib/bucket.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION, newUuid } from '../../core/lib/id.ts';
import { JsonCheck } from '../../core/lib/json-check.ts';
import { NewObject } from '../../core/lib/new-object.ts';
import { objectPrefix } from '../../core/lib/object-prefix.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import { declareReader, OverBudget } from '../../core/lib/reader.ts';
import { isUnavailable } from '../../core/lib/store.ts';
import { HOUR_MS } from '../../core/lib/time.ts';
import type { UploadedObject } from './commands.ts';
import { type CalibrationName, objectKeyOf } from './rules.ts';
import { CALIBRATION_BYTES_MAXIMUM } from './schema.ts';
import { addOrphan, claimOrphans, readCalibration, removeOrphans } from './store.ts';

/**
 * How long an orphan is left to its uploader. An upload needs only seconds from here to its commit.
 */
const ORPHAN_KEPT_MS = HOUR_MS;
/** The maximum number of orphans in one step of a sweep. For each of their organizations, all databases are asked. */
const SWEPT_AT_ONCE = 100;
/** A sweep ends after so many statements. */
const SWEEP_STATEMENTS = 200;

/**
 * Stream the body into the bucket under a new key. The object is listed as an orphan before it
 * exists, until a command makes it the content of a file. So no object can be forgotten.
 * @throws 415, 413 and 400 as for every body; then no object is left
 */
export async function receiveObject(c: AppContext, name: CalibrationName): Promise<UploadedObject> {
  if (!isJson(c)) throw unsupported(c);
  const database = primary(c);
  const objectKey = objectKeyOf(database.organization, name, newUuid());
  const object = new NewObject(bucketOf(c.env), objectKey);
  try {
    const file = new CalibrationFile();
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const part of bodyParts(c, CALIBRATION_BYTES_MAXIMUM)) {
      sizeBytes += part.length;
      hash.update(part);
      file.push(part);
      if (!file.fault) await orUnavailable(c, object.write(part));
    }
    file.end();
    if (file.fault) throw file.fault;
    await database.send(addOrphan(database, objectKey, Date.now()));
    await orUnavailable(c, object.complete());
    return { objectKey, sizeBytes, sha256: hash.digest('hex') };
  } catch (error) {
    await object.abort();
    throw error;
  }
}

/** The reader of calibration files. Files are only checked, so it needs no other limit. */
const CALIBRATION = declareReader('calibration', { levels: LEVELS_MAXIMUM });

/** Checks a calibration file while it arrives. After a fault, the rest is not checked. */
export class CalibrationFile {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  readonly #budget = CALIBRATION.budget();
  readonly #check = new JsonCheck({ level: () => this.#budget.charge('levels') });
  /** The first fault. It is reported at the end of the body, because a body that is too large has another status. */
  fault: ProblemError | undefined;

  /** Check the next bytes. */
  push(bytes?: Uint8Array): void {
    if (this.fault) return;
    const text = this.#decoded(bytes);
    if (text === undefined) {
      this.fault = notUtf8();
      return;
    }
    try {
      this.#check.push(text);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      this.fault = tooDeep();
    }
    const { wrongAt } = this.#check;
    if (wrongAt !== undefined)
      this.fault = malformed(
        `The body is not well-formed JSON. Character ${wrongAt + 1} is not allowed there.`,
      );
  }

  #decoded(bytes: Uint8Array | undefined): string | undefined {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return undefined;
    }
  }

  /** End the file. */
  end(): void {
    this.push();
    if (this.fault) return;
    const kind = this.#check.end();
    if (kind === null) this.fault = malformed('The body is not well-formed JSON. It ends too early.');
    if (kind === 'scalar') this.fault = new ProblemError(validationRefusal([NEITHER_OBJECT_NOR_ARRAY]));
  }
}

/**
 * The bytes of an object. Null for HEAD, which has no body; undefined if the object does not exist.
 */
export async function openObject(
  c: AppContext,
  objectKey: string,
): Promise<ReadableStream | null | undefined> {
  if (c.req.method === 'HEAD') return (await isLost(c, objectKey)) ? undefined : null;
  return (await orUnavailable(c, bucketOf(c.env).get(objectKey)))?.body;
}

/**
 * The key of a file's object if the bucket has lost it. Null if it has the object, or if the file
 * does not exist.
 */
export async function findLost(c: AppContext, name: CalibrationName): Promise<string | null> {
  const file = await orUnavailable(c, readCalibration(primary(c), name));
  return file && (await isLost(c, file.objectKey)) ? file.objectKey : null;
}

const isLost = async (c: AppContext, objectKey: string): Promise<boolean> =>
  (await orUnavailable(c, bucketOf(c.env).head(objectKey))) === null;

/** A store that does not answer is not a defect. The caller is asked to try again. */
export async function orUnavailable<T>(
  c: AppContext,
  work: Promise<T>,
  stored = 'calibration files',
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.error(JSON.stringify({ requestId: c.get('requestId'), store: String(error) }));
    throw new ProblemError(refusal('temporarilyUnavailable', `The store of ${stored} did not answer.`));
  }
}

const NEITHER_OBJECT_NOR_ARRAY = {
  field: '',
  code: 'validationFailed',
  message: 'A calibration file is a JSON object or array.',
} as const;

/** The database of the caller's organization, for writes without a command. They decide nothing. */
export const primary = (c: AppContext): Database =>
  new Database(principalOf(c).organization.uuid, databasesOf(c.env));

/**
 * Delete the given objects that are orphans. Each orphan is claimed first. A command that wants to
 * use a claimed orphan commits nothing, and the object of a file cannot be claimed. The sweep
 * deletes what fails here.
 */
export async function discardObjects(
  c: AppContext,
  objectKeys: (string | null)[],
  database: Database = primary(c),
): Promise<void> {
  const keys = objectKeys.filter((key) => key !== null);
  if (keys.length === 0) return;
  try {
    const claimed = await claimOrphans(database, keys, Date.now());
    if (claimed.length === 0) return;
    await deleteOwn(bucketOf(c.env), database.organization, claimed);
    await database.send([removeOrphans(database, claimed)]);
  } catch (error) {
    console.warn(JSON.stringify({ requestId: c.get('requestId'), discard: String(error) }));
  }
}

/** Delete the objects among these keys that can belong to the organization: others are never deleted for it. */
export async function deleteOwn(
  bucket: R2Bucket,
  organization: string,
  keys: readonly string[],
): Promise<void> {
  const prefix = organization === NO_ORGANIZATION ? 'import/' : objectPrefix(organization);
  const own = keys.filter(
    (key) =>
      CALIBRATION_KEY.test(key) || (key.startsWith(prefix) && Buffer.byteLength(key) <= KEY_BYTES_MAXIMUM),
  );
  if (own.length > 0) await bucket.delete(own);
}

/** A key that does not show which organization owns the object. Only the row of its owner names it. */
const CALIBRATION_KEY = /^calibration\/[^/]{1,500}$/;
/** The longest key in R2, in bytes. */
export const KEY_BYTES_MAXIMUM = 1_024;

/**
 * Delete old orphans of all organizations: uploads that were never committed, and previous objects
 * that are still there. The scheduled handler calls it. It may be interrupted at any point and run
 * again. After enough statements it leaves the rest for the next time. It leaves out organizations that do not live in this
 * database: during a move, only the other database knows which objects are used.
 */
export async function sweepOrphans(db: D1Database, bucket: R2Bucket, now: number): Promise<number> {
  let deleted = 0;
  let statements = 0;
  for (;;) {
    const { results } = await db
      .prepare(
        `UPDATE calibration_orphan SET claimed_date = ?1 WHERE rowid IN
          (SELECT rowid FROM calibration_orphan WHERE create_date < ?2
            AND NOT EXISTS (SELECT 1 FROM export WHERE export.organization_uuid = calibration_orphan.organization_uuid)
            AND NOT EXISTS (SELECT 1 FROM organization WHERE organization.uuid = calibration_orphan.organization_uuid
              AND organization.residence IN ('ARRIVING', 'ELSEWHERE'))
            LIMIT ${SWEPT_AT_ONCE})
          RETURNING organization_uuid, object_key`,
      )
      .bind(now, now - ORPHAN_KEPT_MS)
      .all<{ organization_uuid: string; object_key: string }>();
    if (results.length > 0) {
      const groups = Map.groupBy(results, (row) => row.organization_uuid);
      statements += 1 + groups.size;
      for (const [organization, rows] of groups) {
        const keys = rows.map((row) => row.object_key);
        await deleteOwn(bucket, organization, keys);
        // The statements of the schedule may end before the next group. The next sweep continues there.
        await db
          .prepare(
            `DELETE FROM calibration_orphan WHERE organization_uuid = ?1
              AND object_key IN (SELECT value FROM json_each(?2))`,
          )
          .bind(organization, JSON.stringify(keys))
          .run();
      }
    }
    deleted += results.length;
    if (results.length < SWEPT_AT_ONCE || statements >= SWEEP_STATEMENTS) return deleted;
  }
}
