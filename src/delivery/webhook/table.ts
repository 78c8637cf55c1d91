import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Why the service disabled a webhook: its receiver is gone, failed for five days, or has stopped the e-mails. */
export const DISABLED_REASONS = ['GONE', 'FAILING', 'STOPPED'] as const;

/** The formats for programs: events as in the event log, or documents of EPCIS 2.0. */
export const PROGRAM_FORMATS = ['EVENT', 'EPCIS_2_0'] as const;
/** The formats of deliveries. After those for programs: messages for people, in a chat service or as e-mails. */
export const FORMATS = [...PROGRAM_FORMATS, 'SLACK', 'TEAMS', 'EMAIL'] as const;
export type WebhookFormat = (typeof FORMATS)[number];

/** A receiver of events. Dates in epoch milliseconds. */
export const webhook = sqliteTable('webhook', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  name: text('name').notNull(),
  /** The folded name; null if `lower()` of SQLite gives the same. */
  foldedName: text('folded_name'),
  url: text('url').notNull(),
  /** JSON array of event types; empty for all. */
  eventTypes: text('event_types').notNull(),
  /** JSON array of the types of alerts in ALERT_RAISED; null for all. */
  alertTypes: text('alert_types'),
  format: text('format', { enum: FORMATS }).notNull(),
  /** The address of an e-mail webhook in lower case, without its +tag. Null for other formats. */
  mailbox: text('mailbox'),
  active: integer('active').$type<0 | 1>().notNull(),
  /** 1 if it becomes active when its recipient confirms the address. Then `active` is 0. */
  awaitsConfirmation: integer('awaits_confirmation').$type<0 | 1>().notNull().default(0),
  disabledReason: text('disabled_reason', { enum: DISABLED_REASONS }),
  disabledDate: integer('disabled_date'),
  /** JSON array of `{name, value}`, each value sealed. */
  customHeaders: text('custom_headers').notNull(),
  /** JSON array of `{sealed, validUntilDate}`, the current one first; its end is null. */
  secrets: text('secrets').notNull(),
  /** The origin of links in deliveries. */
  linkOrigin: text('link_origin').notNull(),
  /** Sequence number of the last event for which deliveries were created. */
  position: integer('position').notNull(),
  /** The date of the first failure since the last success. */
  failingSince: integer('failing_since'),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  /** JSON object of messages whose results are not stored yet, by uuid: `OpenMessage`. */
  openMessages: text('open_messages').notNull().default('{}'),
  /** The number of deliveries in its open and settled messages. */
  messagesCount: integer('messages_count').notNull().default(0),
});

/** A message whose deliveries all succeeded at the first attempt. Dates in epoch milliseconds. */
export const webhookMessage = sqliteTable(
  'webhook_message',
  {
    organizationUuid: text('organization_uuid').notNull(),
    webhookUuid: text('webhook_uuid').notNull(),
    createDate: integer('create_date').notNull(),
    uuid: text('uuid').notNull(),
    /** JSON array of `MessageDelivery` with its attempt, or null if there was nothing to send. */
    deliveries: text('deliveries').notNull(),
    updateDate: integer('update_date').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationUuid, table.webhookUuid, table.createDate, table.uuid] }),
  ],
);

/**
 * The states of a delivery; the first three are PENDING in the API. QUEUED is a test that no run has taken yet. CLAIMED
 * is claimed for a message.
 */
export const DELIVERY_STATES = ['WAITING', 'QUEUED', 'CLAIMED', 'SUCCEEDED', 'FAILED'] as const;

/** The state in the API. */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const;

/** An event on its way to a webhook, or a test. Dates in epoch milliseconds. */
export const webhookDelivery = sqliteTable('webhook_delivery', {
  uuid: text('uuid').primaryKey(),
  organizationUuid: text('organization_uuid').notNull(),
  webhookUuid: text('webhook_uuid').notNull(),
  /** Of the event; null for a test. */
  sequenceNumber: integer('sequence_number'),
  eventUuid: text('event_uuid').notNull(),
  eventType: text('event_type').notNull(),
  state: text('state', { enum: DELIVERY_STATES }).notNull(),
  /** The claim that its message carries. */
  claim: text('claim'),
  /** When it is due: for an attempt, or because a message or a consumer may have been lost. */
  dueDate: integer('due_date'),
  /** The number of messages sent for it that no consumer has opened; 0 once a consumer sends it. */
  queuedCount: integer('queued_count').notNull(),
  /** The number of failures in its current schedule. */
  failuresCount: integer('failures_count').notNull(),
  /** When the current schedule began; null if nothing was sent yet. */
  firstAttemptDate: integer('first_attempt_date'),
  /** JSON array of attempts, the latest last. */
  attempts: text('attempts').notNull(),
  attemptsCount: integer('attempts_count').notNull(),
  createDate: integer('create_date').notNull(),
  updateDate: integer('update_date').notNull(),
  /** The delivery with the message that lists this one. The first delivery of such a message has its own uuid. */
  digestUuid: text('digest_uuid'),
});

/** A mailbox that got e-mails in the present hour, or was asked, or has confirmed or stopped them. Dates in epoch milliseconds. */
export const mailRecipient = sqliteTable(
  'mail_recipient',
  {
    organizationUuid: text('organization_uuid').notNull(),
    /** The mailbox: in lower case and without a +tag. */
    address: text('address').notNull(),
    /** When the recipient confirmed the e-mails. */
    confirmDate: integer('confirm_date'),
    /** When the organization first asked for the confirmation, within a day. */
    askDate: integer('ask_date'),
    /** How often it has asked since then. */
    askCount: integer('ask_count').notNull().default(0),
    /** When the recipient stopped the e-mails. */
    stopDate: integer('stop_date'),
    /** The beginning of the hour that the counts are about. */
    hourDate: integer('hour_date').notNull(),
    sentCount: integer('sent_count').notNull(),
    /** The number of these that are tests. */
    testCount: integer('test_count').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organizationUuid, table.address] })],
);
