import { type SQL, sql } from 'drizzle-orm';
import { unscoped, unscopedAsk } from './database.ts';
import { type Databases, LIVES_NOWHERE, MAIN } from './databases.ts';
import { ROUTING_TAG_LENGTH } from './id.ts';

/** In SQL: that `organization`, joined by a look-up, lives in the database that is asked. */
export const livesHere: SQL = sql`organization.residence IN ('HERE', 'FROZEN')`;

/** In SQL, of a row of `DB`: that its organization lives in one of the databases. */
export const livesSomewhere: SQL = sql.raw(`NOT ${LIVES_NOWHERE}`);

interface Place {
  databaseName: string;
}

/** What `DB` knows of where something is that it does not have itself. */
interface Elsewhere {
  /** By which it is remembered where that was found. */
  key: string;
  /** The databases that may have it. */
  places: SQL<Place>;
}

/**
 * Where the organization may live that a secret is of: by its routing tag, or, as older ones have none, by what is stored
 * of it, which `DB` keeps of those that were made there.
 */
export const byTag = (tag: string, stored: string): Elsewhere => ({
  key: tag,
  places: sql<Place>`
  SELECT database_name AS "databaseName" FROM organization
    WHERE substr(uuid, ${sql.raw(`-${ROUTING_TAG_LENGTH}`)}) = ${tag} AND NOT ${livesHere} AND ${livesSomewhere}
  UNION SELECT database_name FROM untagged_secret JOIN organization ON uuid = organization_uuid
    WHERE secret = ${stored} AND NOT ${livesHere} AND ${livesSomewhere}`,
});

/** Where the organization with a slug lives. */
export const bySlug = (slug: string): Elsewhere => ({
  key: `slug ${slug}`,
  places: sql<Place>`SELECT database_name AS "databaseName" FROM organization
    WHERE NOT ${livesHere} AND ${livesSomewhere} AND slug = ${slug}`,
});

/** What a look-up found, and in which database. */
export interface Found<Row> {
  row: Row;
  databaseName: string;
}

/**
 * Find the row by which it is known whose a secret, a token or a slug is: the look-ups that no organization is asked for,
 * since they give it. `DB` has the row, or knows by `elsewhere` which databases may have it. While `DB` does not answer
 * all others are asked, so that their organizations go on.
 * @param statement finds the row where its organization `livesHere`
 */
export async function lookUp<Row>(
  databases: Databases,
  statement: SQL<Row>,
  { key, places }: Elsewhere,
): Promise<Found<Row> | undefined> {
  const place = databases.placeOf(key);
  if (place !== MAIN) {
    const found = await firstOf(databases, [place], statement);
    if (found) return found;
  }
  const found = await startingAtMain(databases, statement, places);
  if (found) databases.remember(key, found.databaseName);
  return found;
}

async function startingAtMain<Row>(
  databases: Databases,
  statement: SQL<Row>,
  places: SQL<Place>,
): Promise<Found<Row> | undefined> {
  let answers: { rows: Row[]; places: Place[] };
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

/** What the first of several databases finds that finds something. @throws where none does, and one did not answer. */
async function firstOf<Row>(
  databases: Databases,
  names: readonly string[],
  statement: SQL<Row>,
): Promise<Found<Row> | undefined> {
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
