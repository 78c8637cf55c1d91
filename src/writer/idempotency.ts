import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../lib/json.ts';
import { type Refusal, refusal, refusalStatus } from '../lib/problem.ts';
import { pruneRows } from '../lib/prune.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { DAY_MS } from '../lib/time.ts';
import type { CommandRequest } from './command.ts';

/** How long a caller's key is kept. */
const KEY_KEPT_MS = 30 * DAY_MS;
/** How long the record of a command without a key is kept: it only serves the retries inside the service. */
const COMMAND_KEPT_MS = DAY_MS;

/** What an earlier attempt was answered with. */
export type EarlierAnswer =
  | { kind: 'done'; body: string; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal; replayed: boolean };

/** What a record of a command is found by. */
export const storedKey = ({ idempotencyKey, commandId }: CommandRequest): string =>
  idempotencyKey === null ? `command:${commandId}` : `key:${idempotencyKey}`;

/** Insert the record of a command with its answer (an expression of JSON text), returning it as `body`. */
export function recordAnswer(
  scope: Scope,
  request: CommandRequest,
  answer: SQL,
  { now, fence }: Recording,
): Write {
  return sql`${record(scope, request, sql`(${answer})`, sql`NULL`, { now, fence })} RETURNING body`;
}

/** Insert the record of a refusal. */
export function recordRefusal(
  scope: Scope,
  request: CommandRequest,
  refused: Refusal,
  recording: Recording,
): Write {
  return record(scope, request, sql`NULL`, sql`${JSON.stringify(refused)}`, recording);
}

/** How an answer is recorded. */
interface Recording {
  /** Epoch milliseconds. */
  now: number;
  /**
   * What has to hold, or the record has no fingerprint, and the batch fails by that: for what comes without a record of the
   * log, which has a fence of its own.
   */
  fence: SQL | undefined;
}

function record(
  scope: Scope,
  request: CommandRequest,
  body: SQL,
  refused: SQL,
  { now, fence }: Recording,
): Write {
  const kept = request.idempotencyKey === null ? COMMAND_KEPT_MS : KEY_KEPT_MS;
  return sql`INSERT INTO idempotency
    (organization_uuid, key, fingerprint, command_id, body, refusal, create_date, expires_date)
    VALUES (${scope.organization}, ${storedKey(request)}, ${
      fence ? sql`iif(${fence}, ${request.fingerprint}, NULL)` : request.fingerprint
    }, ${request.commandId},
      ${body}, ${refused}, ${now}, ${now + kept})`;
}

/**
 * Whether a refusal is the answer its repeats get too. A 400 is a fault of the request that its sender can
 * mend under the same key, and 412 asks for exactly that; 404 and 409 are answers.
 */
export function isAnswer(refused: Refusal): boolean {
  return [404, 409].includes(refusalStatus(refused));
}

/** A record of a command that was answered. */
interface Recorded {
  fingerprint: string;
  commandId: string;
  body: string | null;
  refusal: Json<Refusal> | null;
}

/** Look for what this command, or an earlier one with the same key, was answered. */
export const earlierAnswerQuery = (scope: Scope, request: CommandRequest): SQL<Recorded> =>
  sql<Recorded>`SELECT fingerprint, command_id AS "commandId", body, refusal FROM idempotency
    WHERE organization_uuid = ${scope.organization} AND key = ${storedKey(request)}`;

/** What the rows of `earlierAnswerQuery` say; undefined for a first attempt. */
export function earlierAnswer(
  [row]: readonly Recorded[],
  request: CommandRequest,
): EarlierAnswer | undefined {
  if (!row) return undefined;
  if (row.fingerprint !== request.fingerprint) {
    const detail = 'This Idempotency-Key was sent before with another method, path, query or body.';
    return { kind: 'refused', refusal: refusal('idempotencyKeyReused', detail), replayed: false };
  }
  const replayed = row.commandId !== request.commandId;
  return row.refusal === null
    ? { kind: 'done', body: row.body ?? 'null', replayed }
    : { kind: 'refused', refusal: parseJson(row.refusal), replayed };
}

/** Whether a record is of a commit at one of the instants that `dates` selects, as `date` (epoch milliseconds). */
export const committedAt = (dates: SQL, now: number): SQL => sql`expires_date IN
  (SELECT date + kept.value FROM (${dates}) CROSS JOIN json_each(${JSON.stringify([KEY_KEPT_MS, COMMAND_KEPT_MS])}) kept
    WHERE date + kept.value > ${now})`;

/** Delete records whose time is over, of all organizations. For the scheduled handler. */
export const pruneIdempotency = (db: D1Database, now: number): Promise<number> =>
  pruneRows(db, 'idempotency', 'expires_date', now);
