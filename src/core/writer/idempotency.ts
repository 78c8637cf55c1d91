import { type SQL, sql } from 'drizzle-orm';
import { uuidTime } from '../lib/id.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { type Refusal, refusal, refusalStatus } from '../lib/problem.ts';
import { pruneWalking } from '../lib/prune.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { detacher, type Rendered, ROWS_TABLE, render, rowsParam } from '../lib/sql.ts';
import { DAY_MS } from '../lib/time.ts';
import type { CommandRequest } from './command.ts';
import { lastEventNumber } from './numbers.ts';

/** How long the answer of a caller's key is stored. */
const KEY_KEPT_MS = 30 * DAY_MS;
/** How long the answer of a command without a key is stored. It only serves retries inside the service. */
const RECENT_KEPT_MS = DAY_MS;

/** The answer of an earlier attempt. */
export type EarlierAnswer =
  | { kind: 'done'; body: string; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal; replayed: boolean };

/** A stored answer as JSON text. If the commit emits events, also the number of the last event. */
export interface RecordedAnswer {
  commandId: string;
  body: string;
  eventSequenceNumber?: number;
}

export const lastEventQuery = (scope: Scope): SQL<{ eventSequenceNumber: number }> => sql`
  SELECT ${lastEventNumber(scope)} AS "eventSequenceNumber"`;

/** Store the answer of a command, an SQL expression for JSON text. The statement returns a `RecordedAnswer`. */
export const recordAnswer = (
  scope: Scope,
  request: CommandRequest,
  answer: SQL,
  recording: Recording,
): Write => record(scope, request, { answer, refused: null }, recording);

/** Store a refusal as the answer of a command. */
export const recordRefusal = (
  scope: Scope,
  request: CommandRequest,
  refused: Refusal,
  recording: Recording & { fence: SQL },
): Write => record(scope, request, { answer: sql`NULL`, refused: JSON.stringify(refused) }, recording);

/** The number of values before the parameters of the answer in the row of a record. */
const GIVEN = 6;
const detach = detacher((index) => `recorded.value ->> ${GIVEN + index}`);

/**
 * A statement that stores an answer. The parameters of the answer's expression are part of the row, so that one
 * statement can store several answers with the same expression.
 */
function record(
  scope: Scope,
  request: CommandRequest,
  { answer, refused }: { answer: SQL; refused: string | null },
  { now, fence, emits = false, stored = true, takenIds = 0 }: Recording,
): Rendered {
  const { text, params } = detach(answer);
  const { idempotencyKey: key, fingerprint, commandId } = request;
  const place = key ?? firstIdOf(commandId) + Math.min(takenIds, IDS - 1);
  const given = [place, fingerprint, commandId, refused, now, now + KEY_KEPT_MS, ...params];
  const held = fence && render(fence);
  const last = emits ? render(lastEventQuery(scope)) : undefined;
  const lastEvent = last ? `, (${last.text}) AS "eventSequenceNumber"` : '';
  if (!stored) {
    return {
      text: `SELECT value ->> 2 AS "commandId", (${text}) AS body${lastEvent}
        FROM (SELECT ? AS organization) CROSS JOIN ${ROWS_TABLE} recorded`,
      params: [...(last?.params ?? []), scope.organization, rowsParam(JSON.stringify([given]))],
    };
  }
  const fenced = held ? `iif(${held.text}, value ->> 2, NULL)` : 'value ->> 2';
  const into =
    key === null
      ? `recent_answer (organization_uuid, command_id, id, create_date, body)
    SELECT ?, ${fenced}, value ->> 0, value ->> 4, (${text})`
      : `idempotency (organization_uuid, command_id, key, fingerprint, refusal, create_date, expires_date, body)
    SELECT ?, ${fenced}, value ->> 0, value ->> 1, value ->> 3, value ->> 4, value ->> 5, (${text})`;
  return {
    text: `INSERT INTO ${into}
    FROM ${ROWS_TABLE} recorded
    RETURNING command_id AS "commandId", body${lastEvent}`,
    params: [
      scope.organization,
      ...(held?.params ?? []),
      rowsParam(JSON.stringify([given])),
      ...(last?.params ?? []),
    ],
  };
}

/**
 * How many ids the answer of a command may have. If the first one is taken, the commit fails. Then either this command has
 * already taken effect, and the retry finds its answer. Or another command has the id, and the retry takes the next one. No
 * other failure leads to the next id: a repeat of the call begins with the first one again, and must find it taken.
 */
const IDS = 8;
/** The random bits of a command id that are part of its ids. With the time and the number of taken ids, they fit 53 bits. */
const RANDOM = 2 ** 18;
/** Ids ascend with the time of the command id, in steps of so many milliseconds. */
const STEP_MS = 1024;

/** The lowest id that the answer of a command may have whose command id was made at a time (epoch milliseconds) or later. */
export const firstIdSince = (date: number): number => Math.floor(date / STEP_MS) * RANDOM * IDS;

/** The lowest id of `recent_answer` that the answer of a command may have. A command id is a UUID of version 7. */
const firstIdOf = (commandId: string): number =>
  firstIdSince(uuidTime(commandId)) + (Number.parseInt(commandId.slice(-5), 16) % RANDOM) * IDS;

/** How an answer is recorded. */
interface Recording {
  /** Epoch milliseconds. */
  now: number;
  /**
   * If this condition is false, the command id of the record becomes NULL and the batch fails. It is the fence of a
   * commit without a log record.
   */
  fence?: SQL | undefined;
  /** Whether the statement also returns the number of the last event. */
  emits?: boolean;
  /** False if the statement only returns the answer. */
  stored?: boolean;
  /** How many ids of the answer are taken. */
  takenIds?: number;
}

/**
 * Whether a refusal is stored, so that repeats return the same refusal. 404 and 409 are answers that depend on state.
 * The caller can correct a 400 or 412 under the same key, so it is not stored.
 */
export function isAnswer(refused: Refusal): boolean {
  return [404, 409].includes(refusalStatus(refused));
}

/** A row of a stored answer. */
interface Recorded {
  fingerprint: string;
  commandId: string;
  body: string | null;
  refusal: Json<Refusal> | null;
}

/** Read the stored answer of this command, or of an earlier one with the same key. */
export function earlierAnswerQuery(scope: Scope, request: CommandRequest): SQL<Recorded> {
  const { idempotencyKey: key, fingerprint, commandId } = request;
  if (key !== null)
    return sql<Recorded>`SELECT fingerprint, command_id AS "commandId", body, refusal FROM idempotency
      WHERE organization_uuid = ${scope.organization} AND key = ${key}`;
  const first = firstIdOf(commandId);
  return sql<Recorded>`SELECT ${fingerprint} AS fingerprint, command_id AS "commandId", body, NULL AS refusal
    FROM recent_answer WHERE id BETWEEN ${first} AND ${first + IDS - 1} AND command_id = ${commandId}
      AND organization_uuid = ${scope.organization}`;
}

/** The answer in the rows of `earlierAnswerQuery`, if it exists. */
export function earlierAnswer(
  [row]: readonly Recorded[],
  request: CommandRequest,
): EarlierAnswer | undefined {
  if (!row) return undefined;
  if (row.fingerprint !== request.fingerprint) {
    const detail =
      'This Idempotency-Key was sent before with another method, path, query or body. Use a new key.';
    return { kind: 'refused', refusal: refusal('idempotencyKeyReused', detail), replayed: false };
  }
  const replayed = row.commandId !== request.commandId;
  return row.refusal === null
    ? { kind: 'done', body: row.body ?? 'null', replayed }
    : { kind: 'refused', refusal: parseJson(row.refusal), replayed };
}

/** The tables with stored answers. An index of each contains the answers that show an e-mail address. */
export const ANSWER_TABLES = ['idempotency', 'recent_answer'] as const;

/** An SQL condition: the stored answer shows this user. */
export const showsUser = (uuid: string): SQL =>
  sql`body ->> '$.uuid' = ${uuid} AND instr(body, '"email":') > 0 AND json_valid(body)`;

/** Delete the expired answers with a key of all organizations. For the scheduled handler. */
export const pruneAnswers = (db: D1Database, now: number): Promise<number> =>
  pruneWalking(db, 'idempotency', { column: 'expires_date', before: now });

/** Delete the expired answers without a key of all organizations. For the scheduled handler. */
export const pruneRecentAnswers = (db: D1Database, now: number): Promise<number> =>
  pruneWalking(db, 'recent_answer', { column: 'create_date', before: now - RECENT_KEPT_MS });
