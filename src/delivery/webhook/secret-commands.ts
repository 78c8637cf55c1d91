import { sql } from 'drizzle-orm';
import { missing } from '../../core/lib/missing.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { viewOf } from '../../core/lib/view.ts';
import { command } from '../../core/writer/command.ts';
import { webhookAudit } from './changes.ts';
import { SECRETS_MAXIMUM } from './secret.ts';
import { foundQuery, toFound, webhookView } from './store.ts';
import { webhook } from './table.ts';

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

const answerOf = viewOf(webhookView, webhook);
