import { type SQL, sql } from 'drizzle-orm';
import type { Env } from '../../core/env.ts';
import type { Database } from '../../core/lib/database.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { execute, ofService } from '../../core/writer/client.ts';
import { headQuery } from '../../core/writer/commit.ts';
import { ON_REQUEST } from '../../core/writer/job-timing.ts';
import type { Job } from '../../core/writer/jobs.ts';
import type { Overdue } from '../../core/writer/overdue.ts';
import { eraseRecords, finishErasing, namingRecords } from './erase-commands.ts';

/** The maximum number of records that one read scans. */
const SPAN = 20_000;
/** The maximum number of records that one commit changes. */
const RECORDS_AT_ONCE = 200;
/** How soon to try again after a failure. */
const AGAIN_MS = 2 * SECOND_MS;

/** Remove erased users from records from before commitments, one part of the log at a time. */
export const eraseFromLog: Job<Env> = async ({ env, database }) => {
  const { users } = await database.ask({ users: erasingQuery(database) });
  if (users.length === 0) return ON_REQUEST;
  for (const { uuid: userUuid, position } of users) {
    const {
      found,
      ends: [end],
    } = await database.ask({
      ends: headQuery(database),
      found: sql<{ last: number | null }>`SELECT max(sequence_number) AS last FROM
        (${namingRecords(database, userUuid, position, position + SPAN)} ORDER BY sequence_number LIMIT ${RECORDS_AT_ONCE})`,
    });
    const last = found[0]!.last;
    const request =
      last !== null
        ? ofService(eraseRecords.name, { userUuid, from: position, to: last })
        : position + SPAN >= end!.sequenceNumber
          ? ofService(finishErasing.name, { userUuid })
          : undefined;
    // There is nothing to change. Only the progress is stored, without an audit record.
    if (!request) {
      await database.first(
        sql`UPDATE user SET erasing_position = ${position + SPAN} WHERE uuid = ${userUuid} AND erasing_position = ${position} RETURNING uuid`,
      );
      continue;
    }
    const outcome = await execute(env, database.organization, request);
    if (outcome.kind !== 'done' || isAgain(outcome.body)) return Date.now() + AGAIN_MS;
  }
  return Date.now();
};

const isAgain = (body: string): boolean => (JSON.parse(body) as { again?: boolean }).again === true;

/** The users whose erasure is in progress. They are few. */
const erasingQuery = ({ organization }: Database): SQL<{ uuid: string; position: number }> =>
  sql`SELECT uuid, erasing_position AS position FROM user INDEXED BY user_erasing
    WHERE erasing_position >= 0 AND organization_uuid = ${organization} LIMIT 10`;

/** Finds organizations whose logs still contain erased users. */
export const overdueErasures: Overdue = (before) => sql`SELECT organization_uuid AS uuid FROM user
  INDEXED BY user_erasing WHERE erasing_position >= 0 AND update_date <= ${before}`;
