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

/** The maximum number of e-mails to an address in an hour. One more message lists the other ones in the next hour. */
export const ADDRESS_HOUR_MAXIMUM = 20;
/** The maximum number of e-mails of an organization in an hour. */
export const ORGANIZATION_HOUR_MAXIMUM = 200;

/** The beginning of the hour that contains an instant, in epoch milliseconds. */
export const hourOf = (now: number): number => now - (now % HOUR_MS);

/** The e-mails that a webhook may still send in this hour. */
export interface MailUse {
  /** In lower case. */
  address: string;
  /** The number of e-mails that the webhook may still send. */
  room: number;
  /** The number of e-mails that the organization may still send. */
  organizationRoom: number;
  /** When the next hour begins, if no e-mail may be sent in this one; otherwise null. */
  until: number | null;
}

/**
 * Compute the e-mails that a webhook may still send in this hour. `sent` is the number of e-mails that were sent to its
 * address in this hour, and `sentByOrganization` the number to all addresses.
 */
export function mailUse(
  { address, sent, sentByOrganization }: { address: string; sent: number; sentByOrganization: number },
  now: number,
): MailUse {
  const organizationRoom = Math.max(0, ORGANIZATION_HOUR_MAXIMUM - sentByOrganization);
  const room = Math.max(0, Math.min(ADDRESS_HOUR_MAXIMUM - sent, organizationRoom));
  return { address, room, organizationRoom, until: room === 0 ? hourOf(now) + HOUR_MS : null };
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
