import { html } from 'hono/html';
import { withinLimit } from '../../access/session/attempts.ts';
import { type Env, settingsOf } from '../../core/env.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { UUID_HEX_LENGTH, uuidHex, uuidOfHex } from '../../core/lib/id.ts';
import { open, type SealingKeys, seal } from '../../core/lib/seal.ts';
import { DAY_MS, HOUR_MS } from '../../core/lib/time.ts';
import { within } from '../../core/lib/within.ts';
import { ASKS_DAY_MAXIMUM, mailAddressOf, type RequestedMail, TESTS_HOUR_MAXIMUM } from './mail-rules.ts';
import { CONFIRMATION_EVENT_TYPE, type DeliveredType } from './schema.ts';
import { type Attempted, attemptEnd, notSent, TIMEOUT_MS } from './send.ts';
import type { FoundWebhook } from './store.ts';

/** Links in e-mails: a recipient confirms or stops the e-mails of an organization. */
export type MailLinkKind = 'confirm' | 'stop';

const CONTEXTS: Record<MailLinkKind, string> = {
  confirm: 'link that confirms e-mails',
  stop: 'link that stops e-mails',
};

/** The organization and the recipient of a link. */
export interface MailLink {
  organization: string;
  /** In lower case and without a +tag. */
  mailbox: string;
}

/** The path of a link. Its token is sealed, so that only this service can make or read it, and nothing is stored. */
export const mailLinkPath = async (
  keys: SealingKeys,
  kind: MailLinkKind,
  { organization, mailbox }: MailLink,
): Promise<string> => `/${kind}/${await seal(keys, CONTEXTS[kind], uuidHex(organization) + mailbox)}`;

/** Read a token; undefined if this service did not make it for this kind of link. */
export async function openMailLink(
  keys: SealingKeys,
  kind: MailLinkKind,
  token: string,
): Promise<MailLink | undefined> {
  const text = await open(keys, CONTEXTS[kind], token).catch(() => undefined);
  if (text === undefined) return undefined;
  return { organization: uuidOfHex(text.slice(0, UUID_HEX_LENGTH)), mailbox: text.slice(UUID_HEX_LENGTH) };
}

/** An e-mail without its addresses and links, as the body of a delivery in JSON. */
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

/** The limits of requested e-mails to a mailbox, over all organizations. */
const LIMITS: Record<RequestedMail, { maximum: number; windowMs: number }> = {
  TEST: { maximum: TESTS_HOUR_MAXIMUM, windowMs: HOUR_MS },
  CONFIRMATION: { maximum: ASKS_DAY_MAXIMUM, windowMs: DAY_MS },
};

/**
 * Send the e-mail of a delivery once, with links. Never sends anything but a confirmation e-mail to a recipient who has not
 * confirmed. @throws if the store does not respond
 */
export async function sendMail(
  env: Env,
  organization: string,
  { url, linkOrigin, recipient }: Pick<FoundWebhook, 'url' | 'linkOrigin' | 'recipient'>,
  { eventType, sequenceNumber }: { eventType: DeliveredType; sequenceNumber: number | null },
  body: string,
): Promise<Attempted> {
  const [from, to] = [senderOf(env), mailAddressOf(url)];
  if (from === undefined) return notSent('NO_MAILS');
  if (to === undefined || !recipient) return notSent('ADDRESS');
  if (recipient.isStopped) return notSent('STOPPED');
  const asks = eventType === CONFIRMATION_EVENT_TYPE;
  if (!asks && !recipient.isConfirmed) return notSent('UNCONFIRMED');
  const { mailbox } = recipient;
  if (sequenceNumber === null) {
    const requested = asks ? 'CONFIRMATION' : 'TEST';
    // The mailbox is hashed, because the count belongs to no organization.
    const key = `mail ${requested} ${sha256Hex(mailbox)}`;
    if (!(await withinLimit(databasesOf(env), key, LIMITS[requested]))) return notSent('OFTEN');
  }
  const linkTo = async (kind: MailLinkKind) =>
    linkOrigin + (await mailLinkPath(settingsOf(env).sealingKeys, kind, { organization, mailbox }));
  const mail = withLinks(JSON.parse(body) as Mail, {
    confirm: asks ? await linkTo('confirm') : undefined,
    stop: await linkTo('stop'),
  });
  const attemptDate = Date.now();
  const attempt = env.EMAIL!.send({ from, to, ...mail }).then(
    ({ messageId }) => attemptEnd(attemptDate, { response: messageId }),
    (error: { code?: unknown } | undefined) =>
      attemptEnd(attemptDate, { error: 'MAIL', response: codeOf(error?.code) }),
  );
  return (await within(attempt, TIMEOUT_MS)) ? attempt : attemptEnd(attemptDate, { error: 'LATE' });
}

const SAYS: Record<MailLinkKind, string> = {
  confirm: 'Receive these e-mails',
  stop: 'Stop these e-mails',
};

/** The e-mail with its links, and with the headers for the button of mail programs (RFC 8058). They need https. */
function withLinks(mail: Mail, links: Record<MailLinkKind, string | undefined> & { stop: string }) {
  const shown = (['confirm', 'stop'] as const).flatMap((kind) =>
    links[kind] === undefined ? [] : [{ says: SAYS[kind], link: links[kind] }],
  );
  return {
    subject: mail.subject,
    text: `${mail.text}\n${shown.map(({ says, link }) => `${says}: ${link}\n`).join('')}`,
    html: `${mail.html}${shown.map(({ says, link }) => html`<p><a href="${link}">${says}</a></p>`).join('')}`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(links.stop.startsWith('https://')
        ? { 'List-Unsubscribe': `<${links.stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {}),
    },
  };
}

/** The platform's code of an error. Its message may contain addresses. */
const codeOf = (code: unknown): string | null =>
  typeof code === 'string' && /^E_[A-Z_]{1,60}$/.test(code) ? code : null;
