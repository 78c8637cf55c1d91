import { inventory, rowsOf } from '../database/rows.ts';
import { TENANT_ROWS } from '../database/tenant.ts';
import { Database } from '../lib/database.ts';
import { type Databases, MAIN } from '../lib/databases.ts';
import { canonicalJson } from '../lib/hash.ts';
import { NO_ORGANIZATION } from '../lib/id.ts';
import { CAPTURED } from './capture.ts';
import { livesThere, type Seen, seenIn } from './residence.ts';
import { type Forgotten, noteForgotten, onTheirWay } from './store.ts';

/** What only a move leaves in a database: what writes down changes where it is from, and an organization that arrives. */
const TRACES = `SELECT uuid AS organization FROM organization INDEXED BY organization_arriving
    WHERE residence = 'ARRIVING'
  UNION ${CAPTURED}`;

/**
 * Note again the moves that have left something in a database, and of which nothing is known: where databases were put
 * back, one may be forgotten that somebody carries on. It goes back from there, or on where all has left. For the
 * scheduled handler.
 */
export async function sweepMoves(databases: Databases, name: string): Promise<void> {
  const found = await rowsOf(databases.named(name).prepare(TRACES));
  if (found.length === 0) return;
  const main = new Database(NO_ORGANIZATION, databases);
  const known = await onTheirWay(main);
  for (const organization of found.map((row) => String(row['organization']))) {
    if (known.has(organization)) continue;
    const seen = await Promise.all(
      databases.names.map((one) => seenIn(databases.named(one), one, organization)),
    );
    const forgotten = seen.some(livesThere) ? backFrom(seen) : await onwards(databases, organization, seen);
    if (forgotten) await noteForgotten(main, organization, forgotten);
    // Whatever is deleted might be the only copy: that is for people to decide.
    else console.error(JSON.stringify({ move: 'forgotten', organization, seen }));
  }
}

/** The way back of an organization that lives in one place: what arrives in another is a copy. */
function backFrom(seen: readonly Seen[]): Forgotten | undefined {
  const [home, ...more] = seen.filter(livesThere);
  const others = seen.filter((one) => one !== home);
  const to = others.find(({ residence }) => residence === 'ARRIVING') ?? others[0];
  if (!home || !to || more.length > 0) return undefined;
  return { fromName: home.name, toName: to.name, phase: 'ABANDONED' };
}

/** The way on of an organization that has left one place, and all of which is in the other. */
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
