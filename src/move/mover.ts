import { forgotten, isTakenOver, untagged } from '../database/arrival.ts';
import { columnsOf, deletionOfSome, inventory } from '../database/rows.ts';
import { snapshotsOf } from '../database/snapshot.ts';
import { TENANT_ROWS } from '../database/tenant.ts';
import { type Databases, MAIN } from '../lib/databases.ts';
import { canonicalJson } from '../lib/hash.ts';
import { newUuid } from '../lib/id.ts';
import { failureOf } from '../lib/store.ts';
import { TakenOver } from '../lib/taken-over.ts';
import { SECOND_MS } from '../lib/time.ts';
import { capture, endCapture } from './capture.ts';
import { Copier } from './copier.ts';
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
} from './residence.ts';
import {
  claimRelocation,
  type MoveError,
  noteProgress,
  type Phase,
  type Progress,
  type Relocation,
} from './store.ts';

/** So few rows that have changed are copied while nothing is written. */
const FEW_ROWS = 100;
/** Rounds after which it is frozen however much has changed: somebody writes as fast as it is copied. */
const ROUNDS_MAXIMUM = 20;
/** How long nothing is written; then it is thawed, and tried again. */
const FROZEN_MAXIMUM_MS = 8 * SECOND_MS;
/** How soon to look again whether exports of what is left behind have come to their end. */
const EXPORT_PAUSE_MS = 250;

/**
 * Moves an organization to another database while it works. Each step can be taken twice, and whoever takes over begins
 * with the one that was under way: what is copied is claimed first, so that one that was replaced copies nothing
 * any more, and an organization leaves only when nothing is left that has changed since it was copied.
 */
export class Mover {
  readonly #databases: Databases;
  readonly #move: Relocation;
  readonly #tell: (move: Relocation) => Promise<void>;
  readonly #source: D1Database;
  readonly #target: D1Database;
  readonly #claim = newUuid();
  readonly #copier: Copier;
  #claimed = false;
  #rounds = 0;

  /** `tell` notes in the organization's log that it was moved; it may be asked to twice. */
  constructor(databases: Databases, move: Relocation, tell: (move: Relocation) => Promise<void>) {
    this.#databases = databases;
    this.#tell = tell;
    this.#move = { ...move };
    this.#source = databases.named(move.fromName);
    this.#target = databases.named(move.toName);
    this.#copier = new Copier(move.organization, this.#source, this.#target, this.#claim);
  }

  /** Take a step; whether that was the last one. @throws where a database does not answer: it is to be tried again. */
  async step(): Promise<boolean> {
    const { phase } = this.#move;
    try {
      if (!this.#claimed) await this.#take();
      await this.#steps[phase]();
    } catch (error) {
      if (isTakenOver(error)) throw new TakenOver(String(error));
      const isOwn = ['defect', 'collision'].includes(failureOf(error));
      if (!isOwn || !BRINGS_ROWS.includes(phase)) throw error;
      console.error(JSON.stringify({ move: this.#move.uuid, phase, error: String(error) }));
      await this.#note('ABANDONED', {}, { code: 'moveFailed', message: 'The rows could not be copied.' });
    }
    return this.#move.phase === 'DONE';
  }

  readonly #steps: Record<Phase, () => Promise<void>> = {
    EMPTYING: () => this.#empty(),
    COPYING: () => this.#copy(),
    CATCHING_UP: () => this.#catchUp(),
    FROZEN: () => this.#leave(),
    LEFT: () => this.#arrive(),
    CLEARING: () => this.#clear(),
    ABANDONED: () => this.#goBack(),
    DONE: async () => undefined,
  };

  /**
   * Have the organization be on its way to the target, and be the one who takes its rows from the source and brings them
   * there. A claim is taken by a later one only: what an earlier mover sent may arrive when the move is over.
   */
  async #take(): Promise<void> {
    await claimRelocation(this.#databases, this.#move, this.#claim);
    this.#claimed = true;
    if (BRINGS_ROWS.includes(this.#move.phase)) await this.#takeRows();
  }

  async #takeRows(): Promise<void> {
    const { organization } = this.#move;
    await claimSource(this.#source, organization, this.#claim);
    await claimTarget(this.#target, this.#source, this.#move, this.#claim);
  }

  /** Take away what is in the target, and begin to write down what changes in the source. */
  async #empty(): Promise<void> {
    const { organization } = this.#move;
    const deletion = await deletionOfSome(this.#target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#copier.bring([deletion]);
      return this.#note('EMPTYING', {});
    }
    await this.#copier.bring([
      this.#target.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
    ]);
    const there = await columnsOf(this.#target, TENANT_ROWS);
    for (const table of TENANT_ROWS) {
      const columns = await this.#copier.columnsOf(table);
      if (canonicalJson(there.get(table.name)!) !== canonicalJson(columns)) {
        throw new Error(`${table.name} differs`);
      }
    }
    await this.#source.batch([
      taking(this.#source, organization, this.#claim),
      ...endCapture(this.#source, organization, TENANT_ROWS),
      ...TENANT_ROWS.flatMap((table) => capture(this.#source, organization, table, there.get(table.name)!)),
    ]);
    await this.#note('COPYING', { table: 0, after: [] });
  }

  async #copy(): Promise<void> {
    const next = await this.#copier.copyNext(this.#move.progress);
    await (next ? this.#note('COPYING', next) : this.#note('CATCHING_UP', {}));
  }

  async #catchUp(): Promise<void> {
    const copied = await this.#copier.copyChanged();
    this.#rounds += 1;
    if (copied > FEW_ROWS && this.#rounds < ROUNDS_MAXIMUM) return this.#note('CATCHING_UP', {});
    await this.#reside('FROZEN').run();
    this.#rounds = 0;
    await this.#note('FROZEN', {});
  }

  /** Copy what has changed last, look whether all is there, and leave. */
  async #leave(): Promise<void> {
    const { organization, fromName } = this.#move;
    if (Date.now() - this.#move.phaseDate > FROZEN_MAXIMUM_MS) {
      await this.#reside('HERE').run();
      return this.#note('CATCHING_UP', {});
    }
    // Who died may have frozen it, or not.
    await this.#reside('FROZEN').run();
    while ((await this.#copier.copyChanged()) > 0);
    const [here, there] = await Promise.all(
      [this.#source, this.#target].map((db) => inventory(db, TENANT_ROWS, organization)),
    );
    if (canonicalJson(here) !== canonicalJson(there)) {
      console.error(JSON.stringify({ move: this.#move.uuid, here, there }));
      return this.#note(
        'ABANDONED',
        {},
        { code: 'moveFailed', message: 'What was copied is not what was there.' },
      );
    }
    await this.#source.batch([
      ...(fromName === MAIN ? untagged(this.#source, organization) : []),
      leaving(this.#source, this.#move, this.#claim),
    ]);
    if ((await this.#seen()).residence !== 'ELSEWHERE') return this.#note('CATCHING_UP', {});
    await this.#note('LEFT', {});
  }

  /** Live in the target, as the organization was when it left. */
  async #arrive(): Promise<void> {
    const { organization, fromName, toName } = this.#move;
    await arrive(this.#target, this.#source, this.#move);
    if (fromName !== MAIN && toName !== MAIN) {
      await direct(this.#databases.named(MAIN), organization, toName);
    }
    this.#databases.remember(organization, toName);
    await this.#tell(this.#move);
    await this.#note('CLEARING', {});
  }

  async #clear(): Promise<void> {
    const { organization, fromName } = this.#move;
    // An export began before it left: its reader is to have the rows, which would all be written down otherwise.
    if ((await snapshotsOf(this.#source, organization)).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, EXPORT_PAUSE_MS));
      return this.#note('CLEARING', {});
    }
    const deletion = await deletionOfSome(this.#source, TENANT_ROWS, organization);
    await this.#source.batch([
      unlessThere(this.#source, organization),
      ...endCapture(this.#source, organization, TENANT_ROWS),
      ...(deletion ? [deletion] : []),
    ]);
    if (deletion) return this.#note('CLEARING', {});
    await this.#source.batch([
      unlessThere(this.#source, organization),
      this.#source.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
      ...(fromName === MAIN ? [] : [forgotten(this.#source, organization)]),
    ]);
    await this.#note('DONE', {});
  }

  /** Stay where it is: nothing that was copied remains. Of one that lives elsewhere nothing was copied from there. */
  async #goBack(): Promise<void> {
    const { organization } = this.#move;
    if (!livesThere(await this.#seen())) return this.#note('DONE', {});
    await this.#takeRows();
    await this.#source.batch([
      taking(this.#source, organization, this.#claim),
      this.#reside('HERE'),
      ...endCapture(this.#source, organization, TENANT_ROWS),
    ]);
    const deletion = await deletionOfSome(this.#target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#copier.bring([deletion]);
      return this.#note('ABANDONED', {});
    }
    await this.#copier.bring([
      this.#target.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
      turnedBack(this.#target, this.#move),
    ]);
    await this.#note('DONE', {});
  }

  #seen(): Promise<Seen> {
    return seenIn(this.#source, this.#move.fromName, this.#move.organization);
  }

  #reside(to: 'HERE' | 'FROZEN'): D1PreparedStatement {
    return reside(this.#source, this.#move.organization, to, this.#claim);
  }

  async #note(phase: Phase, progress: Progress, error?: MoveError): Promise<void> {
    const begins = phase !== this.#move.phase;
    await noteProgress(this.#databases, this.#move, phase, progress, {
      begins,
      claim: this.#claim,
      ...(error ? { error } : {}),
    });
    Object.assign(this.#move, { phase, progress, ...(begins ? { phaseDate: Date.now() } : {}) });
  }
}

/** Phases in which rows are brought to the target. */
const BRINGS_ROWS: readonly Phase[] = ['EMPTYING', 'COPYING', 'CATCHING_UP', 'FROZEN'];
