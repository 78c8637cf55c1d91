import { type SQL, sql } from 'drizzle-orm';
import { Database, unscoped } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { MINUTE_MS } from '../../core/lib/time.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';

/** The columns that are equal in `DB` and in the database where the organization lives. */
const SHARED = [...settingsColumns, 'database_name'];
const columns = sql.join(
  SHARED.map((name) => sql.identifier(name)),
  sql`, `,
);

/** How long a change may take before the schedule settles it. */
const LATE_MS = MINUTE_MS;
/** The most organizations that one run of the schedule settles. */
const SETTLED_MAXIMUM = 100;

type Row = Record<string, string | number | null>;

/** `DB` without the scope of an organization, for its rows about all of them. */
const directory = (databases: Databases): Database => new Database(NO_ORGANIZATION, databases);

const databaseNameOf = (row: Row): string => (row['database_name'] as string | null) ?? MAIN;

/**
 * Make `DB` and the database of an organization agree about it: create it there if it is only planned, and then copy
 * its settings to `DB`. Repeating this changes nothing.
 */
export async function syncDirectory(databases: Databases, uuid: string): Promise<void> {
  const known = await directory(databases).first(
    sql<Row>`SELECT residence, ${columns} FROM organization WHERE uuid = ${uuid} AND ${NO_ORGANIZATION} <> ${uuid}`,
  );
  if (!known || !['PLANNED', 'ELSEWHERE'].includes(String(known['residence']))) return;
  const name = databaseNameOf(known);
  if (known['residence'] === 'PLANNED') {
    const { residence: _, ...row } = known;
    await begin(databases, name, row);
  }
  const [there] = await unscoped(
    databases.named(name),
    sql<Row>`SELECT ${columns} FROM organization WHERE uuid = ${uuid} AND residence = 'HERE'`,
  );
  // It is moving to yet another database, whose row will be copied.
  if (!there) return;
  await directory(databases).send([
    sql`UPDATE organization SET (${columns}) = ${values(there)}, residence = 'ELSEWHERE', unsettled_date = NULL
      WHERE uuid = ${uuid} AND residence IN ('PLANNED', 'ELSEWHERE') AND database_name = ${name}
        AND ${NO_ORGANIZATION} <> ${uuid}`,
  ]);
}

/** Create an organization in a database from the planned row. */
async function begin(databases: Databases, name: string, row: Row): Promise<void> {
  await new Database(NO_ORGANIZATION, databases, { at: name }).send([
    sql`INSERT INTO organization (${columns}) SELECT * FROM ${values(row)}
      WHERE ${NO_ORGANIZATION} <> ${row['uuid']} ON CONFLICT (uuid) DO NOTHING`,
  ]);
}

/** The values of the shared columns in their order. */
const values = (row: Row): SQL => {
  const json = JSON.stringify(SHARED.map((name) => row[name]));
  const each = SHARED.map((_, index) => sql.raw(`json_extract(value, '$[${index}]')`));
  return sql`(SELECT ${sql.join(each, sql`, `)} FROM json_each(json_array(json(${json}))))`;
};

/** Whether an organization lives in another database than `DB`. */
export async function livesElsewhere(databases: Databases, uuid: string): Promise<boolean> {
  if (databases.names.length === 1) return false;
  const row = await directory(databases).first(
    sql<Row>`SELECT 1 FROM organization WHERE uuid = ${uuid} AND residence = 'ELSEWHERE' AND ${NO_ORGANIZATION} <> ${uuid}`,
  );
  return row !== undefined;
}

/**
 * Mark an organization in another database than `DB` as about to change, and reserve its new slug, which is unique.
 * `settle` has to follow, whatever becomes of the change; otherwise the schedule does it. @throws a collision where the
 * slug is in use
 */
export async function beginChange(
  databases: Databases,
  uuid: string,
  slug: string | undefined,
  now: number,
): Promise<void> {
  await directory(databases).send([
    sql`UPDATE organization SET slug = coalesce(${slug ?? null}, slug), unsettled_date = ${now}
      WHERE uuid = ${uuid} AND residence = 'ELSEWHERE' AND ${NO_ORGANIZATION} <> ${uuid}`,
  ]);
}

/** Settle changes that were begun and not finished. For the scheduled handler. */
export async function syncDirectoryLate(databases: Databases, now: number): Promise<void> {
  const late = await unscoped(
    databases.named(MAIN),
    sql<{ uuid: string }>`SELECT uuid FROM organization WHERE unsettled_date < ${now - LATE_MS}
      ORDER BY unsettled_date LIMIT ${SETTLED_MAXIMUM}`,
  );
  for (const { uuid } of late) {
    // One whose database does not respond does not hold up others; the next run tries again.
    await syncDirectory(databases, uuid).catch((error) =>
      console.warn(JSON.stringify({ organization: uuid, settle: String(error) })),
    );
  }
}
