import { type SQL, sql } from 'drizzle-orm';
import { type Json, parseJson } from '../lib/json.ts';
import { type Refusal, refusal, refusalStatus } from '../lib/problem.ts';
import { pruneInOrder } from '../lib/prune.ts';
import type { Scope, Write } from '../lib/scope.ts';
import { detacher, type Rendered, ROWS_TABLE, render, rowsParam } from '../lib/sql.ts';
import { DAY_MS } from '../lib/time.ts';
import type { CommandRequest } from './command.ts';
import { lastEventNumber } from './numbers.ts';

/** How long a caller's key is stored. */
const KEY_KEPT_MS = 30 * DAY_MS;
/** How long the record of a command without a key is stored. It only serves retries inside the service. */
const COMMAND_KEPT_MS = DAY_MS;

/** The answer of an earlier attempt. */
export type EarlierAnswer =
  | { kind: 'done'; body: string; replayed: boolean }
  | { kind: 'refused'; refusal: Refusal; replayed: boolean };

/** The key of the stored answer of a command with this Idempotency-Key. */
export const keyOfAnswer = (idempotencyKey: string): string => `key:${idempotencyKey}`;

/** The key of a command's stored answer. */
export const storedKey = ({ idempotencyKey, commandId }: CommandRequest): string =>
  idempotencyKey === null ? `command:${commandId}` : keyOfAnswer(idempotencyKey);

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
  { now, fence, emits = false, stored = true }: Recording,
): Rendered {
  const { text, params } = detach(answer);
  const kept = request.idempotencyKey === null ? COMMAND_KEPT_MS : KEY_KEPT_MS;
  const { fingerprint, commandId } = request;
  const given = [storedKey(request), fingerprint, commandId, refused, now, now + kept, ...params];
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
  return {
    text: `INSERT INTO idempotency
    (organization_uuid, key, fingerprint, command_id, refusal, create_date, expires_date, body)
    SELECT ?, value ->> 0, ${held ? `iif(${held.text}, value ->> 1, NULL)` : 'value ->> 1'},
      value ->> 2, value ->> 3, value ->> 4, value ->> 5, (${text})
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

/** How an answer is recorded. */
interface Recording {
  /** Epoch milliseconds. */
  now: number;
  /**
   * If this condition is false, the fingerprint of the record becomes NULL and the batch fails. It is the fence of a
   * commit without a log record.
   */
  fence?: SQL | undefined;
  /** Whether the statement also returns the number of the last event. */
  emits?: boolean;
  /** False if the statement only returns the answer. */
  stored?: boolean;
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
export const earlierAnswerQuery = (scope: Scope, request: CommandRequest): SQL<Recorded> =>
  sql<Recorded>`SELECT fingerprint, command_id AS "commandId", body, refusal FROM idempotency
    WHERE organization_uuid = ${scope.organization} AND key = ${storedKey(request)}`;

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

/**
 * An SQL condition: the stored answer shows this user. The index `idempotency_person` contains the answers that show an
 * e-mail address.
 */
export const showsUser = (uuid: string): SQL =>
  sql`body ->> '$.uuid' = ${uuid} AND instr(body, '"email":') > 0 AND json_valid(body)`;

/** Delete the expired records of all organizations. For the scheduled handler. */
export async function pruneIdempotency(db: D1Database, now: number): Promise<number> {
  const expired = { column: 'expires_date' as const, before: now };
  const keyed = await pruneInOrder(db, 'idempotency', expired);
  // Records without a key expire earlier, in the midst of records with one. Two daily runs may fail.
  const unkeyed = await pruneInOrder(db, 'idempotency', {
    ...expired,
    since: now - COMMAND_KEPT_MS - 2 * DAY_MS,
  });
  return keyed + unkeyed;
}
