import { sql } from 'drizzle-orm';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { missingIn, named, quoted } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { boundFrom } from './store.ts';

/** A database, as it was last measured. */
interface Room {
  databaseName: string;
  open: 0 | 1;
  /** Whether the last attempt to measure it failed. */
  isDown: 0 | 1;
  /** 0 before the first measurement, because the database is new. */
  sizeBytes: number;
}

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
  const rooms = await roomsOf(databases, wanted === undefined ? databases.names : [wanted]);
  if (wanted !== undefined) {
    const database = named('Database', wanted);
    const { open, isDown, sizeBytes } = rooms[0]!;
    if (!open && restoring === undefined)
      return refusal('databaseClosed', `${database} is closed for new organizations.`);
    if (isDown) return refusal('temporarilyUnavailable', `${database} does not answer.`);
    if (sizeBytes >= limit) return refusal('databaseFull', `${database} is full. Choose another one.`);
    return wanted;
  }
  const open = rooms.filter((room) => room.open && room.databaseName !== restoring);
  if (open.length === 0)
    return refusal(
      'databaseClosed',
      restoring === undefined
        ? `All ${databases.names.length} databases are closed for new organizations.`
        : `No other database than ${quoted(restoring)} is open for organizations.`,
    );
  if (databases.names.length === 1) return open[0]!.databaseName;
  const [most] = open.filter(({ isDown }) => !isDown).sort((one, other) => one.sizeBytes - other.sizeBytes);
  if (!most) return refusal('temporarilyUnavailable', 'No open database answers.');
  if (most.sizeBytes >= limit) return refusal('databaseFull', `All ${open.length} open databases are full.`);
  return most.databaseName;
}

const roomsOf = (databases: Databases, names: readonly string[]): Promise<Room[]> =>
  new Database(NO_ORGANIZATION, databases, { retryReads: true }).all(
    sql<Room>`SELECT database_name AS "databaseName", open, failure_date IS NOT NULL AS "isDown",
        coalesce(size_bytes, 0) AS "sizeBytes"
      FROM ${boundFrom(names)} WHERE ${NO_ORGANIZATION} = ${NO_ORGANIZATION}`,
  );
