import { type SQL, sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { parseJson } from '../../core/lib/json.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { foldedBeyondAscii } from '../../core/lib/text.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command, isRefusal, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { lastEventNumber } from '../../core/writer/numbers.ts';
import { resolvedAlertsChange } from '../../dispatch/alert/changes.ts';
import { openAboutRecords, openAlertsQuery } from '../../dispatch/alert/store.ts';
import {
  attemptNow,
  confirmationChange,
  disabledWebhookChange,
  resume,
  unlist,
  unqueue,
  webhookAudit,
} from './changes.ts';
import { type Recipient, recipientOf } from './mail-rules.ts';
import { recipientQuery, storeRecipientAnswer } from './mail-store.ts';
import {
  keepValues,
  refuseAddress,
  refuseStoppedRecipient,
  refuseSubscription,
  type Subscription,
  subscriptionColumns,
} from './rules.ts';
import { WEBHOOKS_MAXIMUM } from './schema.ts';
import { SECRETS_MAXIMUM, type StoredHeader } from './secret.ts';
import { foundQuery, toFound, webhookView } from './store.ts';
import { webhook } from './table.ts';

/** A webhook to be registered. */
interface NewWebhook extends Subscription {
  uuid: string;
  name: string;
  url: string;
  active: boolean;
  customHeaders: StoredHeader[];
  sealedSecret: string;
  linkOrigin: string;
}

/** Register a webhook. It receives events from now on, or from the confirmation of its address on. */
export const createWebhook = command('createWebhook', {
  ask: ({ scope }, { url }: NewWebhook) => ({
    held: sql<{
      count: number;
    }>`SELECT count(*) AS count FROM webhook WHERE organization_uuid = ${scope.organization}`,
    recipients: recipientQuery(scope, recipientOf(url)),
  }),
  decide(context, input, { held: [held], recipients: [row] }) {
    const { scope, now } = context;
    const { uuid, name, url, active, customHeaders } = input;
    const fault = refuseSubscription(input) ?? refuseAddress(input);
    if (fault) return fault;
    const recipient = input.format === 'EMAIL' ? parseJson(row!.recipient) : null;
    if (recipient?.isStopped) return refuseStoppedRecipient(input);
    if (held!.count >= WEBHOOKS_MAXIMUM) {
      return refusal(
        'webhookLimitReached',
        `${named('Webhook', name)} cannot be created: an organization has at most ${WEBHOOKS_MAXIMUM} webhooks.`,
        { facts: { name, maximum: WEBHOOKS_MAXIMUM } },
      );
    }
    const asked = confirmationChange(context, { uuid, name, recipient });
    if (asked && isRefusal(asked)) return asked;
    const created = {
      writes: [
        ...scope.insert(webhook, [
          {
            uuid,
            name,
            foldedName: foldedBeyondAscii(name),
            url,
            ...subscriptionColumns(input),
            ...activeColumns(active, recipient),
            customHeaders: JSON.stringify(customHeaders),
            secrets: JSON.stringify([{ sealed: input.sealedSecret, validUntilDate: null }]),
            linkOrigin: input.linkOrigin,
            position: 0,
            createDate: now,
            updateDate: now,
          },
        ]),
        scope.update(webhook, { position: lastEventNumber(scope) }, sql`uuid = ${uuid}`),
      ],
      audit: [webhookAudit('WEBHOOK_CREATED', { uuid, name }, changedFields<object>(null, shown(input)))],
      jobs: true as const,
    };
    return mergeChanges(answerOf(scope, uuid), asked ? [created, asked] : [created]);
  },
});

/** The columns of a webhook that a user wants to be active or not. It is active when its recipient has confirmed. */
const activeColumns = (isWanted: boolean, recipient: Recipient | null) => {
  const mayStart = recipient === null || recipient.isConfirmed === 1;
  return {
    active: isWanted && mayStart ? (1 as const) : (0 as const),
    awaitsConfirmation: isWanted && !mayStart ? (1 as const) : (0 as const),
  };
};

/** Change a webhook. Undefined members do not change. A header without a value keeps its stored value. */
export const updateWebhook = command('updateWebhook', {
  ask: (
    { scope },
    {
      uuid,
      url,
    }: { [K in keyof Subscription]: Subscription[K] | undefined } & {
      uuid: string;
      name: string | undefined;
      url: string | undefined;
      active: boolean | undefined;
      customHeaders: { name: string; value: string | null }[] | undefined;
    },
  ) => ({ ...askWebhook(scope, uuid), recipients: recipientQuery(scope, recipientOf(url ?? '')) }),
  decide(context, { uuid, customHeaders, ...input }, { webhooks, alerts, recipients: [row] }) {
    const { scope, now } = context;
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const headers = customHeaders && keepValues(found.customHeaders, customHeaders);
    if (headers && isRefusal(headers)) return headers;
    const wasWanted = found.active || found.awaitsConfirmation;
    const {
      name = found.name,
      url = found.url,
      eventTypes = found.eventTypes,
      alertTypes = found.alertTypes,
      format = found.format,
      active: isWanted = wasWanted,
    } = input;
    const subscription = { eventTypes, alertTypes, format, url };
    const fault = refuseSubscription(subscription) ?? refuseAddress({ url, format });
    if (fault) return fault;
    const isNew = input.url !== undefined;
    const recipient = format === 'EMAIL' ? (isNew ? parseJson(row!.recipient) : found.recipient) : null;
    if (isWanted && recipient?.isStopped) return refuseStoppedRecipient({ name });
    const changes = changedFields<object>(
      shown({ ...found, active: wasWanted }),
      shown({ ...subscription, name, active: isWanted, customHeaders: headers ?? found.customHeaders }),
    );
    // The values themselves are never logged.
    const valued = (customHeaders ?? []).filter(({ value }) => value !== null).map((header) => header.name);
    if (valued.length > 0) changes.push({ field: 'customHeaderValues', oldValue: null, newValue: valued });
    const answer = answerOf(scope, uuid);
    if (changes.length === 0) return unchanged(answer);
    const asked = confirmationChange(context, { uuid, name, recipient });
    if (asked && isRefusal(asked)) return asked;
    const columns = activeColumns(isWanted, recipient);
    const active = columns.active === 1;
    const [resumes, pauses, starts] = [
      active && !found.active,
      !active && found.active,
      isWanted && !wasWanted,
    ];
    const isReaddressed = url !== found.url || format !== found.format;
    const updated = {
      writes: [
        ...(resumes ? resume(scope, uuid, now) : []),
        ...(pauses ? unqueue(scope, uuid, now) : []),
        // The new format may have no message that lists several events. So listed events get messages of their own.
        ...(format !== found.format ? [unlist(scope, uuid, now)] : []),
        // A user who corrects a URL does not want to wait for the old schedule.
        ...(!resumes && active && url !== found.url ? [attemptNow(scope, uuid, now)] : []),
        scope.update(
          webhook,
          {
            name,
            foldedName: foldedBeyondAscii(name),
            url,
            ...subscriptionColumns(subscription),
            ...columns,
            // Events from before the confirmation are not sent.
            ...(found.awaitsConfirmation && !columns.awaitsConfirmation
              ? { position: lastEventNumber(scope) }
              : {}),
            ...(headers ? { customHeaders: JSON.stringify(headers) } : {}),
            ...(starts || (found.recipient?.isStopped && isReaddressed)
              ? { disabledReason: null, disabledDate: null, failingSince: null }
              : {}),
            updateDate: now,
          },
          sql`uuid = ${uuid}`,
        ),
      ],
      audit: [webhookAudit('WEBHOOK_UPDATED', { uuid, name }, changes)],
    };
    const parts = [
      updated,
      ...(starts ? [resolvedAlertsChange(context, alerts)] : []),
      ...(asked ? [asked] : []),
    ];
    return { ...mergeChanges(answer, parts), jobs: true };
  },
});

/** Delete a webhook with its secrets. Its deliveries are no longer visible and are pruned later. */
export const deleteWebhook = command('deleteWebhook', {
  ask: ({ scope }, { uuid }: { uuid: string }) => askWebhook(scope, uuid),
  decide(context, { uuid }, { webhooks, alerts }) {
    const { scope } = context;
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const deleted = {
      writes: [scope.remove(webhook, sql`uuid = ${uuid}`)],
      audit: [
        webhookAudit('WEBHOOK_DELETED', found, [{ field: 'deleted', oldValue: false, newValue: true }]),
      ],
    };
    return {
      ...mergeChanges({ value: {} }, [deleted, resolvedAlertsChange(context, alerts)]),
      jobs: true,
    };
  },
});

/** Reads of a webhook, and of the open alert that says it was switched off. */
const askWebhook = (scope: Scope, uuid: string) => ({
  webhooks: foundQuery(scope, uuid),
  alerts: openAlertsQuery(scope, openAboutRecords(inList([uuid]))),
});

const names = (headers: readonly { name: string }[]): string[] => headers.map(({ name }) => name);

const shown = ({
  name,
  url,
  eventTypes,
  alertTypes,
  format,
  active,
  customHeaders,
}: Omit<NewWebhook, 'uuid' | 'sealedSecret' | 'linkOrigin'>) => ({
  name,
  url,
  eventTypes,
  alertTypes,
  format,
  active,
  customHeaders: names(customHeaders),
});

const answerOf = viewOf(webhookView, webhook);

/** The webhooks of a mailbox that send e-mails, or will when the recipient confirms. */
const webhooksQuery = ({ organization }: Scope, mailbox: string, condition: SQL) =>
  sql<{ uuid: string; name: string }>`SELECT uuid, name FROM webhook
    WHERE organization_uuid = ${organization} AND mailbox = ${mailbox} AND ${condition}`;

/**
 * Stop the e-mails of the organization to a mailbox, because its recipient asks for it. Disables the webhooks with its
 * addresses. A repeat changes nothing.
 */
export const stopEmails = command('stopEmails', {
  ask: ({ scope }, { mailbox }: { mailbox: string }) => ({
    recipients: recipientQuery(scope, mailbox),
    webhooks: webhooksQuery(scope, mailbox, sql`(active = 1 OR awaits_confirmation = 1)`),
  }),
  decide(context, { mailbox }, { recipients: [row], webhooks }) {
    const answer = { value: { disabled: webhooks.length } };
    if (parseJson(row!.recipient).isStopped) return unchanged(answer);
    const changes = webhooks.map((found) => disabledWebhookChange(context, found, 'STOPPED'));
    const { scope, now } = context;
    const stop = {
      writes: [],
      audit: [],
      unauditedWrites: [storeRecipientAnswer(scope, mailbox, 'stop_date', now)],
    };
    return { ...mergeChanges(answer, [stop, ...changes]), jobs: true };
  },
});

/**
 * Note that the recipient with a mailbox wants the e-mails of the organization. Activates the webhooks that wait for it,
 * for events from now on. A repeat changes nothing. After a stop, it changes nothing either.
 */
export const confirmEmails = command('confirmEmails', {
  ask: ({ scope }, { mailbox }: { mailbox: string }) => ({
    recipients: recipientQuery(scope, mailbox),
    webhooks: webhooksQuery(scope, mailbox, sql`awaits_confirmation = 1`),
  }),
  decide(context, { mailbox }, { recipients: [row], webhooks }) {
    const answer = { value: { activated: webhooks.length } };
    if (parseJson(row!.recipient).isStopped) return unchanged(answer);
    const { scope, now } = context;
    const active = {
      active: 1 as const,
      awaitsConfirmation: 0 as const,
      position: lastEventNumber(scope),
      updateDate: now,
    };
    const changes = webhooks.map((found) => ({
      writes: [scope.update(webhook, active, sql`uuid = ${found.uuid}`)],
      audit: [
        webhookAudit('WEBHOOK_UPDATED', found, [
          { field: 'confirmation', oldValue: 'PENDING', newValue: 'CONFIRMED' },
        ]),
      ],
    }));
    const confirm = {
      writes: [],
      audit: [],
      unauditedWrites: [storeRecipientAnswer(scope, mailbox, 'confirm_date', now)],
    };
    return { ...mergeChanges(answer, [confirm, ...changes]), jobs: true };
  },
});

/** Give a webhook a new secret. Earlier secrets also sign until the overlap ends. */
export const rotateWebhookSecret = command('rotateWebhookSecret', {
  ask: (
    { scope },
    {
      uuid,
    }: {
      uuid: string;
      overlapSeconds: number;
      sealedSecret: string;
    },
  ) => ({ webhooks: foundQuery(scope, uuid) }),
  decide({ scope, now }, { uuid, overlapSeconds, sealedSecret }, { webhooks }) {
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const end = now + overlapSeconds * SECOND_MS;
    const kept = found.secrets
      .map(({ sealed, validUntilDate }) => ({ sealed, validUntilDate: Math.min(validUntilDate ?? end, end) }))
      .filter(({ validUntilDate }) => validUntilDate > now)
      .slice(0, SECRETS_MAXIMUM - 1);
    const secrets = [{ sealed: sealedSecret, validUntilDate: null }, ...kept];
    return {
      writes: [
        scope.update(webhook, { secrets: JSON.stringify(secrets), updateDate: now }, sql`uuid = ${uuid}`),
      ],
      audit: [
        webhookAudit('WEBHOOK_SECRET_ROTATED', found, [
          { field: 'overlapSeconds', oldValue: null, newValue: overlapSeconds },
        ]),
      ],
      answer: answerOf(scope, uuid),
    };
  },
});
