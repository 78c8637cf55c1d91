import { isTakenOver, keepUntagged, stored } from '../../access/database/arrival.ts';
import { inventory, rowsFrom } from '../../access/database/rows.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { Database } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { NO_ORGANIZATION, newUuid } from '../../core/lib/id.ts';
import { failureOf } from '../../core/lib/store.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { settingsColumns as settings } from '../../core/writer/settings-table.ts';
import { Eraser } from './eraser.ts';
import { ImportWriter } from './import-writer.ts';
import {
  claimJob,
  endJob,
  failedOnce,
  type JobNote,
  type JobPhase,
  noteStatement,
  type OrganizationJob,
} from './store.ts';

/** How long a step writes rows. */
const STEP_MS = SECOND_MS;
/** An import is given up once a step has failed this often for a reason of its own. */
const FAILURES_MAXIMUM = 5;

/** The environment of a transfer job. */
export interface Carrying {
  databases: Databases;
  bucket: R2Bucket;
  /** Make the object of the organization forget its state. */
  forget(organization: string): Promise<void>;
  /** Make the object of the organization run its jobs. */
  wake(organization: string): Promise<void>;
}

/**
 * Carries out an import or an erasure of an organization. Every step may be repeated, and whoever takes over repeats
 * the step under way. A process that was replaced changes nothing any more, since each batch checks the claim.
 */
export class TransferRunner {
  readonly #with: Carrying;
  readonly #job: OrganizationJob;
  readonly #claim = newUuid();
  #claimed = false;

  constructor(carrying: Carrying, job: OrganizationJob) {
    this.#with = carrying;
    this.#job = { ...job };
  }

  /**
   * Take a step. Returns whether it was the last. @throws where a store does not respond, so the step has to be
   * repeated
   */
  async step(): Promise<boolean> {
    const { uuid, phase } = this.#job;
    try {
      if (!this.#claimed) await this.#take();
      await this.#steps[phase]();
    } catch (error) {
      if (isTakenOver(error)) throw new TakenOver(String(error));
      const kind = failureOf(error);
      if (kind !== 'defect' && kind !== 'collision') throw error;
      console.error(JSON.stringify({ job: uuid, phase, error: String(error) }));
      await this.#failed(kind, error);
    }
    return this.#job.phase === 'DONE';
  }

  /**
   * A step failed for a reason of its own. An import is given up: at once where rows collide with others, else after
   * some more attempts. Clearing is never given up, since it deletes what has to be deleted: it pauses for longer and
   * longer, up to an hour. @throws the error where the step is to be repeated
   */
  async #failed(kind: 'defect' | 'collision', error: unknown): Promise<void> {
    const { phase } = this.#job;
    const progress = failedOnce(this.#job.progress, Date.now());
    const isLast = kind === 'collision' || progress.failuresCount >= FAILURES_MAXIMUM;
    if (phase !== 'CLEARING' && isLast) return this.#abandon('The rows could not be brought.');
    await this.#note({ phase, progress });
    throw error;
  }

  readonly #steps: Record<JobPhase, () => Promise<void>> = {
    IMPORTING: () => this.#import(),
    ARRIVING: () => this.#arrive(),
    CLEARING: () => this.#clear(),
    DONE: async () => undefined,
  };

  get #target(): D1Database {
    return this.#with.databases.named(this.#job.input!.databaseName);
  }

  /** Claim the job. */
  async #take(): Promise<void> {
    const { databases } = this.#with;
    await claimJob(databases, this.#job.uuid, this.#claim);
    const { phase, organization } = this.#job;
    const main = databases.named(MAIN);
    const [row] = await rowsFrom(
      main.prepare(`SELECT ${settings.join(', ')} FROM organization WHERE uuid = ?`).bind(organization),
    );
    if (!row) {
      await endJob(databases, this.#job.uuid, this.#claim);
      throw new TakenOver('the organization has no row');
    }
    const among =
      phase === 'CLEARING'
        ? databases.names.map((name) => databases.named(name))
        : [main, ...(this.#target === main ? [] : [this.#target])];
    for (const db of among) await this.#claimIn(db, row, phase);
    this.#claimed = true;
  }

  /** Mark the organization as in transit in a database, where nobody sees it; not if it lives there now. */
  async #claimIn(db: D1Database, row: Record<string, unknown>, phase: JobPhase): Promise<void> {
    const names = [...settings, 'residence', 'arrival_claim'];
    const values = [...settings.map((name) => row[name]), 'ARRIVING', this.#claim];
    const also: Record<JobPhase, string> = {
      IMPORTING: "OR residence = 'ELSEWHERE'",
      ARRIVING: '',
      CLEARING: "OR residence = 'ELSEWHERE' OR (residence = 'HERE' AND suspended_date IS NOT NULL)",
      DONE: '',
    };
    await db
      .prepare(
        `INSERT INTO organization (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
          ON CONFLICT (uuid) DO UPDATE SET residence = 'ARRIVING', database_name = NULL,
            arrival_claim = excluded.arrival_claim WHERE residence = 'ARRIVING' ${also[phase]}`,
      )
      .bind(...values)
      .run();
  }

  /** Write the next rows and objects; at the end, verify that all have arrived. */
  async #import(): Promise<void> {
    const { organization, input, progress } = this.#job;
    const { bucket } = this.#with;
    const { offset = 0 } = progress;
    const staged = await bucket.get(input!.objectKey, { range: { offset } });
    if (!staged) return this.#abandon('The export is not there any more.');
    const to = { db: this.#target, bucket, organization, claim: this.#claim };
    const bringing = new ImportWriter(to, offset);
    const body = staged.body as unknown as AsyncIterable<Uint8Array>;
    const isAll = await bringing.lines(body, Date.now() + STEP_MS);
    if (!isAll) return this.#note({ phase: 'IMPORTING', progress: { offset: bringing.offset } });
    const found = await inventory(this.#target, TENANT_ROWS, organization);
    if (!this.#isWhole(found)) {
      console.error(JSON.stringify({ job: this.#job.uuid, found, wanted: input }));
      return this.#abandon('What was brought is not what the export has.');
    }
    await this.#note({ phase: 'ARRIVING', progress: {} });
  }

  #isWhole({ end, totals, ...counts }: Record<string, unknown>): boolean {
    const { sequenceNumber, listTotals, counts: wanted } = this.#job.input!;
    const last = (end as { sequence_number: number } | null)?.sequence_number ?? 0;
    const found = [last, JSON.parse(String(totals)), counts];
    return canonicalJson(found) === canonicalJson([sequenceNumber, listTotals, wanted]);
  }

  /** Make the organization live here from now on. */
  async #arrive(): Promise<void> {
    const { databases, bucket, forget, wake } = this.#with;
    const { organization, input } = this.#job;
    const { databaseName, objectKey } = input!;
    const main = databases.named(MAIN);
    if (databaseName !== MAIN) await keepUntagged(main, this.#target, organization);
    await forget(organization);
    await bucket.delete(objectKey);
    await this.#liveIn(this.#target, 'HERE');
    if (databaseName !== MAIN) await this.#liveIn(main, 'ELSEWHERE');
    databases.remember(organization, databaseName);
    // It lives. Where its object cannot be woken, the schedule does that.
    await wake(organization).catch((error) =>
      console.warn(JSON.stringify({ organization, wake: String(error) })),
    );
    await this.#note({ phase: 'DONE', progress: {} });
  }

  async #liveIn(db: D1Database, residence: 'HERE' | 'ELSEWHERE'): Promise<void> {
    const { organization, input } = this.#job;
    await db
      .prepare(
        `UPDATE organization SET residence = ?3, database_name = ?4, arrival_claim = NULL
          WHERE uuid = ?1 AND residence = 'ARRIVING' AND arrival_claim = ?2`,
      )
      .bind(organization, this.#claim, residence, stored(input!.databaseName))
      .run();
  }

  /** Delete what there is. */
  async #clear(): Promise<void> {
    const { databases, bucket, forget } = this.#with;
    const { organization, input } = this.#job;
    const clearing = new Eraser(databases, bucket, organization, this.#claim);
    if (!(await clearing.some())) return this.#note({ phase: 'CLEARING', progress: {} });
    await forget(organization);
    if (input) await bucket.delete(input.objectKey);
    await clearing.end(this.#job.uuid);
    this.#job.phase = 'DONE';
  }

  /** Make sure that nothing of a failed import remains. */
  async #abandon(message: string): Promise<void> {
    await this.#note({ phase: 'CLEARING', progress: {}, error: { code: 'importFailed', message } });
    // From now on, in all databases.
    this.#claimed = false;
  }

  async #note(note: JobNote): Promise<void> {
    const database = new Database(NO_ORGANIZATION, this.#with.databases);
    const [noted] = await database.all(noteStatement(database, this.#job.uuid, this.#claim, note));
    if (!noted) throw new TakenOver('the job is carried on by somebody else');
    Object.assign(this.#job, { phase: note.phase, progress: note.progress });
  }
}
