import { newUuid } from '../../core/lib/id.ts';
import { named } from '../../core/lib/missing.ts';
import { type Refusal, refusal } from '../../core/lib/problem.ts';
import type { Write } from '../../core/lib/scope.ts';
import type { ChangePart, Context } from '../../core/writer/command.ts';
import {
  ASKS_DAY_MAXIMUM,
  exceededLimit,
  type Recipient,
  requestedMailOf,
  TESTS_HOUR_MAXIMUM,
} from './mail-rules.ts';
import { countRequested } from './mail-store.ts';
import { CONFIRMATION_EVENT_TYPE, type DeliveredType, TEST_EVENT_TYPE } from './schema.ts';
import { stoppedRefusal } from './subscription-rules.ts';
import { webhookDelivery } from './table.ts';

/** The webhook of a requested delivery. Its recipient is null if it is no e-mail webhook. */
interface Requested {
  uuid: string;
  name: string;
  recipient: Recipient | null;
}

/** The event type of a requested delivery. A recipient who has not confirmed gets the confirmation e-mail. */
export function requestedType({ recipient }: Requested, eventType: DeliveredType): DeliveredType {
  if (recipient && requestedMailOf(recipient) === 'CONFIRMATION') return CONFIRMATION_EVENT_TYPE;
  return eventType === CONFIRMATION_EVENT_TYPE ? TEST_EVENT_TYPE : eventType;
}

const WHY = {
  HOUR: 'its e-mails of this hour are used up. Try again in the next hour.',
  TESTS: `an organization sends at most ${TESTS_HOUR_MAXIMUM} test e-mails in an hour. Try again in the next hour.`,
  ASKS: `it has sent ${ASKS_DAY_MAXIMUM} confirmation e-mails within a day. Try again tomorrow.`,
};

/** The refusal of a requested e-mail: its recipient has stopped the e-mails, or it would exceed a limit. */
export function requestFault({ name, recipient }: Requested, now: number): Refusal | undefined {
  if (!recipient) return undefined;
  if (recipient.isStopped) return stoppedRefusal({ name });
  const limit = exceededLimit(requestedMailOf(recipient), recipient, now);
  return (
    limit &&
    refusal('rateLimited', `${named('Webhook', name)} cannot send this e-mail: ${WHY[limit]}`, {
      facts: { name },
    })
  );
}

/** The writes that count a requested e-mail. */
export const requestCount = ({ scope, now }: Context, { recipient }: Requested): Write[] =>
  recipient ? [countRequested(scope, recipient.mailbox, requestedMailOf(recipient), now)] : [];

/** Insert a requested delivery. It has no number, is also sent while the webhook is not active, and is attempted once. */
export function requestedDelivery(
  context: Context,
  webhook: Requested,
  eventType: DeliveredType,
): ChangePart & { uuid: string } {
  const { scope, now } = context;
  const uuid = newUuid();
  return {
    uuid,
    writes: scope.insert(webhookDelivery, [
      {
        uuid,
        webhookUuid: webhook.uuid,
        eventUuid: newUuid(),
        eventType: requestedType(webhook, eventType),
        // Not WAITING, because waiting deliveries are sent only while the webhook is active.
        state: 'QUEUED',
        dueDate: now,
        queuedCount: 0,
        failuresCount: 0,
        attempts: '[]',
        attemptsCount: 0,
        createDate: now,
        updateDate: now,
      },
    ]),
    audit: [],
    unauditedWrites: requestCount(context, webhook),
    jobs: true,
  };
}

/**
 * Ask the recipient of a new address for confirmation, once. Later requests come from users, as tests. Undefined if there
 * is nothing to ask.
 */
export function askedOnce(context: Context, webhook: Requested): ChangePart | Refusal | undefined {
  const { recipient } = webhook;
  if (!recipient || recipient.isConfirmed || recipient.isStopped || recipient.askDate !== null)
    return undefined;
  return requestFault(webhook, context.now) ?? requestedDelivery(context, webhook, CONFIRMATION_EVENT_TYPE);
}
