import { sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { type ProblemItem, type Refusal, refusal } from '../../core/lib/problem.ts';
import { inList } from '../../core/lib/sql.ts';
import { measure, measureAll } from './store.ts';

/**
 * Choose the database for a new organization: the named one, or the open one with the most room. Returns its name, or a
 * refusal: 400 `databaseNotFound`, 409 `databaseClosed` or `databaseFull`, or 503 if no suitable database responds.
 * @param limit the maximum size of a database in bytes
 */
export async function roomFor(
  databases: Databases,
  named: string | undefined,
  limit: number,
): Promise<string | Refusal> {
  if (named !== undefined && !databases.has(named)) return notThere(named);
  const closed = await closedOf(databases);
  if (named !== undefined) {
    if (closed.has(named)) return refusal('databaseClosed', `${named} is closed.`);
    const { sizeBytes } = await measure(databases, named);
    if (sizeBytes === null) return refusal('temporarilyUnavailable', `${named} does not answer.`);
    if (sizeBytes >= limit) return refusal('databaseFull', `${named} is full.`);
    return named;
  }
  const open = databases.names.filter((name) => !closed.has(name));
  if (open.length === 0) return refusal('databaseClosed', 'All databases are closed.');
  if (databases.names.length === 1) return open[0]!;
  const candidates = (await measureAll(databases)).filter(({ databaseName }) => !closed.has(databaseName));
  const [most] = candidates
    .flatMap(({ databaseName, sizeBytes }) => (sizeBytes === null ? [] : [{ databaseName, sizeBytes }]))
    .sort((one, other) => one.sizeBytes - other.sizeBytes);
  if (!most) return refusal('temporarilyUnavailable', 'No database that is open answers.');
  if (most.sizeBytes >= limit) return refusal('databaseFull', 'All databases that are open are full.');
  return most.databaseName;
}

/** The names of databases that are closed for new organizations. */
async function closedOf(databases: Databases): Promise<Set<string>> {
  const rows = await new Database(NO_ORGANIZATION, databases, { retryReads: true }).all(
    sql<{ databaseName: string }>`SELECT database_name AS "databaseName" FROM database_setting
      WHERE database_name ${inList(databases.names)} AND open = 0 AND ${NO_ORGANIZATION} = ${NO_ORGANIZATION}`,
  );
  return new Set(rows.map(({ databaseName }) => databaseName));
}

const notThere = (rejectedValue: string): Refusal => {
  const message = 'There is no such database.';
  const errors: ProblemItem[] = [{ field: 'databaseName', code: 'databaseNotFound', message, rejectedValue }];
  return refusal('databaseNotFound', message, { errors });
};
