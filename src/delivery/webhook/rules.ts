import { named, quoted } from '../../core/lib/missing.ts';
import { URL_FAULTS, type UrlFault } from '../../core/lib/outgoing-url.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';
import type { EVENT_TYPES } from '../../log/event/table.ts';
import { isMailto, mailAddressOf, recipientOf } from './mail-rules.ts';
import { PROGRAM_FORMATS, type WebhookFormat } from './table.ts';

/** The waits after the first failure, the second and so on. A failure after the last wait is final. */
export const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** A wait is randomly up to this much longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** The longest wait that a receiver can ask for. */
const RETRY_AFTER_MAXIMUM_MS = 24 * HOUR_MS;
/** The maximum number of attempts that the log of a delivery keeps. */
export const ATTEMPTS_KEPT = 20;
/** A webhook is disabled after its receiver has failed for this long. */
export const FAILING_MAXIMUM_MS = 5 * DAY_MS;

/** Whether a receiver has failed for so long that its webhook is disabled. */
export const failsForLong = ({ failingSince }: { failingSince: number | null }, now: number): boolean =>
  failingSince !== null && now - failingSince >= FAILING_MAXIMUM_MS;

/**
 * Milliseconds until the next attempt after this number of failures; null if it was the last attempt. The receiver's
 * `Retry-After` can make the wait longer, up to a day, but not shorter. The divisor does not apply to it. @param random
 * in [0, 1)
 */
export function retryWait(
  failures: number,
  { random, divisor, retryAfterMs }: { random: number; divisor: number; retryAfterMs: number | null },
): number | null {
  const wait = RETRY_WAITS_MS[failures - 1];
  if (wait === undefined) return null;
  const scheduled = (wait * (1 + JITTER * random)) / divisor;
  return Math.ceil(Math.max(scheduled, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAXIMUM_MS)));
}

/**
 * The wait that a `Retry-After` header asks for (RFC 9110 section 10.2.3), in milliseconds; null for none. The header
 * has seconds or a date.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  const date = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/**
 * The number of deliveries in a message. An invocation sends all of them at the same time. It has six connections, so
 * one of them stays free for D1.
 */
export const MESSAGE_DELIVERIES = 5;

/** Why an attempt failed. The log of deliveries stores the codes. Pages show them in their language, the API in English. */
const FAULTS = {
  LATE: 'No answer within 15 seconds.',
  UNREACHABLE: 'The receiver could not be reached.',
  MAIL: 'The platform did not send the e-mail.',
  NO_MAILS: 'Not sent: e-mails are not configured.',
  ADDRESS: 'Not sent: the address is not valid.',
  STOPPED: 'Not sent: the recipient has stopped the e-mails.',
  UNCONFIRMED: 'Not sent: the recipient has not confirmed the address.',
  OFTEN: 'Not sent: the recipient has got the maximum number of such e-mails. Send it again later.',
  LOST: 'Not sent: the event is no longer in the log.',
  SECRETS: 'Not sent: the encrypted secrets cannot be read.',
} as const;

/** The fault of an attempt. ANSWERED: the status code of the receiver is not 2xx. */
export type Fault = keyof typeof FAULTS | UrlFault | 'ANSWERED';
export const FAULT_CODES = [...Object.keys(FAULTS), ...Object.keys(URL_FAULTS), 'ANSWERED'] as Fault[];

/** The fault of an attempt in English. `status` is the status code of the receiver. */
export function faultText(fault: Fault, status: number | null): string {
  if (fault !== 'ANSWERED')
    return fault in FAULTS ? FAULTS[fault as 'LATE'] : `Not sent: ${URL_FAULTS[fault as UrlFault]}`;
  const isRedirect = status !== null && status >= 300 && status < 400;
  return `The receiver answered ${status}${isRedirect ? '; redirects are not followed' : ''}.`;
}

/** Headers that belong to the service or to the connection (RFC 9110 section 7.6.1). */
const OWN_HEADERS = new Set(
  (
    'host content-length content-type content-encoding transfer-encoding connection keep-alive te trailer upgrade ' +
    'proxy-connection proxy-authenticate proxy-authorization expect date user-agent accept-encoding via forwarded'
  ).split(' '),
);

/**
 * Whether a webhook may have a header of this name. It must be a token (RFC 9110 section 5.6.2), and not a header that
 * the service sets.
 */
export function isCustomHeader(name: string): boolean {
  const folded = name.toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(folded) || OWN_HEADERS.has(folded)) return false;
  return !/^(webhook-|cf-|x-forwarded-|sec-)/.test(folded);
}

/** A stored header with its value. */
interface Header {
  name: string;
  value: string;
}

/** The new headers. Headers without a value keep their earlier one. Refuses if a header has no value at all. */
export function keepValues(
  earlier: readonly Header[],
  wanted: { name: string; value: string | null }[],
): Header[] | Refusal {
  const before = new Map(earlier.map(({ name, value }) => [name.toLowerCase(), value]));
  const headers = wanted.map(({ name, value }) => ({ name, value: value ?? before.get(name.toLowerCase()) }));
  const valueless = headers.flatMap(({ name, value }, index) =>
    value === undefined ? [{ name, index }] : [],
  );
  if (valueless.length === 0) return headers as Header[];
  return refusal('validationFailed', 'A new header needs a value.', {
    errors: valueless.map(({ name, index }) => ({
      field: `customHeaders[${index}].value`,
      code: 'validationFailed',
      message: `The header ${quoted(name)} is new and needs a value.`,
    })),
  });
}

/** The events that a webhook receives, and the format of their deliveries. */
export interface Subscription {
  eventTypes: string[];
  alertTypes: string[] | undefined;
  format: WebhookFormat;
}

/** The event types that chat services and e-mails are for. */
const CHAT_EVENT_TYPES: readonly (typeof EVENT_TYPES)[number][] = ['ALERT_RAISED', 'SHIPMENT_STATUS_CHANGED'];

/** Whether people read the messages of a format. */
const isForPeople = (format: WebhookFormat): boolean => !PROGRAM_FORMATS.some((known) => known === format);

/** The columns that store a subscription. */
export const subscriptionColumns = ({
  eventTypes,
  alertTypes,
  format,
  url,
}: Subscription & { url: string }) => ({
  eventTypes: JSON.stringify(eventTypes),
  alertTypes: alertTypes?.length ? JSON.stringify(alertTypes) : null,
  format,
  mailbox: format === 'EMAIL' ? recipientOf(url) : null,
});

/** The refusal of event types that the format has no messages for. */
export function refuseSubscription({ eventTypes, format }: Subscription): Refusal | undefined {
  const other = eventTypes.filter((type) => !CHAT_EVENT_TYPES.some((known) => known === type));
  if (!isForPeople(format) || other.length === 0) return undefined;
  const message =
    `The format ${format} has messages only for ${CHAT_EVENT_TYPES.join(' and ')}. ` +
    `Remove ${other.join(', ')} or choose another format.`;
  return refusal('validationFailed', message, {
    errors: [{ field: 'eventTypes', code: 'validationFailed', message, rejectedValue: eventTypes }],
  });
}

/** The refusal of an address of the wrong kind: e-mails go to `mailto:`, everything else to a URL. */
export function refuseAddress({ url, format }: { url: string; format: WebhookFormat }): Refusal | undefined {
  const isMail = format === 'EMAIL';
  if (isMail ? mailAddressOf(url) !== undefined : !isMailto(url)) return undefined;
  const message = isMail
    ? 'An e-mail webhook needs mailto: and one plain address, such as mailto:person@example.com.'
    : `The format ${format} needs a URL. An address with mailto: is for e-mails.`;
  return refusal('validationFailed', message, {
    // The URL may contain a password or a token, so it is not repeated.
    errors: [{ field: 'url', code: 'validationFailed', message, rejectedValue: null }],
  });
}

/** The refusal to send e-mails to an address after its recipient has stopped them. */
export const refuseStoppedRecipient = ({ name }: { name: string }): Refusal =>
  refusal(
    'emailStopped',
    `${named('Webhook', name)} cannot send e-mails to this address: its recipient has stopped them. Use another address.`,
    { facts: { name } },
  );
