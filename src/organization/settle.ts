import { type SQL, sql } from 'drizzle-orm';
import { Database, unscoped } from '../lib/database.ts';
import { type Databases, MAIN } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { MINUTE_MS } from '../lib/time.ts';
import { settingsColumns } from '../writer/settings-table.ts';

/** What the rows of an organization say alike in `DB` and where it lives. */
const SHARED = [...settingsColumns, 'database_name'];
const columns = sql.join(
  SHARED.map((name) => sql.identifier(name)),
  sql`, `,
);

/** How long who changes something of an organization has to have it settled. */
const LATE_MS = MINUTE_MS;
/** Organizations that one run of the schedule settles. */
const SETTLED_MAXIMUM = 100;

type Row = Record<string, string | number | null>;

/** `DB`, as who keeps what it knows of organizations writes to it: nothing of theirs. */
const directory = (databases: Databases): Database => new Database(NO_ORGANIZATION, databases);

const placeOf = (row: Row): string => (row['database_name'] as string | null) ?? MAIN;

/**
 * Make two databases say the same of an organization that lives in another one than `DB`: it begins there where it is
 * no more than planned, and then `DB` shows what it is there. Carried out twice it changes nothing.
 */
export async function settle(databases: Databases, uuid: string): Promise<void> {
  const known = await directory(databases).first(
    sql<Row>`SELECT residence, ${columns} FROM organization WHERE uuid = ${uuid} AND ${NO_ORGANIZATION} <> ${uuid}`,
  );
  if (!known || !['PLANNED', 'ELSEWHERE'].includes(String(known['residence']))) return;
  const name = placeOf(known);
  if (known['residence'] === 'PLANNED') {
    const { residence: _, ...row } = known;
    await begin(databases, name, row);
  }
  const [there] = await unscoped(
    databases.named(name),
    sql<Row>`SELECT ${columns} FROM organization WHERE uuid = ${uuid} AND residence = 'HERE'`,
  );
  // It is on its way to yet another one, whose row will be the one to show.
  if (!there) return;
  await directory(databases).send([
    sql`UPDATE organization SET (${columns}) = ${values(there)}, residence = 'ELSEWHERE', unsettled_date = NULL
      WHERE uuid = ${uuid} AND residence IN ('PLANNED', 'ELSEWHERE') AND database_name = ${name}
        AND ${NO_ORGANIZATION} <> ${uuid}`,
  ]);
}

/** Have an organization begin in a database, by the row that was planned. */
async function begin(databases: Databases, name: string, row: Row): Promise<void> {
  await new Database(NO_ORGANIZATION, databases, { at: name }).send([
    sql`INSERT INTO organization (${columns}) SELECT * FROM ${values(row)}
      WHERE ${NO_ORGANIZATION} <> ${row['uuid']} ON CONFLICT (uuid) DO NOTHING`,
  ]);
}

/** A row of the shared columns, in their order. */
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
 * Note that an organization that lives in another database than `DB` is about to change, and take its new slug for it: no
 * two have the same. `settle` is to follow, whatever comes of the change; where it does not, the schedule sees to it.
 * @throws a collision, where the slug is in use.
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

/** Settle what somebody began, and did not come to the end of. For the scheduled handler. */
export async function settleLate(databases: Databases, now: number): Promise<void> {
  const late = await unscoped(
    databases.named(MAIN),
    sql<{ uuid: string }>`SELECT uuid FROM organization WHERE unsettled_date < ${now - LATE_MS}
      ORDER BY unsettled_date LIMIT ${SETTLED_MAXIMUM}`,
  );
  for (const { uuid } of late) {
    // One whose database does not answer keeps nobody else waiting; the next run finds it again.
    await settle(databases, uuid).catch((error) =>
      console.warn(JSON.stringify({ organization: uuid, settle: String(error) })),
    );
  }
}
