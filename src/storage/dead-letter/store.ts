import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import type { Database } from '../../core/lib/database.ts';
import { NO_ORGANIZATION, newUuid } from '../../core/lib/id.ts';
import { pruneRows } from '../../core/lib/prune.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { DAY_MS, isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import { deadLetter } from './table.ts';

/** JSON of a dead letter. */
export const deadLetterView = view({
  uuid: deadLetter.uuid,
  organizationUuid: deadLetter.organizationUuid,
  queue: deadLetter.queue,
  body: json<unknown>(sql`dead_letter.body`),
  reason: deadLetter.reason,
  resendCount: deadLetter.resendCount,
  resendDate: deadLetter.resendDate,
  createDate: deadLetter.createDate,
  updateDate: deadLetter.updateDate,
});
export type StoredDeadLetter = Viewed<typeof deadLetterView>;

/** A dead letter as the operator sees it. */
export function presentDeadLetter(links: string, stored: StoredDeadLetter) {
  return {
    ...stored,
    organizationUuid: stored.organizationUuid === NO_ORGANIZATION ? null : stored.organizationUuid,
    resendDate: isoDateOrNull(stored.resendDate),
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'dead-letter', stored.uuid),
  };
}

/** Letters of all organizations. */
export const ofAnyOrganization = sql`dead_letter.organization_uuid >= ${NO_ORGANIZATION}`;

/** The organization of a letter; for operators. */
export const letterOrganizationQuery = (
  uuid: string,
): SQL<{ organizationUuid: string }> => sql`SELECT organization_uuid AS "organizationUuid"
  FROM dead_letter WHERE uuid = ${uuid} AND ${ofAnyOrganization}`;

/** A letter of any organization; for operators. */
export const anyLetterQuery = (uuid: string) =>
  sql<ViewRow<typeof deadLetterView>>`SELECT ${deadLetterView} AS view
  FROM dead_letter WHERE uuid = ${uuid} AND ${ofAnyOrganization}`;

/** A letter of the organization. */
export const letterQuery = (scope: Scope, uuid: string) =>
  sql<ViewRow<typeof deadLetterView>>`SELECT ${deadLetterView} AS view
  FROM dead_letter WHERE uuid = ${uuid} AND organization_uuid = ${scope.organization}`;

/** Store a message that a queue gave up on. A stored message is not changed. */
export async function keepLetter(
  database: Database,
  { queue, messageId, body, reason }: { queue: string; messageId: string; body: unknown; reason: string },
  now: number,
): Promise<void> {
  await database.send([
    sql`INSERT INTO dead_letter (organization_uuid, uuid, queue, message_id, body, reason,
      resend_count, create_date, update_date)
    VALUES (${database.organization}, ${newUuid()}, ${queue}, ${messageId}, ${JSON.stringify(body ?? null)}, ${reason},
      0, ${now}, ${now})
    ON CONFLICT (organization_uuid, queue, message_id) DO NOTHING`,
  ]);
}

/** How long a letter is kept. */
const LETTERS_KEPT_MS = 90 * DAY_MS;

/** Delete expired letters of all organizations. For the scheduled handler. */
export const pruneDeadLetters = (db: D1Database, now: number): Promise<number> =>
  pruneRows(db, 'dead_letter', 'create_date', now - LETTERS_KEPT_MS);
