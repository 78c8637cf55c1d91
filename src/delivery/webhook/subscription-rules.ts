import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { EVENT_TYPES } from '../../log/event/table.ts';
import type { ChatFormat, WebhookFormat } from './table.ts';

/** The events that a webhook receives, and the format of their deliveries. */
export interface Subscription {
  eventTypes: string[];
  alertTypes: string[] | undefined;
  format: WebhookFormat;
}

/** The event types that chat services receive. */
export const CHAT_EVENT_TYPES: readonly (typeof EVENT_TYPES)[number][] = [
  'ALERT_RAISED',
  'SHIPMENT_STATUS_CHANGED',
];

/** The format if it is for a chat service, else null. */
export const chatFormatOf = (format: WebhookFormat): ChatFormat | null =>
  format === 'SLACK' || format === 'TEAMS' ? format : null;

/** The columns that store a subscription. */
export function subscriptionColumns({ eventTypes, alertTypes, format }: Subscription) {
  const chatFormat = chatFormatOf(format);
  return {
    eventTypes: JSON.stringify(eventTypes),
    // Requests of earlier versions do not have it.
    alertTypes: !alertTypes?.length ? null : JSON.stringify(alertTypes),
    format: format === 'EPCIS_2_0' ? format : ('EVENT' as const),
    chatFormat,
  };
}

/** The refusal of event types that the format has no messages for. */
export function subscriptionFault({ eventTypes, format }: Subscription): Refusal | undefined {
  const other = eventTypes.filter((type) => !CHAT_EVENT_TYPES.some((known) => known === type));
  if (chatFormatOf(format) === null || other.length === 0) return undefined;
  const message =
    `The format ${format} has messages only for ${CHAT_EVENT_TYPES.join(' and ')}. ` +
    `Remove ${other.join(', ')} or choose another format.`;
  return refusal('validationFailed', message, {
    errors: [{ field: 'eventTypes', code: 'validationFailed', message, rejectedValue: eventTypes }],
  });
}
