import { inventory } from '../../access/database/rows.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { syncDirectory } from '../../access/organization/directory.ts';
import { bytesOf } from '../../core/lib/bucket.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { linesOf } from '../../core/lib/lines.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import { MoveRunner } from '../move/move-runner.ts';
import type { MoveProgress, Phase, Relocation } from '../move/store.ts';
import type { Header } from '../transfer/format.ts';
import { ImportWriter } from '../transfer/import-writer.ts';
import { lineReader } from '../transfer/line.ts';
import type { LogEnd } from '../transfer/log-walk.ts';
import { checkPart } from './check.ts';
import { partKey } from './objects.ts';
import type { RestoreInput } from './store.ts';
import { addUnnamed } from './unnamed.ts';

/** How long a step writes rows. */
const STEP_MS = SECOND_MS;
/**
 * Tables that are not restored. Everybody signs in again, because sessions that were ended since the export would be
 * valid again.
 */
export const NOT_RESTORED: readonly string[] = ['session'];
/** Settings that an organization keeps: its identity, and the decision of the operator to suspend it. */
const KEPT_SETTINGS = ['uuid', 'slug', 'create_date', 'suspended_date'];

/** The progress of a restore. */
interface RestoreProgress extends MoveProgress {
  /** The part that is being read, and the bytes of it that have been written. */
  part?: number;
  offset?: number;
  /** While checking: the end of the log so far. */
  log?: LogEnd;
  /** The rows of the export by table. Kept until the end. */
  counts?: Record<string, number>;
}

/**
 * Restores an organization from a nightly export. It brings the rows of the export to another database, and then moves the
 * organization there. Until all rows have arrived, the organization keeps its present rows, so a restore that fails changes
 * nothing. Its object keeps its watermark, so it declares a rewind with its first commit.
 */
export class RestoreRunner extends MoveRunner {
  readonly #bucket: R2Bucket;
  readonly #input: RestoreInput;

  constructor(
    databases: Databases,
    bucket: R2Bucket,
    restore: Relocation,
    tell: (restore: Relocation) => Promise<void>,
  ) {
    super(databases, restore, tell);
    this.#bucket = bucket;
    this.#input = restore.input as RestoreInput;
  }

  get #progress(): RestoreProgress {
    return this.job.progress;
  }

  protected override note(
    phase: Phase,
    progress: RestoreProgress,
    options?: Parameters<MoveRunner['note']>[2],
  ): Promise<void> {
    const { counts } = this.#progress;
    return super.note(phase, { ...(counts ? { counts } : {}), ...progress } as MoveProgress, options);
  }

  protected override giveUp(): Promise<void> {
    return this.abandon('The export could not be restored.');
  }

  protected override abandon(message: string): Promise<void> {
    // Nothing was changed while the export was verified.
    const phase = this.job.phase === 'CHECKING' ? 'DONE' : 'ABANDONED';
    return this.note(phase, {}, { error: { code: 'restoreFailed', message } });
  }

  /** Verify the next part of the export. */
  protected override async check(): Promise<void> {
    const { digests, sequenceNumber, dryRun } = this.#input;
    const { part = 1, log, counts: before = {} } = this.#progress;
    const found = await this.#part(part);
    if (!found) return this.abandon(`Part ${part} of the export is not there any more.`);
    const checked = await checkPart(bytesOf(found), log);
    const fault = checked.sha256 === digests[part - 1] ? checked.fault : 'it was changed or damaged';
    if (fault !== undefined) return this.abandon(`Part ${part} of the export cannot be restored: ${fault}.`);
    const counts = { ...before };
    for (const [table, count] of Object.entries(checked.counts)) counts[table] = (counts[table] ?? 0) + count;
    if (part < digests.length) return this.note('CHECKING', { part: part + 1, log: checked.log, counts });
    if (checked.log.last !== sequenceNumber) return this.abandon('The log of the export is incomplete.');
    await this.note(dryRun ? 'DONE' : 'EMPTYING', { counts });
  }

  /** Nothing of the present rows is copied, so their changes are not recorded. */
  protected override begin(): Promise<void> {
    return this.note('COPYING', {});
  }

  /** Write the next rows of the export. */
  protected override async copy(): Promise<void> {
    const { digests } = this.#input;
    const { part = 1, offset = 0 } = this.#progress;
    const found = await this.#part(part, offset);
    if (!found) return this.abandon('The export is not there any more.');
    const to = { db: this.target, bucket: this.#bucket, organization: this.route.organization };
    const writer = new ImportWriter({ ...to, claim: this.claim, without: NOT_RESTORED }, offset);
    const isAll = await writer.lines(bytesOf(found), Date.now() + STEP_MS);
    if (!isAll) return this.note('COPYING', { part, offset: writer.offset });
    await this.note(part < digests.length ? 'COPYING' : 'CATCHING_UP', { part: part + 1 });
  }

  protected override catchUp(): Promise<void> {
    return this.freeze();
  }

  /** Whether the rows in the target are those of the export. */
  protected override async isComplete(): Promise<boolean> {
    const { organization } = this.route;
    const [{ listTotals }] = await this.#head();
    const { end, totals, ...found } = await inventory(this.target, TENANT_ROWS, organization);
    const counts = Object.fromEntries(
      TENANT_ROWS.map(({ name }) => [
        name,
        NOT_RESTORED.includes(name) ? 0 : (this.#progress.counts?.[name] ?? 0),
      ]),
    );
    const last = (end as { sequence_number: number } | null)?.sequence_number ?? 0;
    const there = canonicalJson([last, JSON.parse(String(totals)), found]);
    const wanted = canonicalJson([this.#input.sequenceNumber, listTotals, counts]);
    if (there !== wanted) {
      console.error(JSON.stringify({ job: this.job.uuid, there, wanted }));
      return false;
    }
    await addUnnamed(this.source, this.target, organization, this.claim);
    return true;
  }

  /** Restore the settings, in `DB` too. */
  protected override async arrived(): Promise<void> {
    const [, settings] = await this.#head();
    const { organization, toName } = this.route;
    const names = settingsColumns.filter((name) => name in settings && !KEPT_SETTINGS.includes(name));
    await this.target
      .prepare(
        `UPDATE organization SET ${names.map((name, index) => `${name} = ?${index + 2}`).join(', ')}
          WHERE uuid = ?1 AND residence = 'HERE'`,
      )
      .bind(organization, ...names.map((name) => settings[name]))
      .run();
    if (toName !== MAIN) await syncDirectory(this.databases, organization);
  }

  #part(part: number, offset = 0): Promise<R2ObjectBody | null> {
    return this.#bucket.get(partKey(this.route.organization, this.#input.exportDate, part), {
      range: { offset },
    });
  }

  /** The first two lines of the export: its header, and the row of the organization. */
  async #head(): Promise<[Header, Record<string, unknown>]> {
    const found = await this.#part(1);
    if (!found) throw new Error('the export is not there any more');
    const lines = linesOf(bytesOf(found), lineReader.limits.bytes);
    const [header, own] = [await lines.next(), await lines.next()];
    await lines.return(undefined);
    return [JSON.parse(String(header.value)), JSON.parse(String(own.value)).values];
  }
}
