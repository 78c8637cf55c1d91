import { is, SQL, sql } from 'drizzle-orm';
import { chainRecord, FIRST_PREVIOUS_HASH, recordUuid } from '../audit/chain.ts';
import { auditLog } from '../audit/table.ts';
import type { Database } from '../lib/database.ts';
import type { Change, CommandRequest } from './command.ts';
import { recordAnswer } from './idempotency.ts';

/** Where an organization's log ends. */
export interface Head {
  sequenceNumber: number;
  hash: string;
}

/** Read the end of the log. */
export const headQuery = (database: Database): SQL => sql`
  SELECT sequence_number AS "sequenceNumber", hash FROM audit_log
  WHERE organization_uuid = ${database.organization} ORDER BY sequence_number DESC LIMIT 1`;

/** The head of a log without records. */
export const EMPTY_HEAD: Head = { sequenceNumber: 0, hash: FIRST_PREVIOUS_HASH };

/**
 * Commit a change in ONE batch: its writes and notes, its audit records at the positions right after `head`, and the
 * idempotency record that holds the answer. If anything else was committed since `head` was read, the audit
 * record's primary key is taken and the whole batch rolls back with a constraint error.
 */
export async function commit(
  database: Database,
  request: CommandRequest,
  head: Head,
  change: Change,
  now: number,
): Promise<{ body: string; head: Head }> {
  let next = head;
  const rows = change.audit.map((entry) => {
    const { actor, changes, ...record } = chainRecord(
      entry,
      { sequenceNumber: next.sequenceNumber + 1, previousHash: next.hash, now },
      { actor: request.actor, requestId: request.requestId, ipAddress: request.ipAddress },
    );
    next = { sequenceNumber: record.sequenceNumber, hash: record.hash };
    return {
      ...record,
      uuid: recordUuid(now, record.hash),
      eventDate: now,
      actorType: actor.actorType,
      actorUuid: actor.uuid,
      actorDisplayName: actor.displayName,
      changes: JSON.stringify(changes),
    };
  });
  const answer = is(change.answer, SQL) ? change.answer : sql`${JSON.stringify(change.answer.value)}`;
  const results = await database.batch<{ body: string }[][]>([
    ...database.insert(auditLog, rows),
    ...change.writes,
    ...(change.notes ?? []),
    ...(change.events ?? []),
    recordAnswer(database, request, answer, now),
  ]);
  return { body: results.at(-1)![0]!.body, head: next };
}
