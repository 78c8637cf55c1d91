import type { z } from '@hono/zod-openapi';
import { settingsOf } from '../../core/env.ts';
import { validationRefusal } from '../../core/http/problem-items.ts';
import { type AppContext, origin } from '../../core/http/types.ts';
import { newUuid } from '../../core/lib/id.ts';
import { named } from '../../core/lib/missing.ts';
import { URL_FAULTS, urlFault } from '../../core/lib/outgoing-url.ts';
import { ProblemError, refusal } from '../../core/lib/problem.ts';
import type { InputOf } from '../../core/writer/command.ts';
import type { createWebhook, rotateWebhookSecret, updateWebhook } from './commands.ts';
import { senderOf } from './mail.ts';
import { isMailto } from './mail-rules.ts';
import type { webhookCreateSchema, webhookUpdateSchema } from './schema.ts';
import { makeWebhookSecret, sealHeaders, sealSecret } from './secret.ts';

/** The input of a command, and the secret in clear, which the writer never sees. */
interface WithSecret<I> {
  secret: string;
  input: I;
}

/** Prepare a new webhook with a secret. @throws 400 for a URL that events may not be sent to */
export async function newWebhook(
  c: AppContext,
  { name, url, eventTypes, alertTypes, format, active, customHeaders }: z.output<typeof webhookCreateSchema>,
): Promise<WithSecret<InputOf<typeof createWebhook>>> {
  checkUrl(c, url);
  if (format === 'EMAIL' || isMailto(url)) checkMail(c, { name });
  const [uuid, secret, keys] = [newUuid(), makeWebhookSecret(), settingsOf(c.env).sealingKeys];
  const input = {
    uuid,
    name,
    url,
    eventTypes: eventTypes ?? [],
    alertTypes: alertTypes ?? [],
    format: format ?? 'EVENT',
    active: active ?? true,
    customHeaders: await sealHeaders(keys, uuid, customHeaders ?? []),
    sealedSecret: await sealSecret(keys, uuid, secret),
    linkOrigin: origin(c),
  };
  return { secret, input };
}

/**
 * Prepare a change of a webhook. Null or omitted members do not change. @throws 400 for a URL that events may not be
 * sent to
 */
export async function changedWebhook(
  c: AppContext,
  uuid: string,
  { name, url, eventTypes, alertTypes, format, active, customHeaders }: z.output<typeof webhookUpdateSchema>,
): Promise<InputOf<typeof updateWebhook>> {
  if (url != null) checkUrl(c, url);
  if (format === 'EMAIL' || isMailto(url ?? '')) checkMail(c, { name: name ?? uuid });
  return {
    uuid,
    name: name ?? undefined,
    url: url ?? undefined,
    eventTypes: eventTypes ?? undefined,
    alertTypes: alertTypes ?? undefined,
    format: format ?? undefined,
    active: active ?? undefined,
    customHeaders:
      customHeaders == null
        ? undefined
        : await sealHeaders(settingsOf(c.env).sealingKeys, uuid, customHeaders),
  };
}

/** Prepare a new secret of a webhook. */
export async function newSecret(
  c: AppContext,
  uuid: string,
  overlapSeconds: number,
): Promise<WithSecret<InputOf<typeof rotateWebhookSecret>>> {
  const secret = makeWebhookSecret();
  const sealedSecret = await sealSecret(settingsOf(c.env).sealingKeys, uuid, secret);
  return { secret, input: { uuid, overlapSeconds, sealedSecret } };
}

function checkUrl(c: AppContext, url: string): void {
  // The command checks the address, because it knows the format.
  if (isMailto(url)) return;
  const fault = urlFault(url, { allowLoopback: settingsOf(c.env).WEBHOOK_ALLOW_LOOPBACK });
  if (fault === undefined) return;
  // The URL may contain a password or a token, so it is not repeated.
  throw new ProblemError(
    validationRefusal([
      { field: 'url', code: 'validationFailed', message: URL_FAULTS[fault], rejectedValue: null },
    ]),
  );
}

/** @throws 409 if the operator has not configured e-mails */
function checkMail(c: AppContext, { name }: { name: string }): void {
  if (senderOf(c.env) !== undefined) return;
  throw new ProblemError(
    refusal(
      'emailNotConfigured',
      `${named('Webhook', name)} cannot send e-mails: the operator has not configured them. Choose another format.`,
      { facts: { name } },
    ),
  );
}
