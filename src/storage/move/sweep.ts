import { inventory, rowsFrom } from '../../access/database/rows.ts';
import { TENANT_ROWS } from '../../access/database/tenant.ts';
import { Database } from '../../core/lib/database.ts';
import { type Databases, MAIN } from '../../core/lib/databases.ts';
import { canonicalJson } from '../../core/lib/hash.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { organizationsWithJobs } from '../long-job/store.ts';
import { CAPTURED } from './capture.ts';
import { livesThere, type Seen, seenIn } from './location.ts';
import { type Forgotten, noteForgotten } from './store.ts';

/**
 * Traces that only a move leaves in a database: triggers that record changes in the source, and an organization marked
 * as arriving.
 */
const TRACES = `SELECT uuid AS organization FROM organization INDEXED BY organization_arriving
    WHERE residence = 'ARRIVING'
  UNION ${CAPTURED}`;

/**
 * Find moves without a record. A restore of databases can lose the record while traces are left in a database. The move
 * is recorded again. It is then undone, or completed if all rows have left. For the scheduled handler.
 */
export async function sweepMoves(databases: Databases, name: string): Promise<void> {
  const found = await rowsFrom(databases.named(name).prepare(TRACES));
  if (found.length === 0) return;
  const main = new Database(NO_ORGANIZATION, databases);
  const known = await organizationsWithJobs(main);
  for (const organization of found.map((row) => String(row['organization']))) {
    if (known.has(organization)) continue;
    const seen = await Promise.all(
      databases.names.map((one) => seenIn(databases.named(one), one, organization)),
    );
    const forgotten = seen.some(livesThere) ? backFrom(seen) : await onwards(databases, organization, seen);
    if (forgotten) await noteForgotten(main, organization, forgotten);
    // Deleting anything might delete the only copy, so people have to decide.
    else console.error(JSON.stringify({ move: 'forgotten', organization, seen }));
  }
}

/** How to undo the move of an organization that lives in one database: the rows in the other database are a copy. */
function backFrom(seen: readonly Seen[]): Forgotten | undefined {
  const [home, ...more] = seen.filter(livesThere);
  const others = seen.filter((one) => one !== home);
  const to = others.find(({ residence }) => residence === 'ARRIVING') ?? others[0];
  if (!home || !to || more.length > 0) return undefined;
  return { fromName: home.name, toName: to.name, phase: 'ABANDONED' };
}

/**
 * How to complete the move of an organization that has left one database, if all its rows are in the other database.
 */
async function onwards(
  databases: Databases,
  organization: string,
  seen: readonly Seen[],
): Promise<Forgotten | undefined> {
  const to = seen.find(({ residence }) => residence === 'ARRIVING');
  const from = seen.find(({ name }) => name === (to?.databaseName ?? MAIN));
  const hasLeft = from?.residence === 'ELSEWHERE' && (from.databaseName ?? MAIN) === to?.name;
  if (!to || !hasLeft || from.claim !== to.claim) return undefined;
  const [here, there] = await Promise.all(
    [from, to].map(({ name }) => inventory(databases.named(name), TENANT_ROWS, organization)),
  );
  if (canonicalJson(here) !== canonicalJson(there)) return undefined;
  return { fromName: from.name, toName: to.name, phase: 'LEFT' };
}
