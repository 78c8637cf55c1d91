import { type SQL, sql } from 'drizzle-orm';
import type { AskResult } from '../../core/lib/asks.ts';
import { Database } from '../../core/lib/database.ts';
import type { Databases } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { Scope, type Write } from '../../core/lib/scope.ts';
import { inList, type Statement } from '../../core/lib/sql.ts';
import { isUnavailable } from '../../core/lib/store.ts';
import { ACCOUNT_FAILURES_MAXIMUM, ADDRESS_FAILURES_MAXIMUM, ATTEMPT_WINDOW_MS } from './rules.ts';
import { signInAttempt } from './table.ts';

/** The keys of the counts: an IP address with an account, and the IP address alone. */
export interface AttemptKeys {
  account: string;
  address: string;
}

/** Attempts are counted in `DB`. While `DB` does not respond, the next database that responds counts them. */
async function sendAttempts<Row>(
  databases: Databases,
  statements: Statement<Row>[],
): Promise<AskResult<Row>[]> {
  for (const [index, at] of databases.names.entries()) {
    try {
      return await new Database(NO_ORGANIZATION, databases, { at }).send(statements);
    } catch (error) {
      if (!isUnavailable(error) || index === databases.names.length - 1) throw error;
    }
  }
  return [];
}

/** Count an attempt for a key if a condition holds. Attempts beyond the maximum do not extend the window. */
const count = (
  key: string,
  maximum: number,
  condition: SQL,
  now: number,
  windowMs = ATTEMPT_WINDOW_MS,
): SQL<{ allowed: 0 | 1 }> => sql`INSERT INTO sign_in_attempt
    (organization_uuid, attempt_key, failed_count, expires_date)
    SELECT ${NO_ORGANIZATION}, ${key}, 1, ${now + windowMs} WHERE ${condition}
    ON CONFLICT DO UPDATE SET failed_count = iif(expires_date <= ${now}, 1, min(failed_count, ${maximum}) + 1),
      expires_date = iif(expires_date <= ${now}, excluded.expires_date, expires_date)
    RETURNING failed_count <= ${maximum} AS allowed`;

/** An SQL condition: a key has a count that fulfils another condition. */
const counted = (key: string, condition: SQL): SQL => sql`EXISTS (SELECT 1 FROM sign_in_attempt
    WHERE organization_uuid = ${NO_ORGANIZATION} AND attempt_key = ${key} AND ${condition})`;

/**
 * Count an attempt before it is checked, so that simultaneous attempts also count. Returns whether it may be checked.
 */
export async function beginAttempt(databases: Databases, keys: AttemptKeys, now: number): Promise<boolean> {
  // An IP address beyond its limit creates no more rows.
  const addressAllowed = counted(keys.address, sql`failed_count <= ${ADDRESS_FAILURES_MAXIMUM}`);
  const results = await sendAttempts(databases, [
    count(keys.address, ADDRESS_FAILURES_MAXIMUM, sql`TRUE`, now),
    count(keys.account, ACCOUNT_FAILURES_MAXIMUM, addressAllowed, now),
  ]);
  return results.every(({ rows: [row] }) => row?.allowed === 1);
}

/** Take back one attempt for each of these keys, if a condition holds. */
const takeBack = (keys: readonly string[], condition: SQL = sql`TRUE`): Write =>
  new Scope(NO_ORGANIZATION).update(
    signInAttempt,
    { failedCount: sql`max(0, failed_count - 1)` },
    sql`attempt_key ${inList(keys)} AND ${condition}`,
  );

/**
 * Take back the count of a successful attempt. Earlier failures stay counted, because the owner of one secret may try
 * to guess another.
 */
export async function attemptSucceeded(databases: Databases, keys: Partial<AttemptKeys>): Promise<void> {
  await sendAttempts(databases, [takeBack(Object.values(keys))]);
}

/** Count a use of something over all organizations. Returns whether it is within its limit. */
export async function withinLimit(
  databases: Databases,
  key: string,
  { maximum, windowMs }: { maximum: number; windowMs: number },
): Promise<boolean> {
  const [counted] = await sendAttempts(databases, [count(key, maximum, sql`TRUE`, Date.now(), windowMs)]);
  return counted?.rows[0]?.allowed === 1;
}

/** The keys of a guess: the target, which has a limit of guesses, and the guessed value at this target. */
export interface GuessKeys {
  target: string;
  guess: string;
}

/**
 * Count a guess before it is checked. A repeated guess is not counted: it reveals nothing new, and a device repeats it
 * when its connection fails. Returns whether it may be checked.
 */
export async function beginGuess(
  databases: Databases,
  { target, guess }: GuessKeys,
  maximum: number,
  now: number,
): Promise<boolean> {
  const isKnown = counted(guess, sql`expires_date > ${now}`);
  const [, allowed] = await sendAttempts<object>(databases, [
    count(target, maximum, sql`NOT ${isKnown}`, now),
    count(guess, 1, sql`${isKnown} OR ${counted(target, sql`failed_count <= ${maximum}`)}`, now),
  ]);
  return allowed?.rows.length === 1;
}

/** Take back the count of a correct guess, once for all its simultaneous repeats. */
export async function guessSucceeded(databases: Databases, { target, guess }: GuessKeys): Promise<void> {
  await sendAttempts(databases, [
    takeBack([target], counted(guess, sql`TRUE`)),
    new Scope(NO_ORGANIZATION).remove(signInAttempt, sql`attempt_key = ${guess}`),
  ]);
}
