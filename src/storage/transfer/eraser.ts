import { bring, onlyIf } from '../../access/database/arrival.ts';
import { deletionOfSome, rowsFrom } from '../../access/database/rows.ts';
import { endSnapshot, snapshotsOf } from '../../access/database/snapshot-end.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { forgetCached, looksOf } from '../../core/lib/document-cache.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { ANSWER_TABLES } from '../../core/writer/idempotency.ts';
import { deleteOwn } from '../../dispatch/calibration/objects.ts';
import { KEYS_AT_ONCE, objectsOf } from './objects.ts';

/** Tables that `TENANT_ROWS` leaves out. Their rows about the organization are deleted last. */
const OTHERS = ['list_part', 'recent_answer', 'departure_due', 'moved_row', 'export_row', 'sign_in_attempt'];
/** The maximum number of triggers of a snapshot that one step drops. */
const TRIGGERS_AT_ONCE = 40;
/** Tables with rows that name objects of the bucket. The keys of these objects do not show the organization. */
const NAMING = TENANT_ROWS.flatMap(({ name, objects }) =>
  objects && objects.keys !== 'OWN' ? [{ name, column: objects.column }] : [],
);
const PAST_MOVES =
  "DELETE FROM long_job WHERE organization_uuid = ? AND operation_type = 'ORGANIZATION_MOVE'";
const CLAIMED = "residence = 'ARRIVING' AND arrival_claim = ?2";

/** Deletes everything of an organization in pieces, as the holder of the claim. */
export class Eraser {
  readonly #databases: Databases;
  readonly #bucket: R2Bucket;
  readonly #organization: string;
  readonly #claim: string;

  constructor(databases: Databases, bucket: R2Bucket, organization: string, claim: string) {
    this.#databases = databases;
    this.#bucket = bucket;
    this.#organization = organization;
    this.#claim = claim;
  }

  /**
   * Delete the next piece: rows in the database with this index, then objects. Returns the index of the next piece;
   * undefined if only the last rows in `DB` are left.
   */
  async some(index: number): Promise<number | undefined> {
    const name = this.#databases.names[index];
    if (name !== undefined) {
      const db = this.#databases.named(name);
      if (!(await this.#ofDatabase(db))) return index;
      await this.#rest(db, name === MAIN);
      return index + 1;
    }
    return (await this.#objects()) ? undefined : index;
  }

  async #ofDatabase(db: D1Database): Promise<boolean> {
    const [snapshot] = await snapshotsOf(db, this.#organization);
    if (snapshot) {
      await endSnapshot(db, String(snapshot['uuid']), TRIGGERS_AT_ONCE);
      return false;
    }
    // A row that names an object is deleted after the object. Otherwise nobody could find the object.
    for (const { name, column } of NAMING) {
      const named = await rowsFrom(
        db
          .prepare(`SELECT ${column} AS key FROM ${name} WHERE organization_uuid = ? LIMIT ${KEYS_AT_ONCE}`)
          .bind(this.#organization),
      );
      if (named.length === 0) continue;
      const keys = named.map(({ key }) => String(key));
      await deleteOwn(this.#bucket, this.#organization, keys);
      const deletion = db
        .prepare(
          `DELETE FROM ${name} WHERE organization_uuid = ?1 AND ${column} IN (SELECT value FROM json_each(?2))`,
        )
        .bind(this.#organization, JSON.stringify(keys));
      await bring(db, this.#organization, this.#claim, [deletion]);
      return false;
    }
    const deletion = await deletionOfSome(db, TENANT_ROWS, this.#organization);
    if (!deletion) return true;
    await bring(db, this.#organization, this.#claim, [deletion]);
    return false;
  }

  async #objects(): Promise<boolean> {
    const keys: string[] = [];
    const looks: string[] = [];
    for await (const { key, customMetadata } of objectsOf(this.#bucket, this.#organization)) {
      keys.push(key);
      for (const look of looksOf(customMetadata)) looks.push(look);
      if (keys.length === KEYS_AT_ONCE) break;
    }
    if (keys.length > 0) await this.#bucket.delete(keys);
    // Only the cache of this data centre can be reached.
    await Promise.all(looks.map(forgetCached));
    return keys.length < KEYS_AT_ONCE;
  }

  async #rest(db: D1Database, isMain: boolean): Promise<void> {
    await bring(db, this.#organization, this.#claim, [
      ...OTHERS.map((table) =>
        db.prepare(`DELETE FROM ${table} WHERE organization_uuid = ?`).bind(this.#organization),
      ),
      db.prepare(isMain ? PAST_MOVES : 'DELETE FROM organization WHERE uuid = ?').bind(this.#organization),
    ]).catch(async (error) => {
      // If the organization's row is missing here, an earlier process has already deleted it, so nothing is left.
      const rows = await rowsFrom(
        db.prepare('SELECT 1 FROM organization WHERE uuid = ?').bind(this.#organization),
      );
      if (isMain || rows.length > 0) throw error;
    });
  }

  /** Delete the last rows in `DB` and mark the job as finished, in one transaction. */
  async end(job: string): Promise<void> {
    const db = this.#databases.named(MAIN);
    const now = Date.now();
    await db.batch([
      db.prepare(onlyIf(CLAIMED)).bind(this.#organization, this.#claim),
      // Stored answers to the operator that name the organization.
      ...ANSWER_TABLES.map((table) =>
        db
          .prepare(`DELETE FROM ${table} WHERE organization_uuid = ?1 AND instr(body, ?2) > 0`)
          .bind(NO_ORGANIZATION, this.#organization),
      ),
      db.prepare('DELETE FROM organization WHERE uuid = ?').bind(this.#organization),
      db
        .prepare(
          `UPDATE long_job SET phase = 'DONE', phase_date = ?2, update_date = ?2, finish_date = ?2 WHERE uuid = ?1`,
        )
        .bind(job, now),
    ]);
  }
}
