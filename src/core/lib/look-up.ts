import { type SQL, sql } from 'drizzle-orm';
import { unscoped, unscopedAsk } from './database.ts';
import { type Databases, LIVES_NOWHERE, MAIN } from './databases.ts';
import { ROUTING_TAG_LENGTH } from './id.ts';

/** An SQL condition: `organization`, which a look-up joins, lives in this database. */
export const livesHere: SQL = sql`organization.residence IN ('HERE', 'FROZEN')`;

/** An SQL condition on a row of `DB`: its organization lives in one of the databases. */
export const livesSomewhere: SQL = sql.raw(`NOT ${LIVES_NOWHERE}`);

interface OrganizationHome {
  databaseName: string;
}

/** How `DB` tells where to look for something that it does not have itself. */
interface Elsewhere {
  /** The key under which the database is remembered where it was found. */
  key: string;
  /** A query for the databases that may have it. */
  places: SQL<OrganizationHome>;
}

/**
 * Where the organization of a secret may live: found by its routing tag, or for older secrets, which have none, by what
 * `DB` still stores of those that were made there.
 */
export const byTag = (tag: string, stored: string): Elsewhere => ({
  key: tag,
  places: sql<OrganizationHome>`
  SELECT database_name AS "databaseName" FROM organization
    WHERE substr(uuid, ${sql.raw(`-${ROUTING_TAG_LENGTH}`)}) = ${tag} AND NOT ${livesHere} AND ${livesSomewhere}
  UNION SELECT database_name FROM untagged_secret JOIN organization ON uuid = organization_uuid
    WHERE secret = ${stored} AND NOT ${livesHere} AND ${livesSomewhere}`,
});

/** Where the organization with this slug lives. */
export const bySlug = (slug: string): Elsewhere => ({
  key: `slug ${slug}`,
  places: sql<OrganizationHome>`SELECT database_name AS "databaseName" FROM organization
    WHERE NOT ${livesHere} AND ${livesSomewhere} AND slug = ${slug}`,
});

/** The row that a look-up found, and the name of its database. */
export interface FoundRow<Row> {
  row: Row;
  databaseName: string;
}

/**
 * Find the row that tells which organization a secret, a token or a slug belongs to, in whichever database it is. `DB`
 * has the row itself, or tells by `elsewhere` which databases may have it. While `DB` does not respond, all other
 * databases are asked, so that their organizations stay available. @param statement finds the row where its
 * organization `livesHere`
 */
export async function lookUp<Row>(
  databases: Databases,
  statement: SQL<Row>,
  { key, places }: Elsewhere,
): Promise<FoundRow<Row> | undefined> {
  const databaseName = databases.databaseNameOf(key);
  if (databaseName !== MAIN) {
    const found = await firstOf(databases, [databaseName], statement);
    if (found) return found;
  }
  const found = await startingAtMain(databases, statement, places);
  if (found) databases.remember(key, found.databaseName);
  return found;
}

async function startingAtMain<Row>(
  databases: Databases,
  statement: SQL<Row>,
  places: SQL<OrganizationHome>,
): Promise<FoundRow<Row> | undefined> {
  let answers: { rows: Row[]; places: OrganizationHome[] };
  try {
    answers = await unscopedAsk(databases.named(MAIN), { rows: statement, places });
  } catch (error) {
    const others = databases.names.filter((name) => name !== MAIN);
    const found = await firstOf(databases, others, statement).catch(() => undefined);
    if (!found) throw error;
    return found;
  }
  const [row] = answers.rows;
  if (row) return { row, databaseName: MAIN };
  return firstOf(
    databases,
    answers.places.map(({ databaseName }) => databaseName),
    statement,
  );
}

/** The first row found in any of several databases. @throws where none has it and at least one did not respond */
async function firstOf<Row>(
  databases: Databases,
  names: readonly string[],
  statement: SQL<Row>,
): Promise<FoundRow<Row> | undefined> {
  const answers = await Promise.allSettled(
    names.map(async (databaseName) => {
      const [row] = await unscoped(databases.named(databaseName), statement);
      return row && { row, databaseName };
    }),
  );
  const found = answers.find((answer) => answer.status === 'fulfilled' && answer.value);
  if (found?.status === 'fulfilled') return found.value;
  const failed = answers.find((answer) => answer.status === 'rejected');
  if (failed) throw failed.reason;
  return undefined;
}
