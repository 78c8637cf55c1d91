import { z } from '@hono/zod-openapi';
import { HOUR_MS } from '../../core/lib/time.ts';

const SCHEME = 'mailto:';
/** RFC 5321 section 4.5.3.1.3. */
const ADDRESS_MAXIMUM = 254;
const address = z.email().max(ADDRESS_MAXIMUM);

/** Whether a URL has the scheme of e-mail addresses. */
export const isMailto = (url: string): boolean => url.slice(0, SCHEME.length).toLowerCase() === SCHEME;

/** The one address of a `mailto:` URL without subject or other fields; undefined for anything else. */
export const mailAddressOf = (url: string): string | undefined =>
  isMailto(url) ? address.safeParse(url.slice(SCHEME.length)).data : undefined;

/** The address in lower case, by which sent e-mails are counted. Empty if the URL has no address. */
export const recipientOf = (url: string): string => mailAddressOf(url)?.toLowerCase() ?? '';

/** The maximum number of e-mails to an address in an hour. One more message lists the other ones in the next hour. */
export const ADDRESS_HOUR_MAXIMUM = 20;
/** The maximum number of e-mails of an organization in an hour. */
export const ORGANIZATION_HOUR_MAXIMUM = 200;

/** The beginning of the hour that contains an instant, in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % HOUR_MS);

/** The e-mails of an hour. */
export interface MailNumbers {
  /** The address of the webhook, in lower case. */
  address: string;
  /** The beginning of the hour, in epoch milliseconds; null if the organization has sent none. */
  hour: number | null;
  /** The number of e-mails to the address. */
  sent: number;
  /** The number of e-mails of the organization to all addresses. */
  sentByOrganization: number;
}

/** The e-mails that a webhook may still send in this hour. */
export interface MailUse {
  /** In lower case. */
  address: string;
  /** The number of e-mails that the webhook may still send. */
  room: number;
  /** The number of e-mails that the organization may still send. */
  organizationRoom: number;
  /** When the next hour begins. */
  nextHour: number;
}

/**
 * Compute the e-mails that a webhook may still send in this hour. `latest` has the numbers of the latest hour in which its
 * organization sent e-mails.
 */
export function mailUse(latest: MailNumbers, now: number): MailUse {
  const { address } = latest;
  const present = hourOf(now);
  const { sent, sentByOrganization } = latest.hour === present ? latest : { sent: 0, sentByOrganization: 0 };
  const organizationRoom = Math.max(0, ORGANIZATION_HOUR_MAXIMUM - sentByOrganization);
  const room = Math.max(0, Math.min(ADDRESS_HOUR_MAXIMUM - sent, organizationRoom));
  return { address, room, organizationRoom, nextHour: present + HOUR_MS };
}

/** The e-mails that a run has planned so far. */
export class SentMails {
  #all = 0;
  readonly #byAddress = new Map<string, number>();

  /** The e-mails that a webhook may still send after the planned ones. */
  left(use: MailUse): MailUse {
    const planned = this.#byAddress.get(use.address) ?? 0;
    const room = Math.max(0, Math.min(use.room - planned, use.organizationRoom - this.#all));
    return { ...use, room };
  }

  add({ address }: MailUse, count: number): void {
    this.#all += count;
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + count);
  }
}
