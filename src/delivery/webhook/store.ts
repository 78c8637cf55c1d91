import { type SQL, sql } from 'drizzle-orm';
import { deepLink } from '../../core/http/link.ts';
import { type Json, parseJson } from '../../core/lib/json.ts';
import { livesHere } from '../../core/lib/look-up.ts';
import { SEALED_PAGE, type SealedIn } from '../../core/lib/reseal.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { type SealingKeys, sealedBy } from '../../core/lib/seal.ts';
import { isoDate, isoDateOrNull } from '../../core/lib/time.ts';
import { json, type Viewed, type ViewRow, view } from '../../core/lib/view.ts';
import type { Recipient } from './mail-rules.ts';
import { confirmation, recipientOfWebhook } from './mail-store.ts';
import { type Fault, faultText } from './rules.ts';
import type { StoredHeader, StoredSecret } from './secret.ts';
import {
  type DELIVERY_STATES,
  type DELIVERY_STATUSES,
  PROGRAM_FORMATS,
  type WebhookFormat,
  webhook,
  webhookDelivery,
} from './table.ts';

const PROGRAMS = PROGRAM_FORMATS.map((format) => `'${format}'`).join(', ');

/** An SQL condition on a webhook: people read its messages. */
export const isForPeople = sql.raw(`webhook.format NOT IN (${PROGRAMS})`);

/** Whether a webhook is active, or becomes active when its recipient confirms the address. */
export const isWanted = sql<0 | 1>`(webhook.active = 1 OR webhook.awaits_confirmation = 1)`;

/** JSON of a webhook, without its secrets and the values of its headers. */
export const webhookView = view({
  uuid: webhook.uuid,
  name: webhook.name,
  url: webhook.url,
  eventTypes: json<string[]>(sql`${webhook.eventTypes}`),
  alertTypes: json<string[]>(sql`coalesce(webhook.alert_types, '[]')`),
  format: webhook.format,
  active: isWanted,
  confirmation,
  disabledReason: webhook.disabledReason,
  disabledDate: webhook.disabledDate,
  failingSince: webhook.failingSince,
  headerNames: sql<string[]>`(SELECT json_group_array(json_extract(value, '$.name'))
    FROM json_each(webhook.custom_headers))`,
  secretOverlapEndDate: sql<number | null>`(SELECT max(json_extract(value, '$.validUntilDate'))
    FROM json_each(webhook.secrets))`,
  createDate: webhook.createDate,
  updateDate: webhook.updateDate,
});
export type StoredWebhook = Viewed<typeof webhookView>;

/** A webhook as the API shows it. */
export function presentWebhook(links: string, { headerNames, ...stored }: StoredWebhook, now: number) {
  const { secretOverlapEndDate: end } = stored;
  return {
    ...stored,
    active: stored.active === 1,
    disabledDate: isoDateOrNull(stored.disabledDate),
    failingSince: isoDateOrNull(stored.failingSince),
    customHeaders: headerNames.map((name) => ({ name, value: null })),
    secretOverlapEndDate: end !== null && end > now ? isoDate(end) : null,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'webhook', stored.uuid),
  };
}

/** Read the view of one webhook. */
export const webhookQuery = (
  database: Scope,
  uuid: string,
): SQL<ViewRow<typeof webhookView>> => sql`SELECT ${webhookView} AS view FROM webhook
  WHERE organization_uuid = ${database.organization} AND uuid = ${uuid}`;

/** A row of `foundQuery`. */
interface FoundRow {
  uuid: string;
  name: string;
  url: string;
  eventTypes: Json<string[]>;
  alertTypes: Json<string[]>;
  format: WebhookFormat;
  active: 0 | 1;
  awaitsConfirmation: 0 | 1;
  /** Null if it is no e-mail webhook. */
  recipient: Json<Recipient> | null;
  /** The name of the organization. */
  sender: string;
  customHeaders: Json<StoredHeader[]>;
  secrets: Json<StoredSecret[]>;
  linkOrigin: string;
  failingSince: number | null;
  updateDate: number;
}

/** The name of the organization of a webhook. */
export const senderOfWebhook = sql<string>`(SELECT organization.name FROM organization
  WHERE organization.uuid = webhook.organization_uuid)`;

/** Read everything about one webhook; `toFound` parses the row. */
export const foundQuery = (scope: Scope, uuid: string): SQL<FoundRow> => sql`SELECT uuid, name, url,
    event_types AS "eventTypes", coalesce(alert_types, '[]') AS "alertTypes", format, active,
    awaits_confirmation AS "awaitsConfirmation", ${recipientOfWebhook} AS recipient, ${senderOfWebhook} AS sender,
    custom_headers AS "customHeaders", secrets, link_origin AS "linkOrigin", failing_since AS "failingSince", update_date AS "updateDate"
  FROM webhook WHERE organization_uuid = ${scope.organization} AND uuid = ${uuid}`;

/** A webhook from a row of `foundQuery`. */
export const toFound = ([row]: readonly FoundRow[]) =>
  row && {
    ...row,
    active: row.active === 1,
    awaitsConfirmation: row.awaitsConfirmation === 1,
    eventTypes: parseJson(row.eventTypes),
    alertTypes: parseJson(row.alertTypes),
    recipient: row.recipient && parseJson(row.recipient),
    customHeaders: parseJson(row.customHeaders),
    secrets: parseJson(row.secrets),
  };
/** A webhook as commands and consumers need it. */
export type FoundWebhook = NonNullable<ReturnType<typeof toFound>>;

/** Whether the message of another delivery lists a delivery. */
const isListed = sql`webhook_delivery.digest_uuid <> webhook_delivery.uuid`;

/** A column of the delivery with the message for a delivery, which is its own or lists it. */
const ofMessage = <T>(column: 'state' | 'due_date') => sql<T>`iif(${isListed},
  (SELECT m.${sql.identifier(column)} FROM webhook_delivery m WHERE m.uuid = webhook_delivery.digest_uuid),
  webhook_delivery.${sql.identifier(column)})`;

/** The state of a delivery as the API shows it. */
export const deliveryStatus = sql<(typeof DELIVERY_STATUSES)[number]>`CASE ${ofMessage('state')}
  WHEN 'FAILED' THEN 'FAILED'
  WHEN 'SUCCEEDED' THEN iif(${isListed} OR webhook_delivery.first_attempt_date IS NULL, 'SKIPPED', 'SUCCEEDED')
  ELSE 'PENDING' END`;

/** JSON of a delivery. */
export const deliveryView = view({
  uuid: webhookDelivery.uuid,
  webhookUuid: webhookDelivery.webhookUuid,
  eventIdentifier: webhookDelivery.eventUuid,
  eventType: webhookDelivery.eventType,
  sequenceNumber: webhookDelivery.sequenceNumber,
  state: ofMessage<(typeof DELIVERY_STATES)[number]>('state'),
  status: deliveryStatus,
  attemptsCount: webhookDelivery.attemptsCount,
  dueDate: ofMessage<number | null>('due_date'),
  attempts: json<Attempt[]>(sql`${webhookDelivery.attempts}`),
  createDate: webhookDelivery.createDate,
  updateDate: webhookDelivery.updateDate,
});
export type StoredDelivery = Viewed<typeof deliveryView>;

/** An attempt to deliver. */
export interface Attempt {
  attemptDate: number;
  statusCode: number | null;
  durationMs: number;
  response: string | null;
  /** Null if it succeeded. */
  error: Fault | null;
}

/** A delivery as the API shows it. `faultIn` writes the fault of an attempt for a page. */
export function presentDelivery(
  links: string,
  { state, dueDate, ...stored }: StoredDelivery,
  faultIn: typeof faultText = faultText,
) {
  const attempts = stored.attempts.map(({ attemptDate, statusCode, error, ...attempt }) => ({
    attemptDate: isoDate(attemptDate),
    statusCode,
    ...attempt,
    error: error && faultIn(error, statusCode),
  }));
  const latest = attempts.at(-1);
  return {
    ...stored,
    createDate: isoDate(stored.createDate),
    updateDate: isoDate(stored.updateDate),
    deepLink: deepLink(links, 'webhook', stored.webhookUuid),
    nextAttemptDate: state === 'WAITING' ? isoDateOrNull(dueDate) : null,
    statusCode: latest?.statusCode ?? null,
    durationMs: latest?.durationMs ?? null,
    response: latest?.response ?? null,
    error: latest?.error ?? null,
    attempts,
  };
}

/** The columns of a webhook that hold sealed values. */
export interface SealedRow {
  uuid: string;
  secrets: string;
  custom_headers: string;
}

/** An SQL expression of all sealed values of the webhook `w`. */
const TEXTS = sql`(SELECT value ->> 'sealed' AS text FROM json_each(w.secrets)
  UNION ALL SELECT value ->> 'value' FROM json_each(w.custom_headers))`;

const startsWith = (start: string): SQL => sql`substr(text, 1, ${start.length}) = ${start}`;

/** An SQL condition: a value of the webhook `w` is not sealed with the first key. */
export const sealedOtherwise = (keys: SealingKeys): SQL =>
  sql`EXISTS (SELECT 1 FROM ${TEXTS} WHERE NOT ${startsWith(sealedBy(keys[0]))})`;

/** The sealed values of a webhook, and its organization. */
export type FoundSealed = SealedRow & SealedIn;

/** The webhooks of a database that these keys can open and that are not yet sealed with the first key. */
export const sealedPageQuery = (
  keys: SealingKeys,
  after: string,
  organization: string | undefined,
): SQL<FoundSealed> => {
  const known = keys.map(sealedBy).map(startsWith);
  return sql<FoundSealed>`SELECT w.uuid, w.organization_uuid, w.secrets, w.custom_headers FROM webhook w
    JOIN organization ON organization.uuid = w.organization_uuid AND ${livesHere}
    WHERE w.uuid > ${after} AND ${sealedOtherwise(keys)}
      AND NOT EXISTS (SELECT 1 FROM ${TEXTS} WHERE NOT (${sql.join(known, sql` OR `)}))
      ${organization === undefined ? sql`` : sql`AND w.organization_uuid = ${organization}`}
    ORDER BY w.uuid LIMIT ${SEALED_PAGE}`;
};
