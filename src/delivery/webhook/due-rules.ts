import { smallest } from '../../core/lib/extremes.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import { ANY_DUE_DATE, clockWentBack, type NextRun, ON_REQUEST } from '../../core/writer/jobs.ts';
import { type MailUse, SentMails } from './mail-rules.ts';
import type { DELIVERY_STATES } from './table.ts';

/**
 * The maximum number of deliveries of a webhook in flight. Such a delivery is claimed for a message, and neither the
 * message nor its consumer is overdue. After a pause or a replay, a receiver gets at most this many requests at a time.
 */
export const IN_FLIGHT_MAXIMUM = 60;
/** The same while the receiver fails: enough to notice that it has recovered, too few to overload it. */
export const IN_FLIGHT_FAILING_MAXIMUM = 10;

/** How long to wait for a message before another one is sent for the same delivery. Doubles each time, up to 16 min. */
const REQUEUE_MS = 30 * SECOND_MS;
const REQUEUE_DOUBLINGS = 5;
/** How often deliveries that are claimed are checked. */
const SWEEP_MS = 5 * SECOND_MS;

/** The states of a delivery that is not settled. */
export type PendingState = Exclude<(typeof DELIVERY_STATES)[number], 'SUCCEEDED' | 'FAILED'>;

/** A delivery that may be queued now. Dates in epoch milliseconds. */
export interface DueDelivery {
  uuid: string;
  /** Null for a test. */
  sequenceNumber: number | null;
  state: PendingState;
  dueDate: number;
  /** The number of messages sent for it that no consumer has opened; 0 once a consumer sends it. */
  queuedCount: number;
  /** Whether its message also lists other deliveries. */
  leads: 0 | 1;
}

/** A webhook with its due deliveries. */
export interface DueWebhook {
  uuid: string;
  active: 0 | 1;
  /** Sequence number of the last event for which deliveries were created. */
  position: number;
  /** Whether there are events after the position. */
  behind: 0 | 1;
  /** Whether its receiver has failed since its last success. */
  failing: 0 | 1;
  /** The number of its deliveries in flight. */
  inFlight: number;
  due: DueDelivery[];
  /** The end of the quiet hours, if it is quiet now and the webhook is of a chat service. Otherwise null. */
  heldUntil: number | null;
  /** The waiting delivery with the message that lists the held deliveries. Null for none. */
  leader: string | null;
  /** The limits of its e-mails; null if it sends none. */
  mails: MailUse | null;
}

/** A delivery that a run takes: its new state and due date, and the values on which this was decided. */
export interface TakenDelivery {
  uuid: string;
  active: 0 | 1;
  seenState: PendingState;
  seenDueDate: number;
  seenQueuedCount: number;
  /**
   * CLAIMED to send a message for it. WAITING until the end of the quiet hours, or if its consumer or message was lost
   * and its webhook is paused. SUCCEEDED if the message of another delivery lists it.
   */
  state: 'CLAIMED' | 'WAITING' | 'SUCCEEDED';
  /** Null for SUCCEEDED. */
  dueDate: number | null;
  /** The delivery with the message that lists it; null if this does not change. */
  digest: string | null;
}

/** A webhook whose new events get deliveries, and how many of them are claimed for a message at once. */
export interface BehindWebhook {
  uuid: string;
  seenPosition: number;
  room: number;
  /** Whether the claimed ones are stored in their messages. Otherwise each has a row. */
  inMessages: boolean;
  /** The due date of the deliveries that are not claimed; null for now. */
  heldUntil: number | null;
  /** The delivery with the message that lists the deliveries that are not claimed; null if each has its own message. */
  digest: string | null;
  /** Whether `digest` is the uuid of the first delivery that is not claimed. */
  leads: boolean;
}

/**
 * The date up to which deliveries of each state are due (epoch milliseconds). QUEUED includes claims if no consumer has
 * opened their message. After a start of the organization's object, all messages may be lost, because the local queue
 * loses them at a restart. If the clock went back, no due date can be relied on.
 */
export function dueUntil({
  now,
  lastRun,
}: {
  now: number;
  lastRun: number | null;
}): Record<PendingState, number> {
  const until = clockWentBack({ now, lastRun }) ? ANY_DUE_DATE : now;
  return { WAITING: until, QUEUED: lastRun === null ? ANY_DUE_DATE : until, CLAIMED: until };
}

/**
 * Choose the deliveries of a webhook that a run takes: the earliest due ones, up to the limit of deliveries in flight. In
 * quiet hours, and over the limit of e-mails, one delivery waits, and its message lists the other ones.
 */
export function takeDue(webhook: DueWebhook, now: number): TakenDelivery[] {
  const { active, due, heldUntil, mails } = webhook;
  let { leader } = webhook;
  let room = mails?.room ?? Number.POSITIVE_INFINITY;
  return due
    .filter(({ state }) => active === 1 || state !== 'WAITING')
    .toSorted(byDueDate)
    .slice(0, roomOf(webhook))
    .map(({ uuid, sequenceNumber, state, dueDate, queuedCount, leads }): TakenDelivery => {
      const seen = { uuid, active, seenState: state, seenDueDate: dueDate, seenQueuedCount: queuedCount };
      const requeueDate = now + requeueWait(queuedCount);
      // A test is sent for a paused webhook and in quiet hours, too. Its command has counted it.
      if (sequenceNumber === null) return { ...seen, state: 'CLAIMED', dueDate: requeueDate, digest: null };
      if (active === 0) return { ...seen, state: 'WAITING', dueDate: heldUntil ?? requeueDate, digest: null };
      if (heldUntil === null && room > 0) {
        room -= 1;
        return { ...seen, state: 'CLAIMED', dueDate: requeueDate, digest: null };
      }
      if (leader !== null && leads === 0)
        return { ...seen, state: 'SUCCEEDED', dueDate: null, digest: leader };
      leader ??= uuid;
      return { ...seen, state: 'WAITING', dueDate: heldUntil ?? mails!.nextHour, digest: uuid };
    });
}

/** Choose how new events of a webhook get deliveries; undefined for none. Earlier deliveries that are due come first. */
export function takeBehind(webhook: DueWebhook, newUuid: () => string): BehindWebhook | undefined {
  const { uuid, active, behind, position, due, heldUntil, leader, mails } = webhook;
  if (active === 0 || behind === 0) return undefined;
  const collects = heldUntil !== null || mails !== null;
  const free = heldUntil === null ? Math.max(0, roomOf(webhook) - due.length) : 0;
  const nextHour = mails && mails.room <= free ? mails.nextHour : null;
  return {
    uuid,
    seenPosition: position,
    room: Math.min(free, mails?.room ?? free),
    inMessages: mails === null && webhook.failing === 0,
    heldUntil: heldUntil ?? nextHour,
    digest: collects ? (leader ?? newUuid()) : null,
    leads: collects && leader === null,
  };
}

/**
 * Choose what a run does. The webhooks of an organization share its limit of e-mails. The number of new events is not known
 * yet, so a webhook takes all room that is left. The next run, which knows the number, serves the webhooks behind it.
 */
export function planRun(
  webhooks: readonly DueWebhook[],
  now: number,
  newUuid: () => string,
): { taken: TakenDelivery[]; behind: BehindWebhook[] } {
  const taken: TakenDelivery[] = [];
  const behind: BehindWebhook[] = [];
  const sent = new SentMails();
  for (const read of webhooks) {
    const mails = read.mails && sent.left(read.mails);
    const due = takeDue({ ...read, mails }, now);
    for (const delivery of due) taken.push(delivery);
    const claimed = due.filter(({ state, uuid }) => state === 'CLAIMED' && !isTest(read, uuid)).length;
    const leader =
      read.leader ?? due.find(({ state, digest }) => state === 'WAITING' && digest)?.uuid ?? null;
    const rest = mails && { ...mails, room: mails.room - claimed };
    const isReserved = rest !== null && rest.room <= 0 && read.mails!.room > claimed;
    const created = isReserved ? undefined : takeBehind({ ...read, leader, mails: rest }, newUuid);
    if (created) behind.push(created);
    if (mails) sent.add(mails, claimed + (created?.room ?? 0));
  }
  return { taken, behind };
}

const isTest = ({ due }: DueWebhook, uuid: string): boolean =>
  due.some((delivery) => delivery.uuid === uuid && delivery.sequenceNumber === null);

/** The number of deliveries of a webhook that may still be sent. */
const roomOf = ({ failing, inFlight }: DueWebhook): number =>
  Math.max(0, (failing === 1 ? IN_FLIGHT_FAILING_MAXIMUM : IN_FLIGHT_MAXIMUM) - inFlight);

/** By due date. On the same date, tests come first, then deliveries in the order of their events. */
const byDueDate = (one: DueDelivery, other: DueDelivery): number =>
  one.dueDate - other.dueDate || (one.sequenceNumber ?? 0) - (other.sequenceNumber ?? 0);

/** Milliseconds until a message counts as lost, after this number of earlier messages. */
export const requeueWait = (queuedCount: number): number =>
  REQUEUE_MS * 2 ** Math.min(queuedCount, REQUEUE_DOUBLINGS);

/** The work that is left after a run. Deliveries that wait for a paused webhook do not count. */
export interface LeftAfterRun {
  activeCount: number;
  /** Whether there are events without deliveries. */
  behind: 0 | 1;
  /** Whether deliveries are claimed. */
  sent: 0 | 1;
  /** The earliest due date (epoch milliseconds); null for none. */
  dueDate: number | null;
}

/** Decide when the job runs again. */
export function nextRun({ activeCount, behind, sent, dueDate }: LeftAfterRun, now: number): NextRun {
  if (behind === 1) return now;
  const dates = [
    // A delivery that is still due was over the limit. It is taken when others have succeeded, or at the next check.
    dueDate !== null && dueDate <= now ? now + SWEEP_MS : dueDate,
    sent === 1 ? now + SWEEP_MS : null,
  ].filter((date) => date !== null);
  if (dates.length > 0) return smallest(dates);
  return activeCount === 0 ? ON_REQUEST : null;
}
