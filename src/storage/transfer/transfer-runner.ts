import { sql } from 'drizzle-orm';
import { claimArrival, settingsIn, stored } from '../../access/database/arrival.ts';
import { inventory } from '../../access/database/rows.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { bytesOf } from '../../core/lib/bucket.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { TakenOver } from '../../core/lib/taken-over.ts';
import { HOUR_MS, SECOND_MS } from '../../core/lib/time.ts';
import { PhasedJob } from '../long-job/phased-job.ts';
import { Eraser } from './eraser.ts';
import { ImportWriter } from './import-writer.ts';
import { type ImportInput, importOf, type Transfer, type TransferPhase } from './store.ts';

/** How long a step writes rows. */
const STEP_MS = SECOND_MS;

/** The environment of an import or erasure. */
export interface Transferring {
  databases: Databases;
  bucket: R2Bucket;
  /** Make the object of the organization forget its state. */
  forget(organization: string): Promise<void>;
  /** Make the object of the organization run its jobs. */
  wake(organization: string): Promise<void>;
}

/** Carries out an import or an erasure of an organization. Each batch checks the claim on the organization. */
export class TransferRunner extends PhasedJob<Transfer> {
  readonly #with: Transferring;

  constructor(transferring: Transferring, job: Transfer) {
    super(transferring.databases, job);
    this.#with = transferring;
  }

  /** Clearing never gives up, because a user asked for the deletion. */
  protected readonly failurePolicy = { attempts: { IMPORTING: 5, ARRIVING: 5 }, pauseMaximumMs: HOUR_MS };

  protected readonly steps: Record<TransferPhase, () => Promise<void>> = {
    IMPORTING: () => this.#bring(),
    ARRIVING: () => this.#arrive(),
    CLEARING: () => this.#clear(),
    DONE: async () => undefined,
  };

  /** The piece that is being cleared. */
  get #piece(): number {
    return this.job.progress.piece ?? 0;
  }

  get #import(): ImportInput {
    return importOf(this.job)!;
  }

  get #target(): D1Database {
    return this.databases.named(this.#import.databaseName);
  }

  /** Claim the organization in the databases that the phase changes. */
  protected async take(): Promise<void> {
    const { databases } = this;
    const { phase, organization } = this.job;
    const main = databases.named(MAIN);
    const settings = await settingsIn(main, organization);
    if (!settings) {
      // So there is nothing to be carried on or cleared.
      await this.note(
        'DONE',
        {},
        { error: { code: 'importFailed', message: 'The organization has no row.' } },
      );
      throw new TakenOver('the organization has no row');
    }
    const cleared = databases.names[this.#piece];
    const other =
      phase !== 'CLEARING' ? this.#target : cleared === undefined ? main : databases.named(cleared);
    const among = other === main ? [main] : [main, other];
    // A database in which the organization lives now is left alone.
    const also: Record<TransferPhase, string> = {
      IMPORTING: "OR residence = 'ELSEWHERE'",
      ARRIVING: '',
      CLEARING: "OR residence = 'ELSEWHERE' OR (residence = 'HERE' AND suspended_date IS NOT NULL)",
      DONE: '',
    };
    const condition = `residence = 'ARRIVING' ${also[phase]}`;
    for (const db of among) await claimArrival(db, settings, { claim: this.claim, sendTo: null, condition });
  }

  /** Write the next rows and objects; at the end, verify that all have arrived. */
  async #bring(): Promise<void> {
    const { organization, progress } = this.job;
    const { bucket } = this.#with;
    const { offset = 0 } = progress;
    const staged = await bucket.get(this.#import.objectKey, { range: { offset } });
    if (!staged) return this.#abandon('The export is not there any more.');
    const to = { db: this.#target, bucket, organization, claim: this.claim };
    const bringing = new ImportWriter(to, offset);
    const isAll = await bringing.lines(bytesOf(staged), Date.now() + STEP_MS);
    if (!isAll) return this.note('IMPORTING', { offset: bringing.offset });
    const found = await inventory(this.#target, TENANT_ROWS, organization);
    if (!this.#isWhole(found)) {
      console.error(JSON.stringify({ job: this.job.uuid, found, wanted: this.#import }));
      return this.#abandon('The imported rows differ from the export.');
    }
    await this.note('ARRIVING', {});
  }

  #isWhole({ end, totals, ...counts }: Record<string, unknown>): boolean {
    const { sequenceNumber, listTotals, counts: wanted } = this.#import;
    const last = (end as { sequence_number: number } | null)?.sequence_number ?? 0;
    const found = [last, JSON.parse(String(totals)), counts];
    return canonicalJson(found) === canonicalJson([sequenceNumber, listTotals, wanted]);
  }

  /** Make the organization live here from now on. */
  async #arrive(): Promise<void> {
    const { databases, bucket, forget, wake } = this.#with;
    const { organization } = this.job;
    const { databaseName, objectKey } = this.#import;
    // This call may create the object, beside the remembered database.
    databases.remember(organization, databaseName);
    await forget(organization);
    await bucket.delete(objectKey);
    if (databaseName !== MAIN) {
      await this.#target
        .prepare(
          `UPDATE organization SET residence = 'HERE', database_name = ?3, arrival_claim = NULL
            WHERE uuid = ?1 AND residence = 'ARRIVING' AND arrival_claim = ?2`,
        )
        .bind(organization, this.claim, stored(databaseName))
        .run();
    }
    const residence = databaseName === MAIN ? 'HERE' : 'ELSEWHERE';
    // An organization that is shown can also be erased or moved, because its import has ended.
    await this.note(
      'DONE',
      {},
      {
        also: (service) => [
          sql`UPDATE organization SET residence = ${residence}, database_name = ${stored(databaseName)},
            arrival_claim = NULL
          WHERE uuid = ${organization} AND residence = 'ARRIVING' AND arrival_claim = ${this.claim}
            AND uuid <> ${service.organization}`,
        ],
      },
    );
    // If its object cannot be woken now, the schedule wakes it.
    await wake(organization).catch((error) =>
      console.warn(JSON.stringify({ organization, wake: String(error) })),
    );
  }

  /** Delete everything of the organization, a piece in each step. */
  async #clear(): Promise<void> {
    const { databases, bucket, forget } = this.#with;
    const { organization } = this.job;
    const clearing = new Eraser(databases, bucket, organization, this.claim);
    const next = await clearing.some(this.#piece);
    if (next !== undefined) {
      // Each database needs its own claim.
      this.isTaken = next === this.#piece;
      return this.note('CLEARING', { piece: next });
    }
    await forget(organization);
    const received = importOf(this.job);
    if (received) await bucket.delete(received.objectKey);
    await clearing.end(this.job.uuid);
    this.job.phase = 'DONE';
  }

  protected giveUp(): Promise<void> {
    return this.#abandon('The rows could not be imported.');
  }

  /** Make sure that nothing of a failed import remains. */
  async #abandon(message: string): Promise<void> {
    await this.note('CLEARING', {}, { error: { code: 'importFailed', message } });
    // Clearing needs a claim in all databases.
    this.isTaken = false;
  }
}
