import { html } from 'hono/html';
import { type Env, settingsOf } from '../../core/env.ts';
import { within } from '../../core/lib/within.ts';
import { FAULTS } from './fault-rules.ts';
import { mailAddressOf } from './mail-rules.ts';
import { type Attempted, ended, notSent, TIMEOUT_MS } from './send.ts';
import { STOP_PATH, stopToken } from './stop-link.ts';
import type { FoundWebhook } from './store.ts';

/** An e-mail without its addresses and without its link to stop, as the body of a delivery in JSON. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/**
 * The platform's codes for an address that gets no e-mails: they came back or were reported as spam, or the operator allows
 * other addresses only. https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
 */
const REFUSED_FOR_GOOD: ReadonlySet<string> = new Set(['E_RECIPIENT_SUPPRESSED', 'E_RECIPIENT_NOT_ALLOWED']);

/** Whether the platform will send no e-mails to this address. After any other error, the e-mail is sent again. */
export const isRefusedForGood = ({ response }: Attempted): boolean =>
  response !== null && REFUSED_FOR_GOOD.has(response);

/** The sender of e-mails; undefined if the operator has not configured them. */
export const senderOf = (env: Env): string | undefined =>
  env.EMAIL ? settingsOf(env).EMAIL_FROM : undefined;

/** Send an e-mail once, with a link to stop. Never throws. */
export async function sendMail(
  env: Env,
  organization: string,
  { url, linkOrigin, stopped }: Pick<FoundWebhook, 'url' | 'linkOrigin' | 'stopped'>,
  body: string,
): Promise<Attempted> {
  const [from, to] = [senderOf(env), mailAddressOf(url)];
  if (from === undefined) return notSent(FAULTS.NO_MAILS);
  if (to === undefined) return notSent(FAULTS.ADDRESS);
  if (stopped) return notSent(FAULTS.STOPPED);
  const token = await stopToken(settingsOf(env).sealingKeys, { organization, address: to });
  const mail = withStop(JSON.parse(body) as Mail, `${linkOrigin}${STOP_PATH}/${token}`);
  const attemptDate = Date.now();
  const attempt = env.EMAIL!.send({ from, to, ...mail }).then(
    ({ messageId }) => ended(attemptDate, { response: messageId }),
    (error: { code?: unknown } | undefined) =>
      ended(attemptDate, { error: FAULTS.MAIL, response: codeOf(error?.code) }),
  );
  return (await within(attempt, TIMEOUT_MS)) ? attempt : ended(attemptDate, { error: FAULTS.LATE });
}

/** The e-mail with the link, and with the headers for the button of mail programs (RFC 8058). They need https. */
const withStop = (mail: Mail, link: string) => ({
  subject: mail.subject,
  text: `${mail.text}\nStop these e-mails: ${link}\n`,
  html: `${mail.html}${html`<p><a href="${link}">Stop these e-mails</a></p>`}`,
  headers: {
    'Auto-Submitted': 'auto-generated',
    ...(link.startsWith('https://')
      ? { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
  },
});

/** The platform's code of an error. Its message may contain addresses. */
const codeOf = (code: unknown): string | null =>
  typeof code === 'string' && /^E_[A-Z_]{1,60}$/.test(code) ? code : null;
