import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../http/link.ts';
import type { Database } from '../lib/database.ts';
import { NO_ORGANIZATION, newUuid } from '../lib/id.ts';
import { pruneRows } from '../lib/prune.ts';
import { DAY_MS, isoDate, isoDateOrNull } from '../lib/time.ts';

/** JSON of a dead letter. */
export const deadLetterView = sql`json_object('uuid', dead_letter.uuid,
  'organizationUuid', dead_letter.organization_uuid, 'queue', dead_letter.queue, 'body', json(dead_letter.body),
  'reason', dead_letter.reason, 'resendCount', resend_count, 'resendDate', resend_date,
  'createDate', dead_letter.create_date, 'updateDate', dead_letter.update_date)`;

/** A row of `deadLetterView`. Dates in epoch milliseconds. */
export interface StoredDeadLetter {
  uuid: string;
  organizationUuid: string;
  queue: string;
  body: unknown;
  reason: string;
  resendCount: number;
  resendDate: number | null;
  createDate: number;
  updateDate: number;
}

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

/** Of which organization a letter is; for the operator. */
export const letterOrganizationQuery = (
  uuid: string,
): SQL => sql`SELECT organization_uuid AS "organizationUuid"
  FROM dead_letter WHERE uuid = ${uuid} AND ${ofAnyOrganization}`;

/** A letter of the organization. */
export const letterQuery = (database: Database, uuid: string): SQL => sql`SELECT ${deadLetterView} AS view
  FROM dead_letter WHERE uuid = ${uuid} AND organization_uuid = ${database.organization}`;

/** Keep a message that a queue gave up; one that is kept already stays as it is. */
export async function keepLetter(
  database: Database,
  { queue, messageId, body, reason }: { queue: string; messageId: string; body: unknown; reason: string },
  now: number,
): Promise<void> {
  await database.all(sql`INSERT INTO dead_letter (organization_uuid, uuid, queue, message_id, body, reason,
      resend_count, create_date, update_date)
    VALUES (${database.organization}, ${newUuid()}, ${queue}, ${messageId}, ${JSON.stringify(body ?? null)}, ${reason},
      0, ${now}, ${now})
    ON CONFLICT (organization_uuid, queue, message_id) DO NOTHING`);
}

/** How long a letter is kept. */
const LETTERS_KEPT_MS = 90 * DAY_MS;

/** Forget letters whose time is over, of all organizations. For the scheduled handler. */
export const pruneDeadLetters = (db: D1Database, now: number): Promise<number> =>
  pruneRows(db, 'dead_letter', 'create_date', now - LETTERS_KEPT_MS);
