import { sql } from 'drizzle-orm';
import { changedFields } from '../../core/lib/changes.ts';
import { missing, named } from '../../core/lib/missing.ts';
import { refusal } from '../../core/lib/problem.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { inList } from '../../core/lib/sql.ts';
import { foldedBeyondAscii } from '../../core/lib/text.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command, isRefusal, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { resolvedAlerts } from '../../dispatch/alert/changes.ts';
import { openAboutRecords, openAlertsQuery } from '../../dispatch/alert/store.ts';
import { attemptNow, resume, unlist, unqueue, webhookAudit } from './changes.ts';
import { keepValues } from './header-rules.ts';
import { recipientOf } from './mail-rules.ts';
import { stoppedQuery } from './mail-store.ts';
import { WEBHOOKS_MAXIMUM } from './schema.ts';
import type { StoredHeader } from './secret.ts';
import { foundQuery, toFound, webhookView } from './store.ts';
import {
  addressFault,
  type Subscription,
  stoppedRefusal,
  subscriptionColumns,
  subscriptionFault,
} from './subscription-rules.ts';
import { webhook } from './table.ts';

/**
 * The maximum number of secrets that sign at the same time. A further rotation during their overlaps ends the oldest.
 */
const SECRETS_MAXIMUM = 5;

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

/** Register a webhook. It receives events from now on. */
export const createWebhook = command('createWebhook', {
  ask: ({ scope }, { url }: NewWebhook) => ({
    held: sql<{
      count: number;
    }>`SELECT count(*) AS count FROM webhook WHERE organization_uuid = ${scope.organization}`,
    stopped: stoppedQuery(scope.organization, recipientOf(url)),
  }),
  decide({ scope, now }, input, { held: [held], stopped }) {
    const { uuid, name, url, active, customHeaders } = input;
    const fault = subscriptionFault(input) ?? addressFault(input);
    if (fault) return fault;
    if (stopped.length > 0) return stoppedRefusal(input);
    if (held!.count >= WEBHOOKS_MAXIMUM) {
      return refusal(
        'webhookLimitReached',
        `${named('Webhook', name)} cannot be created: an organization has at most ${WEBHOOKS_MAXIMUM} webhooks.`,
      );
    }
    const lastEvent = sql`(SELECT coalesce(max(sequence_number), 0) FROM event
    WHERE organization_uuid = ${scope.organization})`;
    return {
      writes: [
        ...scope.insert(webhook, [
          {
            uuid,
            name,
            foldedName: foldedBeyondAscii(name),
            url,
            ...subscriptionColumns(input),
            active: active ? 1 : 0,
            customHeaders: JSON.stringify(customHeaders),
            secrets: JSON.stringify([{ sealed: input.sealedSecret, validUntilDate: null }]),
            linkOrigin: input.linkOrigin,
            position: 0,
            createDate: now,
            updateDate: now,
          },
        ]),
        scope.update(webhook, { position: lastEvent }, sql`uuid = ${uuid}`),
      ],
      audit: [webhookAudit('WEBHOOK_CREATED', { uuid, name }, changedFields<object>(null, shown(input)))],
      jobs: true,
      answer: answerOf(scope, uuid),
    };
  },
});

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
  ) => ({ ...askWebhook(scope, uuid), stopped: stoppedQuery(scope.organization, recipientOf(url ?? '')) }),
  decide(context, { uuid, customHeaders, ...input }, { webhooks, alerts, stopped }) {
    const { scope, now } = context;
    const found = toFound(webhooks);
    if (!found) return missing('webhookNotFound', uuid);
    const headers = customHeaders && keepValues(found.customHeaders, customHeaders);
    if (headers && isRefusal(headers)) return headers;
    const {
      name = found.name,
      url = found.url,
      eventTypes = found.eventTypes,
      alertTypes = found.alertTypes,
      format = found.format,
      active = found.active,
    } = input;
    const subscription = { eventTypes, alertTypes, format };
    const fault = subscriptionFault(subscription) ?? addressFault({ url, format });
    if (fault) return fault;
    const readdressed = url !== found.url || format !== found.format;
    if (active && (readdressed ? stopped.length > 0 : found.stopped)) return stoppedRefusal({ name });
    const changes = changedFields<object>(
      shown(found),
      shown({ ...subscription, name, url, active, customHeaders: headers ?? found.customHeaders }),
    );
    // The values themselves are never logged.
    const valued = (customHeaders ?? []).filter(({ value }) => value !== null).map((header) => header.name);
    if (valued.length > 0) changes.push({ field: 'customHeaderValues', oldValue: null, newValue: valued });
    const answer = answerOf(scope, uuid);
    if (changes.length === 0) return unchanged(answer);
    const [resumes, pauses] = [active && !found.active, !active && found.active];
    const updated = {
      writes: [
        ...(resumes ? resume(scope, uuid, now) : []),
        ...(pauses ? [unqueue(scope, uuid, now)] : []),
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
            active: active ? 1 : 0,
            ...(headers ? { customHeaders: JSON.stringify(headers) } : {}),
            ...(resumes || (found.stopped && readdressed)
              ? { disabledReason: null, disabledDate: null, failingSince: null }
              : {}),
            updateDate: now,
          },
          sql`uuid = ${uuid}`,
        ),
      ],
      audit: [webhookAudit('WEBHOOK_UPDATED', { uuid, name }, changes)],
    };
    const resolved = resumes ? [resolvedAlerts(context, alerts)] : [];
    return { ...mergeChanges(answer, [updated, ...resolved]), jobs: true };
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
      ...mergeChanges({ value: {} }, [deleted, resolvedAlerts(context, alerts)]),
      jobs: true,
    };
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
