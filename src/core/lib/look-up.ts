import { type SQL, sql } from 'drizzle-orm';
import { unscoped, unscopedAsk } from './database.ts';
import { BETWEEN, betweenDatabases, type Databases, LIVES_NOWHERE, MAIN } from './databases.ts';
import { ROUTING_TAG_LENGTH } from './id.ts';
import { inList } from './sql.ts';

/** An SQL condition: the joined `organization` is in this database. */
export const livesHere: SQL = sql`organization.residence IN ('HERE', 'FROZEN')`;

/** An SQL condition on a row of `DB`: its organization is in one of the databases. */
export const livesSomewhere: SQL = sql.raw(`NOT ${LIVES_NOWHERE}`);

/** The maximum number of organizations in one run of the schedule. */
const ORGANIZATIONS_MAXIMUM = 1_000;

/** Organizations of a database that meet a condition and are not suspended. */
export async function organizationsWhere(db: D1Database, condition: SQL): Promise<string[]> {
  const found = await unscoped(
    db,
    sql<{ uuid: string }>`SELECT uuid FROM organization WHERE ${livesHere} AND suspended_date IS NULL
      AND ${condition} ORDER BY uuid LIMIT ${ORGANIZATIONS_MAXIMUM}`,
  );
  return found.map(({ uuid }) => uuid);
}

/** An organization, and the database that its row in `DB` names. */
interface OrganizationHome {
  uuid: string;
  databaseName: string;
}

/** How to find, through `DB`, a row that another database holds. */
interface Elsewhere {
  /** The key under which to remember the database. */
  key: string;
  /** A query for the databases that may hold the row. */
  candidates: SQL<OrganizationHome>;
}

/** Where the organization of a secret or a token may be. Its routing tag leads there. */
export const byTag = (tag: string): Elsewhere => ({
  key: tag,
  candidates: sql<OrganizationHome>`SELECT uuid, database_name AS "databaseName" FROM organization
    WHERE substr(uuid, ${sql.raw(`-${ROUTING_TAG_LENGTH}`)}) = ${tag} AND NOT ${livesHere} AND ${livesSomewhere}`,
});

/** Where the organization with this slug is. */
export const bySlug = (slug: string): Elsewhere => ({
  key: `slug ${slug}`,
  candidates: sql<OrganizationHome>`SELECT uuid, database_name AS "databaseName" FROM organization
    WHERE NOT ${livesHere} AND ${livesSomewhere} AND slug = ${slug}`,
});

/** The row that a look-up found, and the name of its database. */
export interface FoundRow<Row> {
  row: Row;
  databaseName: string;
}

/** The result of a look at some databases. */
interface Look<Row> {
  found?: FoundRow<Row> | undefined;
  /** Whether an organization that may have the row has left one of these databases, or has not arrived there yet. */
  isMoving: boolean;
}

/**
 * Find the row of a secret, a token or a slug, in any database. The row shows the organization. `DB` holds the row
 * itself, or `elsewhere` selects the databases that may hold it. If `DB` does not respond, all other databases are
 * asked, so that their organizations stay available. @param statement finds the row if its organization `livesHere`
 * @throws if the organization is between two databases for too long
 */
export async function lookUp<Row>(
  databases: Databases,
  statement: SQL<Row>,
  { key, candidates }: Elsewhere,
): Promise<FoundRow<Row> | undefined> {
  const databaseName = databases.databaseNameOf(key);
  if (databaseName !== MAIN) {
    const { found } = await lookIn(databases, [databaseName], statement);
    if (found) return found;
  }
  const deadline = Date.now() + BETWEEN.maximumMs;
  for (;;) {
    const { found, isMoving } = await startingAtMain(databases, statement, candidates);
    if (found) databases.remember(key, found.databaseName);
    if (found || !isMoving) return found;
    if (Date.now() > deadline) throw betweenDatabases();
    await new Promise((resolve) => setTimeout(resolve, BETWEEN.pauseMs));
  }
}

async function startingAtMain<Row>(
  databases: Databases,
  statement: SQL<Row>,
  candidates: SQL<OrganizationHome>,
): Promise<Look<Row>> {
  let answers: { rows: Row[]; candidates: OrganizationHome[] };
  try {
    answers = await unscopedAsk(databases.named(MAIN), { rows: statement, candidates });
  } catch (error) {
    const others = databases.names.filter((name) => name !== MAIN);
    const look = await lookIn(databases, others, statement).catch(() => undefined);
    if (!look?.found) throw error;
    return look;
  }
  const [row] = answers.rows;
  if (row) return { found: { row, databaseName: MAIN }, isMoving: false };
  const names = new Set(answers.candidates.map(({ databaseName }) => databaseName));
  const organizations = answers.candidates.map(({ uuid }) => uuid);
  return lookIn(databases, [...names], statement, organizations);
}

/**
 * Look for the row in several databases. @throws if no row was found and at least one database did not respond
 * @param organizations the organizations that may have the row
 */
async function lookIn<Row>(
  databases: Databases,
  names: readonly string[],
  statement: SQL<Row>,
  organizations: readonly string[] = [],
): Promise<Look<Row>> {
  const away = sql`SELECT 1 FROM organization WHERE uuid ${inList(organizations)} AND NOT ${livesHere}`;
  const answers = await Promise.allSettled(
    names.map(async (databaseName) => {
      const asks = { rows: statement, away: organizations.length === 0 ? undefined : away };
      const { rows, away: moving } = await unscopedAsk(databases.named(databaseName), asks);
      return { found: rows[0] && { row: rows[0] as Row, databaseName }, isMoving: moving.length > 0 };
    }),
  );
  const looks = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const found = looks.find((look) => look.found)?.found;
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed && !found) throw failed.reason;
  return { found, isMoving: looks.some(({ isMoving }) => isMoving) };
}
