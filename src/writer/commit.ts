import { is, SQL, sql } from 'drizzle-orm';
import type { Scope, Write } from '../lib/scope.ts';
import { type AuditEntry, chainRecord, FIRST_PREVIOUS_HASH } from './chain.ts';
import type { Change, CommandRequest } from './command.ts';
import { recordAnswer } from './idempotency.ts';
import { endsWith, type LogRecord, logWrites, type Names } from './log.ts';

/** Where an organization's logs end. */
export interface Head {
  /** Of the last audit record; 0 where there is none. */
  sequenceNumber: number;
  /** Of the last audit record. */
  hash: string;
  /** Of the last event; 0 where there is none. */
  eventSequenceNumber: number;
}

/** The head of logs without records. */
export const EMPTY_HEAD: Head = { sequenceNumber: 0, hash: FIRST_PREVIOUS_HASH, eventSequenceNumber: 0 };

/** Read the end of the audit log: no row where it is empty. */
export const headQuery = (scope: Scope): SQL<Omit<Head, 'eventSequenceNumber'>> => sql`
  SELECT sequence_number AS "sequenceNumber", hash FROM audit_log
  WHERE organization_uuid = ${scope.organization} ORDER BY sequence_number DESC LIMIT 1`;

/** What a command of a commit was decided to be. */
export interface Decided {
  request: CommandRequest;
  change: Change;
  /** Epoch milliseconds at which it was decided. */
  now: number;
}

/** What commits commands in one batch: the log first, then what each of them writes. */
export interface Commit {
  log: SQL[];
  /** For each command its writes, notes and events, and last its idempotency record, which returns a `RecordedAnswer`. */
  parts: Write[][];
  /** Where the log ends then, and what it has names of. */
  head: Head;
  names: Names;
  /** Whether any of them tells of events: then their answers say where those end. */
  emits: boolean;
}

/**
 * What commits commands behind `head`, in their order. If the log does not end there any more, the batch fails by a
 * constraint: of the log (`logWrites`), or of the first answer where nothing goes into the log.
 */
export function commitOf(
  scope: Scope,
  decided: readonly Decided[],
  { head, names }: { head: Head; names: Names },
  /** The number that the first record follows: the head's, but behind a gap that it declares. */
  lastNumber: number,
  saltOf: (purpose: string) => string,
): Commit {
  let end = { ...head, sequenceNumber: lastNumber };
  const entries = decided.flatMap(({ request, change, now }) =>
    change.audit.map((entry) => ({ entry, request, now })),
  );
  const records = entries.map(({ entry, request, now }): LogRecord => {
    const record = chainRecord(
      withReason(entry, request.reason),
      { sequenceNumber: end.sequenceNumber + 1, previousHash: end.hash, now },
      { actor: request.actor, requestId: request.requestId, ipAddress: request.ipAddress },
      saltOf,
    );
    end = { ...end, sequenceNumber: record.sequenceNumber, hash: record.hash };
    return { ...record, now };
  });
  const log = logWrites(scope, records, head.hash, names);
  const emits = decided.some(({ change }) => (change.events ?? []).length > 0);
  return {
    log: log.writes,
    parts: decided.map(({ request, change, now }, index) => [
      ...change.writes,
      ...(change.notes ?? []),
      ...(change.events ?? []),
      recordAnswer(
        scope,
        request,
        is(change.answer, SQL) ? change.answer : sql`${JSON.stringify(change.answer.value)}`,
        { now, emits, fence: index === 0 && records.length === 0 ? endsWith(scope, head.hash) : undefined },
      ),
    ]),
    head: end,
    names: log.names,
    emits,
  };
}

const withReason = (entry: AuditEntry, reason: string | undefined): AuditEntry =>
  reason === undefined
    ? entry
    : { ...entry, changes: [...entry.changes, { field: 'reason', oldValue: null, newValue: reason }] };
