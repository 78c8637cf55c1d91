import { type SQL, sql } from 'drizzle-orm';
import type { Json } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { hourOf, type Recipient, type RequestedMail } from './mail-rules.ts';

/** A column of the row of a mailbox; null if it has no row. */
const ofMailbox = (column: string, organization: SQL, mailbox: SQL): SQL => sql`(SELECT ${sql.raw(column)}
  FROM mail_recipient own WHERE own.organization_uuid = ${organization} AND own.address = ${mailbox})`;

/** Whether the recipient with a mailbox has stopped the e-mails of an organization. */
const isStopped = (organization: SQL, mailbox: SQL) =>
  sql<0 | 1>`(${ofMailbox('stop_date', organization, mailbox)} IS NOT NULL)`;

/** Whether the recipient with a mailbox has confirmed the e-mails of an organization. */
const isConfirmed = (organization: SQL, mailbox: SQL) =>
  sql<0 | 1>`(${ofMailbox('confirm_date', organization, mailbox)} IS NOT NULL)`;

const OF_WEBHOOK = [sql`webhook.organization_uuid`, sql`webhook.mailbox`] as const;

/** Whether the recipient of a webhook has stopped the e-mails. */
const hasStopped = sql<0 | 1>`(webhook.mailbox IS NOT NULL AND ${isStopped(...OF_WEBHOOK)})`;

/** Whether the recipient of a webhook has confirmed the e-mails. Null for other webhooks, and after a stop. */
export const confirmation = sql<
  'CONFIRMED' | 'PENDING' | null
>`iif(webhook.mailbox IS NULL OR ${hasStopped}, NULL,
  iif(${isConfirmed(...OF_WEBHOOK)}, 'CONFIRMED', 'PENDING'))`;

/** The state of a mailbox in an organization, as JSON. */
const recipientJson = (organization: SQL, mailbox: SQL): SQL => sql`(SELECT json_object('mailbox', ${mailbox},
    'isConfirmed', ${isConfirmed(organization, mailbox)}, 'isStopped', ${isStopped(organization, mailbox)},
    'askDate', ${ofMailbox('ask_date', organization, mailbox)},
    'askCount', coalesce(${ofMailbox('ask_count', organization, mailbox)}, 0), 'hour', max(hour_date),
    'sent', coalesce(sum(iif(r.address = ${mailbox}, sent_count, 0)), 0),
    'sentByOrganization', coalesce(sum(sent_count), 0), 'testsByOrganization', coalesce(sum(test_count), 0))
  FROM mail_recipient r WHERE r.organization_uuid = ${organization} AND r.hour_date =
    (SELECT max(hour_date) FROM mail_recipient WHERE mail_recipient.organization_uuid = ${organization}))`;

/** The recipient of an e-mail webhook. Null for other webhooks. */
export const recipientOfWebhook = sql<Json<Recipient> | null>`iif(webhook.mailbox IS NULL, NULL,
  ${recipientJson(...OF_WEBHOOK)})`;

/** Read the state of a mailbox. */
export const recipientQuery = (
  { organization }: Scope,
  mailbox: string,
): SQL<{ recipient: Json<Recipient> }> =>
  sql`SELECT ${recipientJson(sql`${organization}`, sql`${mailbox}`)} AS recipient`;

/** Add the e-mails that a run has claimed to the numbers of this hour. Tests are counted by their command. */
export const countClaimed = (
  { organization }: Scope,
  webhooks: readonly string[],
  { claim, now }: { claim: string; now: number },
): SQL => sql`INSERT INTO mail_recipient (organization_uuid, address, hour_date, sent_count)
  SELECT webhook.organization_uuid, webhook.mailbox, ${hourOf(now)}, count(*)
  FROM json_each(${JSON.stringify(webhooks)}) named CROSS JOIN webhook ON webhook.uuid = named.value
    AND +webhook.organization_uuid = ${organization}
  CROSS JOIN webhook_delivery d ON d.webhook_uuid = webhook.uuid AND d.state = 'CLAIMED' AND d.due_date > ${now}
    AND d.claim = ${claim} AND d.sequence_number IS NOT NULL
  GROUP BY 2 ${addToHour}`;

/** An assignment that adds to a count of the present hour. */
const added = (count: string): SQL =>
  sql.raw(`${count} = iif(hour_date = excluded.hour_date, ${count}, 0) + excluded.${count}`);
const addToHour = sql`ON CONFLICT (organization_uuid, address) DO UPDATE SET
  ${added('sent_count')}, ${added('test_count')}, hour_date = excluded.hour_date`;

/** Count an e-mail that a user has requested. */
export const countRequested = (
  { organization }: Scope,
  mailbox: string,
  mail: RequestedMail,
  now: number,
): SQL => sql`INSERT INTO mail_recipient
    (organization_uuid, address, hour_date, sent_count, test_count, ask_date, ask_count)
  VALUES (${organization}, ${mailbox}, ${hourOf(now)}, 1, ${mail === 'TEST' ? 1 : 0},
    ${mail === 'TEST' ? null : now}, ${mail === 'TEST' ? 0 : 1}) ${addToHour},
  ask_count = iif(ask_date > ${now - DAY_MS} OR excluded.ask_date IS NULL, ask_count, 0) + excluded.ask_count,
  ask_date = iif(ask_date > ${now - DAY_MS} OR excluded.ask_date IS NULL, ask_date, excluded.ask_date)`;

/** Note that the recipient with a mailbox has confirmed or stopped the e-mails. The first date stays. */
export const storeRecipientAnswer = (
  { organization }: Scope,
  mailbox: string,
  column: 'confirm_date' | 'stop_date',
  now: number,
): SQL => sql`INSERT INTO mail_recipient (organization_uuid, address, ${sql.raw(column)}, hour_date, sent_count)
  VALUES (${organization}, ${mailbox}, ${now}, ${hourOf(now)}, 0)
  ON CONFLICT (organization_uuid, address) DO UPDATE SET
    ${sql.raw(column)} = coalesce(${sql.raw(column)}, excluded.${sql.raw(column)})`;

/** Forget the numbers of earlier hours. Mailboxes that were asked, or have confirmed or stopped the e-mails, stay. */
export const forgetHours = ({ organization }: Scope, now: number): SQL => sql`DELETE FROM mail_recipient
  WHERE organization_uuid = ${organization} AND hour_date < ${hourOf(now)}
    AND ask_date IS NULL AND confirm_date IS NULL AND stop_date IS NULL`;

/** The organization of a link in an e-mail, and the answer of its recipient. */
export const linkedRecipientQuery = ({ organization }: Scope, mailbox: string) => sql<{
  slug: string;
  sender: string;
  isStopped: 0 | 1;
  isConfirmed: 0 | 1;
}>`SELECT slug, name AS sender, ${isStopped(sql`organization.uuid`, sql`${mailbox}`)} AS "isStopped",
    ${isConfirmed(sql`organization.uuid`, sql`${mailbox}`)} AS "isConfirmed"
  FROM organization WHERE uuid = ${organization}`;
