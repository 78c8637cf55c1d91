import { type Env, settingsOf } from '../../core/env.ts';
import { within } from '../../core/lib/within.ts';
import { mailAddressOf } from './mail-rules.ts';
import { type Attempted, TIMEOUT_MS } from './send.ts';

/** An e-mail without its addresses, as the body of a delivery in JSON. */
export interface Mail {
  subject: string;
  text: string;
}

/**
 * The platform's code for an address that gets no more e-mails, because they came back or were reported as spam.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/
 */
export const SUPPRESSED = 'E_RECIPIENT_SUPPRESSED';

/** The sender of e-mails; undefined if the operator has not configured them. */
export const senderOf = (env: Env): string | undefined =>
  env.EMAIL ? settingsOf(env).EMAIL_FROM : undefined;

/** Send an e-mail once. Never throws. */
export async function sendMail(env: Env, url: string, body: string): Promise<Attempted> {
  const attemptDate = Date.now();
  const done = (said: Pick<Attempted, 'error' | 'response'>): Attempted => ({
    attemptDate,
    statusCode: null,
    durationMs: Math.max(0, Date.now() - attemptDate),
    retryAfterMs: null,
    ...said,
  });
  const [from, to] = [senderOf(env), mailAddressOf(url)];
  if (from === undefined || to === undefined) {
    const why = from === undefined ? 'e-mails are not configured' : 'the address is not valid';
    return done({ error: `Not sent: ${why}.`, response: null });
  }
  let attempted = done({ error: 'No answer within 15 seconds.', response: null });
  const sent = env.EMAIL!.send({ from, to, ...(JSON.parse(body) as Mail) }).then(
    ({ messageId }) => {
      attempted = done({ error: null, response: messageId });
    },
    (error: { code?: unknown } | undefined) => {
      attempted = done({ error: 'The platform did not send the e-mail.', response: codeOf(error?.code) });
    },
  );
  if (!(await within(sent, TIMEOUT_MS))) attempted.durationMs = TIMEOUT_MS;
  return attempted;
}

/** The platform's code of an error. Its message may contain addresses. */
const codeOf = (code: unknown): string | null =>
  typeof code === 'string' && /^E_[A-Z_]{1,60}$/.test(code) ? code : null;
