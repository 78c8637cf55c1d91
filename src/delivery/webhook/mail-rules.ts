import { z } from '@hono/zod-openapi';
import { DAY_MS, HOUR_MS } from '../../core/lib/time.ts';

const SCHEME = 'mailto:';
/** RFC 5321 section 4.5.3.1.3. */
const ADDRESS_MAXIMUM = 254;
const address = z.email().max(ADDRESS_MAXIMUM);

/** Whether a URL has the scheme of e-mail addresses. */
export const isMailto = (url: string): boolean => url.slice(0, SCHEME.length).toLowerCase() === SCHEME;

/** The one address of a `mailto:` URL without subject or other fields; undefined for anything else. */
export const mailAddressOf = (url: string): string | undefined =>
  isMailto(url) ? address.safeParse(url.slice(SCHEME.length)).data : undefined;

/**
 * The mailbox of an address: in lower case and without a `+tag`, because mail servers deliver all tags to one person.
 * E-mails are counted, confirmed and stopped by mailbox. Dots stay, because most servers distinguish them.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const tag = address.slice(0, at).indexOf('+');
  return `${address.slice(0, tag > 0 ? tag : at)}${address.slice(at)}`.toLowerCase();
}

/** The mailbox of a `mailto:` URL. Empty if the URL has no address. */
export function recipientOf(url: string): string {
  const address = mailAddressOf(url);
  return address === undefined ? '' : mailboxOf(address);
}

/** The maximum number of e-mails to a mailbox in an hour. One more message lists the other ones in the next hour. */
export const ADDRESS_HOUR_MAXIMUM = 20;
/** The maximum number of e-mails of an organization in an hour. */
const ORGANIZATION_HOUR_MAXIMUM = 200;
/** The maximum number of test e-mails in an hour: of an organization, and of all organizations to a mailbox. */
export const TESTS_HOUR_MAXIMUM = 5;
/** The maximum number of confirmation e-mails to a mailbox in a day: of an organization, and of all organizations. */
export const ASKS_DAY_MAXIMUM = 3;

/** The beginning of the hour that contains an instant, in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % HOUR_MS);

/** The state of a mailbox in an organization. Dates are epoch milliseconds. */
export interface Recipient {
  mailbox: string;
  isConfirmed: 0 | 1;
  isStopped: 0 | 1;
  /** When the organization first asked for the confirmation, within a day; null if it never asked. */
  askDate: number | null;
  /** How often it has asked since then. */
  askCount: number;
  /** The beginning of the latest hour in which the organization sent e-mails; null if it has sent none. */
  hour: number | null;
  /** The number of e-mails to the mailbox in this hour. */
  sent: number;
  /** The number of e-mails of the organization to all mailboxes in this hour. */
  sentByOrganization: number;
  /** The number of these that are tests. */
  testsByOrganization: number;
}

/** The e-mails that a webhook may still send in this hour. */
export interface MailUse {
  mailbox: string;
  /** The number of e-mails that the webhook may still send. */
  room: number;
  /** The number of e-mails that the organization may still send. */
  organizationRoom: number;
  /** When the next hour begins. */
  nextHour: number;
}

/** Compute the e-mails that a webhook may still send in this hour. */
export function mailUse(recipient: Recipient, now: number): MailUse {
  const { mailbox } = recipient;
  const present = hourOf(now);
  const { sent, sentByOrganization } =
    recipient.hour === present ? recipient : { sent: 0, sentByOrganization: 0 };
  const organizationRoom = Math.max(0, ORGANIZATION_HOUR_MAXIMUM - sentByOrganization);
  const room = Math.max(0, Math.min(ADDRESS_HOUR_MAXIMUM - sent, organizationRoom));
  return { mailbox, room, organizationRoom, nextHour: present + HOUR_MS };
}

/** An e-mail that a user requests: a test, or the question whether the recipient wants e-mails. */
export type RequestedMail = 'TEST' | 'CONFIRMATION';

/** The e-mail that a test sends to a recipient. */
export const requestedMailOf = ({ isConfirmed }: Recipient): RequestedMail =>
  isConfirmed ? 'TEST' : 'CONFIRMATION';

/** The limit that a requested e-mail would exceed: all e-mails or tests of an hour, or confirmations of a day. */
export function exceededLimit(
  mail: RequestedMail,
  recipient: Recipient,
  now: number,
): 'HOUR' | 'TESTS' | 'ASKS' | undefined {
  const { hour, testsByOrganization, askDate, askCount } = recipient;
  const asks = askDate !== null && askDate > now - DAY_MS ? askCount : 0;
  if (mail === 'CONFIRMATION' && asks >= ASKS_DAY_MAXIMUM) return 'ASKS';
  if (mail === 'TEST' && hour === hourOf(now) && testsByOrganization >= TESTS_HOUR_MAXIMUM) return 'TESTS';
  return mailUse(recipient, now).room > 0 ? undefined : 'HOUR';
}

/** The e-mails that a run has planned so far. */
export class SentMails {
  #all = 0;
  readonly #byMailbox = new Map<string, number>();

  /** The e-mails that a webhook may still send after the planned ones. */
  left(use: MailUse): MailUse {
    const planned = this.#byMailbox.get(use.mailbox) ?? 0;
    const room = Math.max(0, Math.min(use.room - planned, use.organizationRoom - this.#all));
    return { ...use, room };
  }

  add({ mailbox }: MailUse, count: number): void {
    this.#all += count;
    this.#byMailbox.set(mailbox, (this.#byMailbox.get(mailbox) ?? 0) + count);
  }
}
