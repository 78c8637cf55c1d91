import { guard } from '../../core/lib/databases.ts';
import { uuidTime } from '../../core/lib/id.ts';
import { retried } from '../../core/lib/store.ts';
import { HOUR_MS, SECOND_MS } from '../../core/lib/time.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import { type Columns, columnsOf } from './columns.ts';
import { endSnapshot } from './snapshot-end.ts';
import { TENANT_ROWS, type TenantRows } from './tenant.ts';
import { createTriggers } from './triggers.ts';
import {
  list,
  type Page,
  type Place,
  pageOf,
  pageText,
  partsOf,
  quoted,
  type Source,
  storedRows,
} from './walk.ts';

/**
 * The maximum duration of an export, even if its reader continues. Retention and moves of the organization wait for it.
 */
export const EXPORT_LASTS_MS = HOUR_MS;
/** How often a snapshot is renewed while it is read. */
const RENEWED_MS = 30 * SECOND_MS;

/** A consistent snapshot of an organization. The organization stays in use while its rows are read. */
export interface Snapshot {
  uuid: string;
  organization: string;
  db: D1Database;
  columns: ReadonlyMap<string, Columns>;
  /** The end of each append-only table. */
  ends: ReadonlyMap<string, number>;
  /** When it was last marked as used (epoch milliseconds). */
  renewedDate: number;
  /** The number of statements that have read it in this invocation. */
  statements: number;
}

/** A snapshot that has just begun. */
export interface NewSnapshot extends Snapshot {
  /** The settings of the organization, by column. */
  settings: Record<string, unknown>;
  /** The totals of its lists: list, part, total. */
  totals: unknown[][];
}

/** The rows are no longer preserved: the export took too long, or the organization does not exist any more. */
export class SnapshotGone extends Error {
  override name = 'SnapshotGone';
}

/**
 * Start a snapshot: one transaction creates triggers that preserve every row before its first change. It also reads the
 * settings, the totals, and the end of each append-only table, which needs no triggers. So the organization is neither
 * frozen nor copied. Undefined if there is no such organization. @throws the error of the guard, if the organization is
 * elsewhere
 */
export async function beginSnapshot(
  db: D1Database,
  databaseName: string,
  organization: string,
  uuid: string,
): Promise<NewSnapshot | undefined> {
  const columns = await columnsOf(db, TENANT_ROWS);
  const growing = TENANT_ROWS.filter(endColumn);
  const results = await db.batch<Record<string, unknown>>([
    db.prepare(guard(organization, databaseName, false)!).bind(organization),
    ...TENANT_ROWS.flatMap((table) => triggersOf(db, organization, uuid, table, columns.get(table.name)!)),
    db
      .prepare('INSERT INTO export (uuid, organization_uuid, renewed_date) VALUES (?1, ?2, ?3)')
      .bind(uuid, organization, Date.now()),
    db
      .prepare(`SELECT ${settingsColumns.map(quoted).join(', ')} FROM organization WHERE uuid = ?1`)
      .bind(organization),
    db
      .prepare(
        'SELECT list, part, total FROM list_total WHERE organization_uuid = ?1 AND total <> 0 ORDER BY list, part',
      )
      .bind(organization),
    ...growing.map((table) =>
      db
        .prepare(
          `SELECT coalesce((SELECT ${quoted(endColumn(table)!)} FROM ${quoted(table.name)}
            WHERE organization_uuid = ?1 ORDER BY ${list(partsOf(table)[0]!.by)} DESC LIMIT 1), 0) AS last`,
        )
        .bind(organization),
    ),
  ]);
  const [settings, totals, ...ends] = results.slice(-growing.length - 2).map((result) => result.results);
  if (settings!.length === 0) {
    await endSnapshot(db, uuid);
    return undefined;
  }
  return {
    uuid,
    organization,
    db,
    columns,
    settings: settings![0]!,
    totals: totals!.map(({ list, part, total }) => [list, part, total]),
    ends: new Map(growing.map(({ name }, index) => [name, Number(ends[index]![0]!['last'])])),
    renewedDate: Date.now(),
    statements: 0,
  };
}

/** Continue to read a snapshot that an earlier request began. @throws `SnapshotGone` */
export async function resumeSnapshot(
  db: D1Database,
  organization: string,
  uuid: string,
  ends: ReadonlyMap<string, number>,
): Promise<Snapshot> {
  const columns = await columnsOf(db, TENANT_ROWS);
  const snapshot = { uuid, organization, db, columns, ends, renewedDate: 0, statements: 0 };
  await renewSnapshot(snapshot);
  return snapshot;
}

/**
 * For a view of an append-only table: the column that shows its end. Undefined for a table. Erasing a person and
 * retention change earlier rows of a view, so they wait for running exports.
 */
const endColumn = ({ storedIn }: TenantRows): string | undefined => storedIn?.end;

/** Create triggers that preserve each row before its first change. */
function triggersOf(
  db: D1Database,
  organization: string,
  uuid: string,
  table: TenantRows,
  { names, withoutRowid }: Columns,
): D1PreparedStatement[] {
  if (endColumn(table)) return [];
  const { name, key } = table;
  return createTriggers(db, 'export', uuid, table, (event) => {
    const row = event === 'INSERT' ? 'NEW' : 'OLD';
    const of = (column: string): string => `${row}.${quoted(column)}`;
    const was = event === 'INSERT' ? 'NULL' : `jsonb_array(${names.map(of).join(', ')})`;
    return {
      when: `${row}.organization_uuid = '${organization}'`,
      insert: `INSERT INTO export_row (export_uuid, organization_uuid, table_name, position, row_key, was)
        VALUES ('${uuid}', '${organization}', '${name}', ${withoutRowid ? '0' : `${row}.rowid`},
          json_array(${key.map(of).join(', ')}), ${was})
        ON CONFLICT DO NOTHING`,
    };
  });
}

/**
 * Read the next page of a table as of the snapshot. Rows that have changed since come from the preserved rows. A page
 * counts only if the snapshot still exists when it is renewed next.
 */
export async function readSnapshot(snapshot: Snapshot, table: TenantRows, place: Place): Promise<Page> {
  const { db, uuid, organization, ends } = snapshot;
  const columns = snapshot.columns.get(table.name)!;
  const grows = endColumn(table);
  const sources = grows
    ? [storedRows(table, columns, `t.${quoted(grows)} <= ${ends.get(table.name) ?? 0}`)]
    : [storedRows(table, columns, `NOT ${writtenDown(uuid, table)}`), rowsAsTheyWere(uuid, table, columns)];
  const { results } = await retried(() =>
    db
      .prepare(pageText(table, columns, place, sources))
      .bind(organization, ...place.after)
      .all<Record<string, unknown>>(),
  );
  snapshot.statements += 1;
  return pageOf(table, columns, place, results);
}

/** Preserved rows of an organization (`?1`). */
const rowsAsTheyWere = (uuid: string, { name }: TenantRows, { names }: Columns): Source => ({
  of: (column) => `e.was ->> ${names.indexOf(column)}`,
  rowid: 'e.position',
  bytes: `octet_length(e.was) + ${names.length * 8}`,
  from: `export_row e WHERE e.export_uuid = '${uuid}' AND e.table_name = '${name}' AND e.organization_uuid = ?1
    AND e.was IS NOT NULL`,
});

const writtenDown = (uuid: string, { name, key }: TenantRows): string => `EXISTS (SELECT 1 FROM export_row e
  WHERE e.export_uuid = '${uuid}' AND e.table_name = '${name}' AND e.row_key = json_array(${list(key, 't.')}))`;

/**
 * Mark the snapshot as still used. If it still exists, all pages that were read before are as of its instant.
 * @throws `SnapshotGone`
 */
export async function renewSnapshot(snapshot: Snapshot): Promise<void> {
  const { db, uuid, organization } = snapshot;
  if (Date.now() - uuidTime(uuid) > EXPORT_LASTS_MS) {
    await endSnapshot(db, uuid);
    throw new SnapshotGone('the export took too long');
  }
  const now = Date.now();
  const renewal = db
    .prepare(
      'UPDATE export SET renewed_date = ?3 WHERE uuid = ?1 AND organization_uuid = ?2 AND renewed_date > 0 RETURNING uuid',
    )
    .bind(uuid, organization, now);
  const { results } = await retried(() => renewal.all());
  if (results.length === 0) throw new SnapshotGone('the export was ended');
  snapshot.statements += 1;
  snapshot.renewedDate = now;
}

/** The same, if the last time was long ago. */
export async function keepSnapshot(snapshot: Snapshot): Promise<void> {
  if (Date.now() - snapshot.renewedDate > RENEWED_MS) await renewSnapshot(snapshot);
}
