import { guard } from '../../core/lib/databases.ts';
import { uuidTime } from '../../core/lib/id.ts';
import { retried } from '../../core/lib/store.ts';
import { HOUR_MS } from '../../core/lib/time.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import { type Columns, columnsOf, type Position, ROWS_AT_ONCE, type RowValues, SPAN } from './rows.ts';
import { endSnapshot } from './snapshot-end.ts';
import { TENANT_ROWS, type TenantRows } from './tenant.ts';
import { createTriggers } from './triggers.ts';

/**
 * The maximum duration of an export, even if its reader continues. Retention and moves of the organization wait for it.
 */
export const EXPORT_LASTS_MS = HOUR_MS;

const quoted = (name: string): string => `"${name}"`;

/** A consistent snapshot of an organization. The organization stays in use while its rows are read. */
export interface Snapshot {
  uuid: string;
  organization: string;
  db: D1Database;
  columns: ReadonlyMap<string, Columns>;
  /** The settings of the organization, by column. */
  settings: Record<string, unknown>;
  /** The end of each append-only table. */
  ends: ReadonlyMap<string, number>;
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
): Promise<Snapshot | undefined> {
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
          `SELECT coalesce(max(${quoted(endColumn(table)!)}), 0) AS last FROM ${quoted(table.name)}
            WHERE organization_uuid = ?1`,
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
  };
}

/**
 * For a view of an append-only table: the column that shows its end. Undefined for a table. Erasing a person and
 * retention change earlier rows of a view, so they wait for running exports.
 */
const endColumn = ({ storedIn: keptIn, key }: TenantRows): string | undefined =>
  keptIn ? key[0] : undefined;

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
 * Read the next rows of a table as of the snapshot, and return the position to continue at; null at the end. Rows that
 * have changed since come from the preserved rows. @throws `SnapshotGone`
 */
export async function readSnapshot(
  snapshot: Snapshot,
  table: TenantRows,
  after: Position,
): Promise<{ rows: RowValues[]; next: Position | null }> {
  const columns = snapshot.columns.get(table.name)!;
  return columns.withoutRowid
    ? byKey(snapshot, table, columns, after)
    : byRowid(snapshot, table, columns, after);
}

async function byRowid(
  snapshot: Snapshot,
  table: TenantRows,
  { names }: Columns,
  [from = 0]: Position,
): Promise<{ rows: RowValues[]; next: Position | null }> {
  const { db, uuid, organization } = snapshot;
  const of = quoted(table.name);
  const results = await renewing(snapshot, [
    db
      .prepare(
        `SELECT t.rowid AS "row id", ${columnList(names, 't')} FROM ${of} t
          WHERE t.rowid > ?3 AND t.rowid <= ?3 + ${SPAN} AND +t.organization_uuid = ?2 AND NOT ${writtenDown(table)}
        UNION ALL
        SELECT position, ${asWas(names)} FROM export_row
          WHERE export_uuid = ?1 AND table_name = '${table.name}' AND position > ?3 AND position <= ?3 + ${SPAN}
            AND was IS NOT NULL
        ORDER BY "row id" LIMIT ${ROWS_AT_ONCE}`,
      )
      .bind(uuid, organization, from),
    db
      .prepare(
        `SELECT min(next) AS next FROM (
          SELECT min(rowid) AS next FROM ${of} WHERE rowid > ?2 + ${SPAN}
          UNION ALL SELECT min(position) FROM export_row
            WHERE export_uuid = ?1 AND table_name = '${table.name}' AND position > ?2 + ${SPAN})`,
      )
      .bind(uuid, from),
  ]);
  const [page, beyond] = results;
  const rows = page!.map((row) => names.map((name) => row[name]));
  if (rows.length === ROWS_AT_ONCE) return { rows, next: [Number(page!.at(-1)!['row id'])] };
  const next = beyond![0]!['next'];
  return { rows, next: next === null ? null : [Number(next) - 1] };
}

async function byKey(
  snapshot: Snapshot,
  table: TenantRows,
  { names }: Columns,
  after: Position,
): Promise<{ rows: RowValues[]; next: Position | null }> {
  const { db, uuid, organization, ends } = snapshot;
  const { key, name } = table;
  const grows = endColumn(table);
  const given = key.map((_, index) => `?${index + 3}`).join(', ');
  const behind = (list: string): string => (after.length === 0 ? 'TRUE' : `(${list}) > (${given})`);
  const end = grows ? `t.${quoted(grows)} <= ${ends.get(name)!}` : `NOT ${writtenDown(table)}`;
  const [page] = await renewing(snapshot, [
    db
      .prepare(
        `SELECT ${columnList(names, 't')} FROM ${quoted(name)} t
          WHERE t.organization_uuid = ?2 AND ${behind(key.map((column) => `t.${quoted(column)}`).join(', '))} AND ${end}
        UNION ALL
        SELECT ${asWas(names)} FROM export_row
          WHERE export_uuid = ?1 AND table_name = '${name}' AND was IS NOT NULL
            AND ${behind(key.map((_, index) => `row_key ->> ${index}`).join(', '))}
        ORDER BY ${key.map(quoted).join(', ')} LIMIT ${ROWS_AT_ONCE}`,
      )
      .bind(uuid, organization, ...after),
  ]);
  const last = page!.at(-1);
  return {
    rows: page!.map((row) => names.map((column) => row[column])),
    next: last && page!.length === ROWS_AT_ONCE ? key.map((column) => last[column] as string | number) : null,
  };
}

const columnList = (names: readonly string[], of: string): string =>
  names.map((name) => `${of}.${quoted(name)}`).join(', ');
const asWas = (names: readonly string[]): string =>
  names.map((name, index) => `was ->> ${index} AS ${quoted(name)}`).join(', ');
const writtenDown = ({ name, key }: TenantRows): string => `EXISTS (SELECT 1 FROM export_row e
  WHERE e.export_uuid = ?1 AND e.table_name = '${name}'
    AND e.row_key = json_array(${key.map((column) => `t.${quoted(column)}`).join(', ')}))`;

/** Read rows, and renew the snapshot. @throws `SnapshotGone` */
async function renewing(
  snapshot: Snapshot,
  statements: readonly D1PreparedStatement[],
): Promise<Record<string, unknown>[][]> {
  if (Date.now() - uuidTime(snapshot.uuid) > EXPORT_LASTS_MS) {
    await endSnapshot(snapshot.db, snapshot.uuid);
    throw new SnapshotGone('the export took too long');
  }
  const results = await retried(() =>
    snapshot.db.batch<Record<string, unknown>>([renewal(snapshot), ...statements]),
  );
  const [renewed, ...pages] = results.map((result) => result.results);
  if (renewed!.length === 0) throw new SnapshotGone('the export was ended');
  return pages;
}

const renewal = ({ db, uuid }: Snapshot): D1PreparedStatement =>
  db.prepare('UPDATE export SET renewed_date = ?2 WHERE uuid = ?1 RETURNING uuid').bind(uuid, Date.now());

/** Mark the snapshot as still used. @throws `SnapshotGone` */
export async function renewSnapshot(snapshot: Snapshot): Promise<void> {
  await renewing(snapshot, []);
}
