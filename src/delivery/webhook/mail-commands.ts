import { sql } from 'drizzle-orm';
import { command, mergeChanges, unchanged } from '../../core/writer/command.ts';
import { disabling } from './changes.ts';
import { addressColumn, stopMails, stoppedQuery } from './mail-store.ts';

/**
 * Stop the e-mails of the organization to an address, because its recipient asks for it. Disables the webhooks with this
 * address. A repeat changes nothing.
 */
export const stopEmails = command('stopEmails', {
  ask: ({ scope: { organization } }, { address }: { address: string }) => ({
    stopped: stoppedQuery(organization, address),
    webhooks: sql<{ uuid: string; name: string }>`SELECT uuid, name FROM webhook
      WHERE organization_uuid = ${organization} AND mail_format IS NOT NULL AND active = 1 AND ${addressColumn} = ${address}`,
  }),
  decide(context, { address }, { stopped, webhooks }) {
    const answer = { value: { disabled: webhooks.length } };
    if (stopped.length > 0) return unchanged(answer);
    const changes = webhooks.map((webhook) => disabling(context, webhook, 'STOPPED'));
    const stop = { writes: [], audit: [], unauditedWrites: [stopMails(context.scope, address, context.now)] };
    return { ...mergeChanges(answer, [stop, ...changes]), jobs: true };
  },
});
