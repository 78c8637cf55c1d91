import { sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { missingIn, named, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { inList } from '../../core/lib/sql.ts';
import { measure, measureAll } from './store.ts';

/**
 * Choose the database for a new organization: the named one, or the open one with the most room. Returns its name, or a
 * refusal: 400 `databaseNotFound`, 409 `databaseClosed` or `databaseFull`, or 503 if no suitable database responds.
 * @param limit the maximum size of a database in bytes
 * @param restoring for a restore: the name of the present database, which is not chosen. A closed database may be named.
 */
export async function roomFor(
  databases: Databases,
  wanted: string | undefined,
  limit: number,
  restoring?: string,
): Promise<string | Refusal> {
  if (wanted !== undefined && !databases.has(wanted))
    return missingIn('databaseName', 'databaseNotFound', wanted);
  const closed = await closedOf(databases);
  if (wanted !== undefined) {
    const database = named('Database', wanted);
    if (closed.has(wanted) && restoring === undefined)
      return refusal('databaseClosed', `${database} is closed for new organizations.`);
    const { sizeBytes } = await measure(databases, wanted);
    if (sizeBytes === null) return refusal('temporarilyUnavailable', `${database} does not answer.`);
    if (sizeBytes >= limit) return refusal('databaseFull', `${database} is full. Choose another one.`);
    return wanted;
  }
  const open = databases.names.filter((name) => !closed.has(name) && name !== restoring);
  if (open.length === 0)
    return refusal(
      'databaseClosed',
      restoring === undefined
        ? `All ${databases.names.length} databases are closed for new organizations.`
        : `No other database than ${quoted(restoring)} is open for organizations.`,
    );
  if (databases.names.length === 1) return open[0]!;
  const candidates = (await measureAll(databases)).filter(({ databaseName }) => open.includes(databaseName));
  const [most] = candidates
    .flatMap(({ databaseName, sizeBytes }) => (sizeBytes === null ? [] : [{ databaseName, sizeBytes }]))
    .sort((one, other) => one.sizeBytes - other.sizeBytes);
  if (!most) return refusal('temporarilyUnavailable', 'No open database answers.');
  if (most.sizeBytes >= limit) return refusal('databaseFull', `All ${open.length} open databases are full.`);
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
