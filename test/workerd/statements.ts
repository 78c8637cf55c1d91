import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { Database } from '../../src/core/lib/database.ts';
import { Databases } from '../../src/core/lib/databases.ts';
import { forD1 } from '../../src/core/lib/sql.ts';
import type { Answer } from './client.ts';

const db = (env as unknown as { DB: D1Database }).DB;

/** A statement as it was sent to D1. */
export interface Statement {
  text: string;
  params: unknown[];
}

/** A round trip to D1: the statements of one batch, and the rows that D1 read for them. */
export interface Trip {
  statements: Statement[];
  rowsRead: number;
  /** The rows that D1 wrote for each statement, with the entries of indexes and the rows of triggers. */
  rowsWritten: number[];
}

/** The cost of a request in the database of its organization, from its answer. Jobs at the same time do not count. */
export function costOf({ headers }: Pick<Answer, 'headers'>): { trips: number; rowsRead: number } {
  const [, trips, rowsRead] = /"(\d+) round trips, (\d+) rows read/.exec(headers.get('Server-Timing')!)!;
  return { trips: Number(trips), rowsRead: Number(rowsRead) };
}

/** Run a function and record the D1 calls of edge and writer, in order. */
export async function recorded(run: () => Promise<unknown>): Promise<Trip[]> {
  const trips: Trip[] = [];
  const send = Database.prototype.send;
  const spy = vi.spyOn(Database.prototype, 'send').mockImplementation(async function (
    this: Database,
    statements,
  ) {
    const trip: Trip = {
      statements: statements.map(forD1),
      rowsRead: 0,
      rowsWritten: [],
    };
    trips.push(trip);
    const before = this.rowsRead;
    try {
      const results = await send.call(this, statements);
      trip.rowsWritten = results.map(({ rowsWritten }) => rowsWritten);
      return results;
    } finally {
      trip.rowsRead = this.rowsRead - before;
    }
  });
  try {
    await run();
  } finally {
    spy.mockRestore();
  }
  return trips;
}

/**
 * Record a function that needs one D1 call. An organization's object also does work of its own at some times, so the
 * function runs again if there are more calls.
 */
export async function recordedAlone(run: () => Promise<unknown>): Promise<Trip[]> {
  let trips = await recorded(run);
  for (let again = 0; again < 5 && trips.length > 1; again += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    trips = await recorded(run);
  }
  return trips;
}

/** The statements with which a look-up searches the databases for a token. They find nothing. */
export async function lookedUp(find: (databases: Databases) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const prepare = (text: string) => ({
    bind: (...params: unknown[]) => {
      statements.push({ text, params });
      return {};
    },
  });
  const batch = async () => statements.map(() => ({ results: [], meta: {} }));
  await find(new Databases({ DB: { withSession: () => ({ prepare, batch }) } }));
  return statements;
}

/** How SQLite goes about a statement, a line a step, with the parameters it was sent with. */
export async function planOf({ text, params }: Statement): Promise<string[]> {
  const { results } = await db
    .prepare(`EXPLAIN QUERY PLAN ${text}`)
    .bind(...params)
    .all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}
