import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../lib/json.ts';
import { type Refusal, refusal, refusalStatus } from '../lib/problem.ts';
import { pruneRows } from '../lib/prune.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { detacher, EACH_OF, eachIn, type Rendered, render } from '../lib/sql.ts';
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

/** What was recorded: the answer as JSON text, and the number of the last event, where that was asked for. */
export interface RecordedAnswer {
  commandId: string;
  body: string;
  eventSequenceNumber?: number;
}

/** Read the number of the last event. */
export const lastEventQuery = (scope: Scope): SQL<{ eventSequenceNumber: number }> => sql`
  SELECT coalesce(max(sequence_number), 0) AS "eventSequenceNumber" FROM event
  WHERE organization_uuid = ${scope.organization}`;

/** Insert the record of a command with its answer (an expression of JSON text), returning it: a `RecordedAnswer`. */
export const recordAnswer = (
  scope: Scope,
  request: CommandRequest,
  answer: SQL,
  recording: Recording,
): Write => record(scope, request, { answer, refused: null }, recording);

/** Insert the record of a refusal. */
export const recordRefusal = (
  scope: Scope,
  request: CommandRequest,
  refused: Refusal,
  recording: Recording & { fence: SQL },
): Write => record(scope, request, { answer: sql`NULL`, refused: JSON.stringify(refused) }, recording);

/** How many values a record is given ahead of the parameters of its answer. */
const GIVEN = 6;
const detach = detacher((place) => `recorded.value ->> ${GIVEN + place}`);

/** Parameters of the answer travel with the record, so that records with answers alike can be made by one statement. */
function record(
  scope: Scope,
  request: CommandRequest,
  { answer, refused }: { answer: SQL; refused: string | null },
  { now, fence, emits = false }: Recording,
): Rendered {
  const { text, params } = detach(answer);
  const kept = request.idempotencyKey === null ? COMMAND_KEPT_MS : KEY_KEPT_MS;
  const { fingerprint, commandId } = request;
  const given = [storedKey(request), fingerprint, commandId, refused, now, now + kept, ...params];
  const held = fence && render(fence);
  const last = emits ? render(lastEventQuery(scope)) : undefined;
  return {
    text: `INSERT INTO idempotency
    (organization_uuid, key, fingerprint, command_id, refusal, create_date, expires_date, body)
    SELECT ?, value ->> 0, ${held ? `iif(${held.text}, value ->> 1, NULL)` : 'value ->> 1'},
      value ->> 2, value ->> 3, value ->> 4, value ->> 5, (${text})
    FROM ${EACH_OF} recorded
    RETURNING command_id AS "commandId", body${last ? `, (${last.text}) AS "eventSequenceNumber"` : ''}`,
    params: [
      scope.organization,
      ...(held?.params ?? []),
      eachIn(JSON.stringify([given])),
      ...(last?.params ?? []),
    ],
  };
}

/** How an answer is recorded. */
interface Recording {
  /** Epoch milliseconds. */
  now: number;
  /**
   * What has to hold, or the record has no fingerprint, and the batch fails by that: for what comes without a record of the
   * log, which has a fence of its own.
   */
  fence?: SQL | undefined;
  /** Whether it is to return the number of the last event. */
  emits?: boolean;
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
