import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { EVENT_TYPES } from '../../log/event/table.ts';
import { isMailto, mailAddressOf, recipientOf } from './mail-rules.ts';
import { PROGRAM_FORMATS, type WebhookFormat } from './table.ts';

/** The events that a webhook receives, and the format of their deliveries. */
export interface Subscription {
  eventTypes: string[];
  alertTypes: string[] | undefined;
  format: WebhookFormat;
}

/** The event types that chat services and e-mails are for. */
export const CHAT_EVENT_TYPES: readonly (typeof EVENT_TYPES)[number][] = [
  'ALERT_RAISED',
  'SHIPMENT_STATUS_CHANGED',
];

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
export function subscriptionFault({ eventTypes, format }: Subscription): Refusal | undefined {
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
export function addressFault({ url, format }: { url: string; format: WebhookFormat }): Refusal | undefined {
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
export const stoppedRefusal = ({ name }: { name: string }): Refusal =>
  refusal(
    'emailStopped',
    `${named('Webhook', name)} cannot send e-mails to this address: its recipient has stopped them. Use another address.`,
    { facts: { name } },
  );
