import { is, SQL, sql } from 'drizzle-orm';
import type { Scope, Write } from '../lib/scope.ts';
import { isoDate } from '../lib/time.ts';
import { type AuditEntry, chainRecord, FIRST_PREVIOUS_HASH } from './chain.ts';
import { type Change, type CommandRequest, emitsEvents } from './command.ts';
import { recordAnswer } from './idempotency.ts';
import { endsWith, type Logged, logWrites, type Names } from './log.ts';

/** The end of the audit log and of the event log of an organization. */
export interface Head {
  /** Number of the last audit record; 0 for an empty log. */
  sequenceNumber: number;
  /** Hash of the last audit record. */
  hash: string;
  /** Number of the last event; 0 for an empty log. */
  eventSequenceNumber: number;
}

/** The head of empty logs. */
export const EMPTY_HEAD: Head = { sequenceNumber: 0, hash: FIRST_PREVIOUS_HASH, eventSequenceNumber: 0 };

/** A command of a commit, and its decision. */
export interface Decided {
  request: CommandRequest;
  change: Change;
  /** When it was decided (epoch milliseconds). */
  now: number;
  /** How many ids of its answer are taken. */
  takenIds?: number;
}

/**
 * The statements of one commit: first for the log, then for each command. The trigger `log_correction`, and the
 * expressions of entries, read the state before the changes.
 */
export interface Commit {
  log: SQL[];
  /**
   * For each command: its writes, unaudited writes and events, then its idempotency record, which returns a
   * `RecordedAnswer`.
   */
  parts: Write[][];
  /**
   * The end of the logs after this commit, except for events. `names`: the names that then have a number in the log.
   */
  head: Head;
  names: Names;
  /** Whether any command emits events. If so, each answer also returns the number of the last event. */
  emits: boolean;
}

/**
 * The statements that commit commands in order after `head`. If the log no longer ends with `head`, a constraint fails
 * the batch: the constraint of the log (`logWrites`), or of the first answer if there is no log record.
 */
export function commitOf(
  scope: Scope,
  decided: readonly Decided[],
  { head, names }: { head: Head; names: Names },
  /** The number before the first record: the number of `head`, or a later one if a rewind is declared. */
  lastNumber: number,
  saltOf: (purpose: string) => string,
): Commit {
  let end = { ...head, sequenceNumber: lastNumber };
  const logged = decided.flatMap(({ request, change, now }): Logged[] => {
    const records = change.audit.map((entry) => {
      const record = chainRecord(
        withCircumstances(entry, request),
        { sequenceNumber: end.sequenceNumber + 1, previousHash: end.hash, now },
        { actor: request.actor, requestId: request.requestId, ipAddress: request.ipAddress },
        saltOf,
      );
      end = { ...end, sequenceNumber: record.sequenceNumber, hash: record.hash };
      return record;
    });
    return records.length === 0 ? [] : [{ now, records, entries: change.entries ?? [] }];
  });
  const log = logWrites(scope, logged, head.hash, names);
  const emits = decided.some(({ change }) => emitsEvents(change));
  return {
    log: log.writes,
    parts: decided.map(({ request, change, now, takenIds = 0 }, index) => [
      ...change.writes,
      ...(change.unauditedWrites ?? []),
      ...(change.events ?? []),
      recordAnswer(
        scope,
        request,
        is(change.answer, SQL) ? change.answer : sql`${JSON.stringify(change.answer.value)}`,
        {
          now,
          takenIds,
          emits,
          fence: index === 0 && logged.length === 0 ? endsWith(scope, head.hash) : undefined,
          stored: !(change.recordsItself && request.idempotencyKey === null),
        },
      ),
    ]),
    head: end,
    names: log.names,
    emits,
  };
}

/** Add the reason of the request to an audit entry, and the date of the action if it was sent later. */
function withCircumstances(entry: AuditEntry, { reason, keptDate }: CommandRequest): AuditEntry {
  const more = { reason, keptDate: keptDate === undefined ? undefined : isoDate(keptDate) };
  const changes = Object.entries(more).flatMap(([field, newValue]) =>
    newValue === undefined ? [] : [{ field, oldValue: null, newValue }],
  );
  return changes.length === 0 ? entry : { ...entry, changes: [...entry.changes, ...changes] };
}
