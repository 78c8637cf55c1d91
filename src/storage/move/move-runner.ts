import { forgotten } from '../../access/database/arrival.ts';
import { deletionOfSome, inventory, rowsFrom } from '../../access/database/rows.ts';
import { snapshotsOf } from '../../access/database/snapshot-end.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { PhasedJob } from '../long-job/phased-job.ts';
import { capture, endCapture } from './capture.ts';
import { RowCopier } from './copier.ts';
import {
  arrive,
  claimSource,
  claimTarget,
  direct,
  leaving,
  livesThere,
  reside,
  type Seen,
  seenIn,
  taking,
  turnedBack,
  unlessThere,
} from './location.ts';
import type { Phase, Relocation, Route } from './store.ts';

/** When at most this many rows have changed, writes are frozen and the rest is copied. */
const FEW_ROWS = 100;
/** After this many rounds writes are frozen in any case, because rows change as fast as they are copied. */
const ROUNDS_MAXIMUM = 20;
/** How long writes stay frozen. After that they are allowed again, and the move tries again later. */
const FROZEN_MAXIMUM_MS = 8 * SECOND_MS;
/** The number of tables whose triggers one step creates. Each has three. */
const CAPTURED_AT_ONCE = 13;
/** How soon to check again whether exports from the old database have ended. */
const EXPORT_PAUSE_MS = 250;

/** Deletes the totals of the organization's lists, and the date when its departures are checked. */
const derivedDeletions = (db: D1Database, organization: string): D1PreparedStatement[] =>
  (['list_part', 'departure_due'] as const).map((table) => deletionOf(db, table, organization));

const deletionOf = (
  db: D1Database,
  table: 'list_part' | 'departure_due',
  organization: string,
): D1PreparedStatement => db.prepare(`DELETE FROM ${table} WHERE organization_uuid = ?`).bind(organization);

/** The phases in which rows are copied to the target. */
const BRINGS_ROWS: readonly Phase[] = ['EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN'];

/**
 * Moves an organization to another database while it is in use. A runner can copy rows only while it holds the claim on
 * the organization. A runner that was replaced has lost the claim, so it cannot copy anything any more. An organization
 * leaves its database only when all changes since the copy have been copied as well.
 */
export class MoveRunner extends PhasedJob<Relocation> {
  protected readonly route: Route & { organization: string };
  readonly #tell: (move: Relocation) => Promise<void>;
  protected readonly source: D1Database;
  protected readonly target: D1Database;
  readonly #copier: RowCopier;

  /** `tell` records the move in the organization's log. It may be called twice. */
  constructor(databases: Databases, move: Relocation, tell: (move: Relocation) => Promise<void>) {
    super(databases, move);
    this.#tell = tell;
    const { organization, input } = move;
    this.route = { organization, ...input };
    this.source = databases.named(input.fromName);
    this.target = databases.named(input.toName);
    this.#copier = new RowCopier(organization, this.source, this.target, this.claim);
  }

  /**
   * The job gives up only before `LEFT`. Later phases are repeated soon, because the organization must not stay between
   * databases.
   */
  protected readonly failurePolicy = {
    attempts: Object.fromEntries(BRINGS_ROWS.map((phase) => [phase, 1])),
    pauseMaximumMs: 2 * SECOND_MS,
  };

  protected readonly steps: Record<Phase, () => Promise<void>> = {
    CHECKING: () => this.check(),
    EMPTYING: () => this.#empty(),
    COPYING: () => this.copy(),
    CATCHING_UP: () => this.catchUp(),
    FROZEN: () => this.#leave(),
    LEFT: () => this.#arrive(),
    CLEARING: () => this.#clear(),
    ABANDONED: () => this.#goBack(),
    DONE: async () => undefined,
  };

  /**
   * Mark the organization as arriving in the target, and claim its rows in both databases. Only a later claim can
   * replace a claim, because statements of an earlier process may arrive even after the move has ended.
   */
  protected async take(): Promise<void> {
    if (BRINGS_ROWS.includes(this.job.phase)) await this.#takeRows();
  }

  async #takeRows(): Promise<void> {
    await claimSource(this.source, this.route.organization, this.claim);
    await claimTarget(this.target, this.source, this.route, this.claim);
  }

  protected giveUp(): Promise<void> {
    return this.abandon('The rows could not be copied.');
  }

  protected abandon(message: string): Promise<void> {
    return this.note('ABANDONED', {}, { error: { code: 'moveFailed', message } });
  }

  /** Verify what is about to be brought. */
  protected check(): Promise<void> {
    return this.note('EMPTYING', {});
  }

  /** Delete what an earlier move left in the target. */
  async #empty(): Promise<void> {
    const { organization } = this.route;
    const deletion = await deletionOfSome(this.target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#copier.bring([deletion]);
      return this.note('EMPTYING', {});
    }
    await this.#copier.bring(derivedDeletions(this.target, organization));
    await this.begin();
  }

  /** Start recording changes in the source. */
  protected async begin(): Promise<void> {
    const { organization } = this.route;
    const claimed = taking(this.source, organization, this.claim);
    const { captured } = this.job.progress;
    if (captured === undefined) {
      await this.#copier.compareColumns();
      // Triggers of an earlier move may be left.
      const { statements, isAll } = await endCapture(this.source, organization);
      await this.source.batch([claimed, ...statements]);
      return this.note('EMPTYING', isAll ? { captured: 0 } : {});
    }
    const tables = TENANT_ROWS.slice(captured, captured + CAPTURED_AT_ONCE);
    const triggers: D1PreparedStatement[] = [];
    for (const table of tables) {
      const columns = await this.#copier.columnsOf(table);
      for (const trigger of capture(this.source, organization, table, columns)) triggers.push(trigger);
    }
    await this.source.batch([claimed, ...triggers]);
    const next = captured + tables.length;
    await (next < TENANT_ROWS.length ? this.note('EMPTYING', { captured: next }) : this.note('COPYING', {}));
  }

  protected async copy(): Promise<void> {
    const next = await this.#copier.copyNext(this.job.progress);
    await (next ? this.note('COPYING', next) : this.note('CATCHING_UP', {}));
  }

  protected async catchUp(): Promise<void> {
    const { copied, isAll } = await this.#copier.copyChanged();
    const rounds = (this.job.progress.rounds ?? 0) + Number(isAll);
    if (!isAll || (copied > FEW_ROWS && rounds < ROUNDS_MAXIMUM)) return this.note('CATCHING_UP', { rounds });
    await this.freeze();
  }

  /** Refuse writes from now on. */
  protected async freeze(): Promise<void> {
    await this.#reside('FROZEN').run();
    await this.note('FROZEN', {});
  }

  /** With writes frozen, copy the last changes, verify that all rows have arrived, and leave the source. */
  async #leave(): Promise<void> {
    if (Date.now() - this.job.phaseDate > FROZEN_MAXIMUM_MS) {
      await this.#reside('HERE').run();
      return this.note('CATCHING_UP', {});
    }
    // Freeze writes again, because an earlier process may have stopped when they were not frozen.
    await this.#reside('FROZEN').run();
    if ((await this.#copier.copyChanged()).copied > 0) return this.note('FROZEN', {});
    if (!(await this.isComplete())) {
      return this.abandon('The copied rows differ from the rows in the source.');
    }
    await leaving(this.source, this.route, this.claim).run();
    if ((await this.#seen()).residence !== 'ELSEWHERE') return this.note('CATCHING_UP', {});
    await this.note('LEFT', {});
  }

  /** Complete the copy while writes are frozen. Returns whether everything has arrived. */
  protected async isComplete(): Promise<boolean> {
    const { organization } = this.route;
    await this.#copyTotals();
    const [here, there] = await Promise.all(
      [this.source, this.target].map((db) => inventory(db, TENANT_ROWS, organization)),
    );
    if (canonicalJson(here) !== canonicalJson(there)) {
      console.error(JSON.stringify({ job: this.job.uuid, here, there }));
      return false;
    }
    await this.#copier.copyRecentAnswers();
    return true;
  }

  /**
   * Take the totals of lists from the source. A changed row is deleted in the target and copied again. Not every total has
   * a trigger for deletions, so the target may have counted such a row twice.
   */
  async #copyTotals(): Promise<void> {
    const { organization } = this.route;
    const totals = await rowsFrom(
      this.source.prepare('SELECT list, parts FROM list_part WHERE organization_uuid = ?').bind(organization),
    );
    await this.#copier.bring([
      deletionOf(this.target, 'list_part', organization),
      this.target
        .prepare("INSERT INTO list_part SELECT ?1, value ->> 'list', value ->> 'parts' FROM json_each(?2)")
        .bind(organization, JSON.stringify(totals)),
    ]);
  }

  /** From now on the organization lives in the target. It keeps the settings that it had when it left the source. */
  async #arrive(): Promise<void> {
    const { organization, fromName, toName } = this.route;
    await arrive(this.target, this.source, this.route);
    if (fromName !== MAIN && toName !== MAIN) {
      await direct(this.databases.named(MAIN), organization, toName);
    }
    this.databases.remember(organization, toName);
    await this.arrived();
    await this.#tell(this.job);
    await this.note('CLEARING', {});
  }

  /** The organization has just arrived, and its log does not say so yet. */
  protected async arrived(): Promise<void> {}

  async #clear(): Promise<void> {
    const { organization, fromName } = this.route;
    // While an export reads from the source, every deleted row is first copied for the export. So the rows are deleted
    // later.
    if ((await snapshotsOf(this.source, organization)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, EXPORT_PAUSE_MS));
      return this.note('CLEARING', {});
    }
    const { statements, isAll } = await endCapture(this.source, organization);
    const deletion = isAll ? await deletionOfSome(this.source, TENANT_ROWS, organization) : undefined;
    await this.source.batch([
      unlessThere(this.source, organization),
      ...statements,
      ...(deletion ? [deletion] : []),
    ]);
    if (deletion || !isAll) return this.note('CLEARING', {});
    await this.source.batch([
      unlessThere(this.source, organization),
      ...derivedDeletions(this.source, organization),
      ...(fromName === MAIN ? [] : [forgotten(this.source, organization)]),
    ]);
    await this.note('DONE', {});
  }

  /**
   * Undo the move: the organization stays in the source, and the copy in the target is deleted. If the organization has
   * left the source, nothing is deleted.
   */
  async #goBack(): Promise<void> {
    const { organization } = this.route;
    if (!livesThere(await this.#seen())) return this.note('DONE', {});
    await this.#takeRows();
    const { statements, isAll } = await endCapture(this.source, organization);
    await this.source.batch([
      taking(this.source, organization, this.claim),
      this.#reside('HERE'),
      ...statements,
    ]);
    if (!isAll) return this.note('ABANDONED', {});
    const deletion = await deletionOfSome(this.target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#copier.bring([deletion]);
      return this.note('ABANDONED', {});
    }
    await this.#copier.bring([
      ...derivedDeletions(this.target, organization),
      turnedBack(this.target, this.route),
    ]);
    await this.note('DONE', {});
  }

  #seen(): Promise<Seen> {
    return seenIn(this.source, this.route.fromName, this.route.organization);
  }

  #reside(to: 'HERE' | 'FROZEN'): D1PreparedStatement {
    return reside(this.source, this.route.organization, to, this.claim);
  }
}
