import { type SQL, sql } from 'drizzle-orm';
import type { Json } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { hourOf, type MailNumbers } from './mail-rules.ts';

/** The address of an e-mail webhook in lower case, from its URL `mailto:…`. */
export const addressColumn = sql`lower(substr(webhook.url, 8))`;

/** A row if the recipient with an address has stopped the e-mails of an organization. */
export const stoppedQuery = (organization: string | SQL, address: string | SQL): SQL => sql`SELECT 1
  FROM mail_recipient r WHERE r.organization_uuid = ${organization} AND r.address = ${address} AND r.stop_date IS NOT NULL`;

/** Whether the recipient of a webhook has stopped the e-mails. */
export const isStopped = sql<0 | 1>`(webhook.mail_format IS NOT NULL
  AND EXISTS (${stoppedQuery(sql`webhook.organization_uuid`, addressColumn)}))`;

/** The e-mails of an e-mail webhook in the latest hour in which its organization sent any, as JSON. Null for other webhooks. */
export const mailNumbers = sql<Json<MailNumbers> | null>`iif(webhook.mail_format IS NULL, NULL,
  (SELECT json_object('address', ${addressColumn}, 'hour', max(hour_date),
      'sent', coalesce(sum(iif(r.address = ${addressColumn}, sent_count, 0)), 0),
      'sentByOrganization', coalesce(sum(sent_count), 0))
    FROM mail_recipient r WHERE r.organization_uuid = webhook.organization_uuid AND r.hour_date =
      (SELECT max(hour_date) FROM mail_recipient
        WHERE mail_recipient.organization_uuid = webhook.organization_uuid)))`;

/** Add the e-mails that a run has claimed to the numbers of this hour. Tests are counted by their command. */
export const countClaimed = (
  { organization }: Scope,
  webhooks: readonly string[],
  { claim, now }: { claim: string; now: number },
): SQL => sql`INSERT INTO mail_recipient (organization_uuid, address, hour_date, sent_count)
  SELECT webhook.organization_uuid, ${addressColumn}, ${hourOf(now)}, count(*)
  FROM json_each(${JSON.stringify(webhooks)}) named CROSS JOIN webhook ON webhook.uuid = named.value
    AND +webhook.organization_uuid = ${organization}
  CROSS JOIN webhook_delivery d ON d.webhook_uuid = webhook.uuid AND d.state = 'CLAIMED' AND d.due_date > ${now}
    AND d.claim = ${claim} AND d.sequence_number IS NOT NULL
  GROUP BY 2 ${addToHour}`;

const addToHour = sql`ON CONFLICT (organization_uuid, address) DO UPDATE SET
  sent_count = iif(hour_date = excluded.hour_date, sent_count, 0) + excluded.sent_count, hour_date = excluded.hour_date`;

/** Add an e-mail to the number of this hour. */
export const countOne = (
  { organization }: Scope,
  address: string,
  now: number,
): SQL => sql`INSERT INTO mail_recipient (organization_uuid, address, hour_date, sent_count)
  VALUES (${organization}, ${address}, ${hourOf(now)}, 1) ${addToHour}`;

/** Send no more e-mails to an address. */
export const stopMails = (
  { organization }: Scope,
  address: string,
  now: number,
): SQL => sql`INSERT INTO mail_recipient (organization_uuid, address, stop_date, hour_date, sent_count)
  VALUES (${organization}, ${address}, ${now}, ${hourOf(now)}, 0)
  ON CONFLICT (organization_uuid, address) DO UPDATE SET stop_date = coalesce(stop_date, excluded.stop_date)`;

/** Forget the numbers of earlier hours. Addresses that have stopped the e-mails stay. */
export const forgetHours = ({ organization }: Scope, now: number): SQL => sql`DELETE FROM mail_recipient
  WHERE organization_uuid = ${organization} AND stop_date IS NULL AND hour_date < ${hourOf(now)}`;

/** The organization of a link to stop, and whether its recipient has stopped the e-mails. */
export const recipientQuery = ({ organization }: Scope, address: string) => sql<{
  slug: string;
  sender: string;
  isStopped: 0 | 1;
}>`SELECT slug, name AS sender,
    EXISTS (${stoppedQuery(sql`organization.uuid`, address)}) AS "isStopped"
  FROM organization WHERE uuid = ${organization}`;
