import { type SQL, sql } from 'drizzle-orm';
import { Database, unscoped } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { inPool } from '../../core/lib/pool.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';
import { settingsColumns } from '../../core/writer/settings-table.ts';
import { insertBuiltIn } from '../user/built-in-changes.ts';

/** The columns that are equal in `DB` and in the organization's database. */
const SHARED = [...settingsColumns, 'database_name'];
const columns = sql.join(
  SHARED.map((name) => sql.identifier(name)),
  sql`, `,
);

/** How long a change may take before the scheduled handler completes it. */
const LATE_MS = MINUTE_MS;
/** The maximum number of organizations in one run of the scheduled handler. */
const SETTLED_MAXIMUM = 100;
/** How many organizations are completed at the same time, and how long the next one waits for a slow one. */
const SETTLED = { atOnce: 4, patienceMs: 10 * SECOND_MS };

type Row = Record<string, string | number | null>;

/** `DB` without the scope of one organization. It is used for the rows that `DB` has for every organization. */
const directory = (databases: Databases): Database => new Database(NO_ORGANIZATION, databases);

const databaseNameOf = (row: Row): string => (row['database_name'] as string | null) ?? MAIN;

/**
 * Synchronise `DB` and the database of an organization: create the organization there if it is only planned, then copy
 * its settings to `DB`. May be repeated.
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
  // The organization is moving to another database. A later run copies its settings from there.
  if (!there) return;
  await directory(databases).send([
    sql`UPDATE organization SET (${columns}) = ${values(there)}, residence = 'ELSEWHERE', unsettled_date = NULL
      WHERE uuid = ${uuid} AND residence IN ('PLANNED', 'ELSEWHERE') AND database_name = ${name}
        AND ${NO_ORGANIZATION} <> ${uuid}`,
  ]);
}

/** Create an organization in a database from the planned row, with its built-in authorities. */
async function begin(databases: Databases, name: string, row: Row): Promise<void> {
  const there = new Database(NO_ORGANIZATION, databases, { at: name });
  await there.send([
    sql`INSERT INTO organization (${columns}) SELECT * FROM ${values(row)}
      WHERE ${NO_ORGANIZATION} <> ${row['uuid']} ON CONFLICT (uuid) DO NOTHING`,
    insertBuiltIn(there, String(row['uuid']), Number(row['create_date'])),
  ]);
}

/** The values of the shared columns, in order. */
const values = (row: Row): SQL => {
  const json = JSON.stringify(SHARED.map((name) => row[name]));
  const each = SHARED.map((_, index) => sql.raw(`json_extract(value, '$[${index}]')`));
  return sql`(SELECT ${sql.join(each, sql`, `)} FROM json_each(json_array(json(${json}))))`;
};

/** Whether an organization is in another database than `DB`. */
export async function livesElsewhere(databases: Databases, uuid: string): Promise<boolean> {
  if (databases.names.length === 1) return false;
  const row = await directory(databases).first(
    sql<Row>`SELECT 1 FROM organization WHERE uuid = ${uuid} AND residence = 'ELSEWHERE' AND ${NO_ORGANIZATION} <> ${uuid}`,
  );
  return row !== undefined;
}

/**
 * For an organization that is not in `DB`: mark its row in `DB` as changing, and reserve its new slug there. Slugs are
 * unique. Call `syncDirectory` after the change, whether it succeeded or not. Otherwise the scheduled handler calls it.
 * @throws a collision if the slug is in use
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

/** Complete changes that were started and not finished. For the scheduled handler. */
export async function syncDirectoryLate(databases: Databases, now: number): Promise<void> {
  const late = await unscoped(
    databases.named(MAIN),
    sql<{ uuid: string }>`SELECT uuid FROM organization WHERE unsettled_date < ${now - LATE_MS}
      ORDER BY unsettled_date LIMIT ${SETTLED_MAXIMUM}`,
  );
  // An organization whose database does not respond must not block others. The next run tries again.
  await inPool(late, SETTLED, ({ uuid }) =>
    syncDirectory(databases, uuid).catch((error) =>
      console.warn(JSON.stringify({ organization: uuid, settle: String(error) })),
    ),
  );
}
