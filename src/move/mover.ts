import { bring, forgotten, isTakenOver, onlyIf, stored, untagged } from '../database/arrival.ts';
import {
  type Columns,
  columnsOf,
  deleteByKeys,
  deletionOfSome,
  insertRows,
  inventory,
  ROWS_AT_ONCE,
  type Row,
  readRows,
  rowsOf,
  selectByKeys,
} from '../database/rows.ts';
import { snapshotsOf } from '../database/snapshot.ts';
import { TENANT_ROWS, type TenantRows } from '../database/tenant.ts';
import { type Databases, MAIN } from '../lib/databases.ts';
import { canonicalJson } from '../lib/hash.ts';
import { newUuid } from '../lib/id.ts';
import { failureOf } from '../lib/store.ts';
import { TakenOver } from '../lib/taken-over.ts';
import { SECOND_MS } from '../lib/time.ts';
import { settingsColumns as settings } from '../writer/settings-table.ts';
import { type Captured, capture, capturedOf, capturedTables, endCapture, forget } from './capture.ts';
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
  #columns: ReadonlyMap<string, Columns> | undefined;
  #claimed = false;
  #rounds = 0;

  /** `tell` notes in the organization's log that it was moved; it may be asked to twice. */
  constructor(databases: Databases, move: Relocation, tell: (move: Relocation) => Promise<void>) {
    this.#databases = databases;
    this.#tell = tell;
    this.#move = { ...move };
    this.#source = databases.named(move.fromName);
    this.#target = databases.named(move.toName);
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
      await this.#abandon({ code: 'moveFailed', message: 'The rows could not be copied.' });
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
    const { organization, fromName, phase } = this.#move;
    await claimRelocation(this.#databases, this.#move, this.#claim);
    this.#claimed = true;
    if (!BRINGS_ROWS.includes(phase) && phase !== 'ABANDONED') return;
    await this.#source
      .prepare(
        `UPDATE organization SET arrival_claim = ?2
          WHERE uuid = ?1 AND residence IN ('HERE', 'FROZEN') AND coalesce(arrival_claim, '') < ?2`,
      )
      .bind(organization, this.#claim)
      .run();
    const row = await this.#settings();
    const names = [...settings, 'database_name', 'residence', 'arrival_claim'];
    const values = [...settings.map((name) => row[name]), stored(fromName), 'ARRIVING', this.#claim];
    await this.#target
      .prepare(
        `INSERT INTO organization (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
          ON CONFLICT (uuid) DO UPDATE SET residence = 'ARRIVING', database_name = excluded.database_name,
            arrival_claim = excluded.arrival_claim WHERE residence IN ('ARRIVING', 'ELSEWHERE')
              AND coalesce(arrival_claim, '') < excluded.arrival_claim`,
      )
      .bind(...values)
      .run();
  }

  /** What the source says of the organization. */
  async #settings(): Promise<Record<string, unknown>> {
    const [row] = await rowsOf(
      this.#source
        .prepare(`SELECT ${settings.join(', ')} FROM organization WHERE uuid = ?`)
        .bind(this.#move.organization),
    );
    if (!row) throw new Error('the organization has no row where it lives');
    return row;
  }

  /** Take away what is in the target, and begin to write down what changes in the source. */
  async #empty(): Promise<void> {
    const { organization } = this.#move;
    const deletion = await deletionOfSome(this.#target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#bring([deletion]);
      return this.#note('EMPTYING', {});
    }
    await this.#bring([
      this.#target.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
    ]);
    const there = await columnsOf(this.#target, TENANT_ROWS);
    for (const table of TENANT_ROWS) {
      if (canonicalJson(there.get(table.name)!) !== canonicalJson(await this.#columnsOf(table))) {
        throw new Error(`${table.name} differs`);
      }
    }
    await this.#source.batch([
      this.#source
        .prepare(onlyIf("residence IN ('HERE', 'FROZEN') AND arrival_claim = ?2"))
        .bind(organization, this.#claim),
      ...endCapture(this.#source, organization, TENANT_ROWS),
      ...TENANT_ROWS.flatMap((table) =>
        capture(this.#source, organization, table, this.#columns!.get(table.name)!),
      ),
    ]);
    await this.#note('COPYING', { table: 0, after: [] });
  }

  /** Copy the next rows: those of a table, and of tables behind it as long as they are few. */
  async #copy(): Promise<void> {
    let { table: at = 0, after = [] } = this.#move.progress;
    for (let copied = 0; at < TENANT_ROWS.length && copied < ROWS_AT_ONCE; ) {
      const table = TENANT_ROWS[at]!;
      const columns = await this.#columnsOf(table);
      const { rows, next } = await readRows(this.#source, table, columns, this.#move.organization, after);
      try {
        await this.#bring(insertRows(this.#target, table, columns, rows));
      } catch (error) {
        if (failureOf(error) !== 'collision') throw error;
        // A row that was copied has given way meanwhile to one of these.
        await this.#round();
        break;
      }
      copied += rows.length;
      if (next === null) at += 1;
      after = next ?? [];
    }
    if (at === TENANT_ROWS.length) return this.#note('CATCHING_UP', {});
    await this.#note('COPYING', { table: at, after });
  }

  async #catchUp(): Promise<void> {
    const copied = await this.#round();
    this.#rounds += 1;
    if (copied > FEW_ROWS && this.#rounds < ROUNDS_MAXIMUM) return this.#note('CATCHING_UP', {});
    await this.#reside(this.#source, 'FROZEN', 'HERE');
    this.#rounds = 0;
    await this.#note('FROZEN', {});
  }

  /** Copy what has changed last, look whether all is there, and leave. */
  async #leave(): Promise<void> {
    const { organization, fromName, toName } = this.#move;
    if (Date.now() - this.#move.phaseDate > FROZEN_MAXIMUM_MS) {
      await this.#reside(this.#source, 'HERE', 'FROZEN');
      return this.#note('CATCHING_UP', {});
    }
    // Who died may have frozen it, or not.
    await this.#reside(this.#source, 'FROZEN', 'HERE');
    while ((await this.#round()) > 0);
    const [here, there] = await Promise.all(
      [this.#source, this.#target].map((db) => inventory(db, TENANT_ROWS, organization)),
    );
    if (canonicalJson(here) !== canonicalJson(there)) {
      console.error(JSON.stringify({ move: this.#move.uuid, here, there }));
      return this.#abandon({ code: 'moveFailed', message: 'What was copied is not what was there.' });
    }
    await this.#source.batch([
      ...(fromName === MAIN ? untagged(this.#source, organization) : []),
      this.#source
        .prepare(
          `UPDATE organization SET residence = 'ELSEWHERE', database_name = ?2
            WHERE uuid = ?1 AND residence = 'FROZEN'
              AND NOT EXISTS (SELECT 1 FROM moved_row WHERE organization_uuid = ?1)`,
        )
        .bind(organization, stored(toName)),
    ]);
    if ((await this.#residence(this.#source)) !== 'ELSEWHERE') return this.#note('CATCHING_UP', {});
    await this.#note('LEFT', {});
  }

  /** Live in the target, as the organization was when it left. */
  async #arrive(): Promise<void> {
    const { organization, fromName, toName } = this.#move;
    const row = await this.#settings();
    await this.#target
      .prepare(
        `UPDATE organization SET ${settings.map((name, index) => `${name} = ?${index + 3}`).join(', ')},
          residence = 'HERE', database_name = ?2 WHERE uuid = ?1 AND residence = 'ARRIVING'`,
      )
      .bind(organization, stored(toName), ...settings.map((name) => row[name]))
      .run();
    if (fromName !== MAIN && toName !== MAIN) {
      await this.#databases
        .named(MAIN)
        .prepare("UPDATE organization SET database_name = ?2 WHERE uuid = ?1 AND residence = 'ELSEWHERE'")
        .bind(organization, toName)
        .run();
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
      this.#source.prepare(onlyIf("residence = 'ELSEWHERE'")).bind(organization),
      ...endCapture(this.#source, organization, TENANT_ROWS),
      ...(deletion ? [deletion] : []),
    ]);
    if (deletion) return this.#note('CLEARING', {});
    await this.#source.batch([
      this.#source.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
      ...(fromName === MAIN ? [] : [forgotten(this.#source, organization)]),
    ]);
    await this.#note('DONE', {});
  }

  /** Stay where it is: nothing that was copied remains. */
  async #goBack(): Promise<void> {
    const { organization, toName } = this.#move;
    await this.#reside(this.#source, 'HERE', 'FROZEN');
    await this.#source.batch(endCapture(this.#source, organization, TENANT_ROWS));
    const deletion = await deletionOfSome(this.#target, TENANT_ROWS, organization);
    if (deletion) {
      await this.#bring([deletion]);
      return this.#note('ABANDONED', {});
    }
    await this.#bring([
      this.#target.prepare('DELETE FROM list_total WHERE organization_uuid = ?').bind(organization),
      toName === MAIN
        ? this.#target
            .prepare(
              `UPDATE organization SET residence = 'ELSEWHERE'
                WHERE uuid = ? AND residence = 'ARRIVING'`,
            )
            .bind(organization)
        : forgotten(this.#target, organization),
    ]);
    await this.#note('DONE', {});
  }

  /** Copy again what has changed since it was copied; how many rows that were. */
  async #round(): Promise<number> {
    const changed = new Set(
      (await rowsOf(capturedTables(this.#source, this.#move.organization))).map(({ name }) => name),
    );
    let copied = 0;
    for (const table of TENANT_ROWS) {
      if (changed.has(table.name)) copied += await this.#copyChanged(table);
    }
    return copied;
  }

  async #copyChanged(table: TenantRows): Promise<number> {
    const { organization } = this.#move;
    const columns = await this.#columnsOf(table);
    let copied = 0;
    for (;;) {
      const captured = (await rowsOf(
        capturedOf(this.#source, organization, table.name, ROWS_AT_ONCE),
      )) as unknown as Captured[];
      if (captured.length === 0) return copied;
      const keys = captured.map(({ rowKey }) => rowKey);
      const found = await rowsOf(selectByKeys(this.#source, table, columns, organization, keys));
      const rows: Row[] = found.map((row) => columns.names.map((name) => row[name]));
      const there = new Set(found.map((row) => JSON.stringify(table.key.map((name) => row[name]))));
      // Rows that keep their place stay; others go first, as one may have what another has given up.
      const gone = table.ordered ? keys.filter((key) => !there.has(key)) : keys;
      await this.#bring([
        ...(gone.length > 0 ? [deleteByKeys(this.#target, table, organization, gone)] : []),
        ...insertRows(this.#target, table, columns, rows),
      ]);
      await forget(this.#source, organization, captured).run();
      copied += captured.length;
      // Others change while these are copied: they are for the next round.
      if (captured.length < ROWS_AT_ONCE) return copied;
    }
  }

  /** Change rows in the target, as the one who brings them. */
  #bring(statements: readonly D1PreparedStatement[]): Promise<void> {
    return bring(this.#target, this.#move.organization, this.#claim, statements);
  }

  async #reside(db: D1Database, to: 'HERE' | 'FROZEN', from: 'HERE' | 'FROZEN'): Promise<void> {
    await db
      .prepare('UPDATE organization SET residence = ?2 WHERE uuid = ?1 AND residence = ?3')
      .bind(this.#move.organization, to, from)
      .run();
  }

  async #residence(db: D1Database): Promise<unknown> {
    const [row] = await rowsOf(
      db.prepare('SELECT residence FROM organization WHERE uuid = ?').bind(this.#move.organization),
    );
    return row?.['residence'];
  }

  async #columnsOf({ name }: TenantRows): Promise<Columns> {
    this.#columns ??= await columnsOf(this.#source, TENANT_ROWS);
    return this.#columns.get(name)!;
  }

  async #abandon(error: MoveError): Promise<void> {
    await this.#note('ABANDONED', {}, error);
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
