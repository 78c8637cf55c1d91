import { type SQL, sql } from 'drizzle-orm';
import { parseJson } from '../../core/lib/json.ts';
import type { Scope } from '../../core/lib/scope.ts';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { lastEventNumber } from '../../core/writer/numbers.ts';
import { disabling, webhookAudit } from './changes.ts';
import { answered, recipientQuery } from './mail-store.ts';
import { webhook } from './table.ts';

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
    const changes = webhooks.map((found) => disabling(context, found, 'STOPPED'));
    const { scope, now } = context;
    const stop = { writes: [], audit: [], unauditedWrites: [answered(scope, mailbox, 'stop_date', now)] };
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
      unauditedWrites: [answered(scope, mailbox, 'confirm_date', now)],
    };
    return { ...mergeChanges(answer, [confirm, ...changes]), jobs: true };
  },
});
