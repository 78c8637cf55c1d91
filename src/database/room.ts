import { sql } from 'drizzle-orm';
import { Database, inList } from '../lib/database.ts';
import type { Databases } from '../lib/databases.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { ProblemError, type ProblemItem, refusal } from '../lib/problem.ts';
import { sizeOf, sizesOf } from './store.ts';

/**
 * The database that an organization is to live in: the one that is named, else the open one with most room.
 * @param limit how large a database can become, in bytes
 * @throws 400 `databaseNotFound`, 409 `databaseClosed` and `databaseFull`, 503 where the one that is named does not answer
 */
export async function roomFor(
  databases: Databases,
  named: string | undefined,
  limit: number,
): Promise<string> {
  if (named !== undefined && !databases.has(named)) throw notThere(named);
  const closed = await closedOf(databases);
  if (named !== undefined) {
    if (closed.has(named)) throw new ProblemError(refusal('databaseClosed', `${named} is closed.`));
    const size = await sizeOf(databases, named);
    if (size === null) throw new ProblemError(refusal('temporarilyUnavailable', `${named} does not answer.`));
    if (size >= limit) throw new ProblemError(refusal('databaseFull', `${named} is full.`));
    return named;
  }
  const open = databases.names.filter((name) => !closed.has(name));
  if (open.length === 0) throw new ProblemError(refusal('databaseClosed', 'All databases are closed.'));
  if (databases.names.length === 1) return open[0]!;
  const sizes = [...(await sizesOf(databases))].filter(([name, size]) => size !== null && !closed.has(name));
  const [most] = sizes.sort(([, one], [, other]) => one! - other!);
  if (!most) throw new ProblemError(refusal('temporarilyUnavailable', 'No database that is open answers.'));
  if (most[1]! >= limit)
    throw new ProblemError(refusal('databaseFull', 'All databases that are open are full.'));
  return most[0];
}

/** The names of databases that take no organizations. */
async function closedOf(databases: Databases): Promise<Set<string>> {
  const rows = await new Database(NO_ORGANIZATION, databases, { patient: true }).all(
    sql<{ databaseName: string }>`SELECT database_name AS "databaseName" FROM database_setting
      WHERE database_name ${inList(databases.names)} AND open = 0 AND ${NO_ORGANIZATION} = ${NO_ORGANIZATION}`,
  );
  return new Set(rows.map(({ databaseName }) => databaseName));
}

const notThere = (rejectedValue: string): ProblemError => {
  const message = 'There is no such database.';
  const errors: ProblemItem[] = [{ field: 'databaseName', code: 'databaseNotFound', message, rejectedValue }];
  return new ProblemError(refusal('databaseNotFound', message, { errors }));
};
