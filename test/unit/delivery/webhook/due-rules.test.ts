import { describe, expect, it } from 'vitest';
import { ANY_DUE_DATE, ON_REQUEST } from '../../../../src/core/writer/jobs.ts';
import {
  type DueDelivery,
  type DueWebhook,
  dueUntil,
  IN_FLIGHT_FAILING_MAXIMUM,
  IN_FLIGHT_MAXIMUM,
  type LeftAfterRun,
  nextRun,
  planRun,
  takeBehind,
  takeDue,
} from '../../../../src/delivery/webhook/due-rules.ts';
import { mailUse } from '../../../../src/delivery/webhook/mail-rules.ts';
import { recipient } from './recipients.ts';

const NOW = 1_000_000;
const SECOND = 1_000;

/** Deliveries that wait, in the order of their events. */
const waiting = (count: number): DueDelivery[] =>
  Array.from({ length: count }, (_, index) => delivery({ sequenceNumber: index + 1 }));

const delivery = (more: Partial<DueDelivery> = {}): DueDelivery => {
  const sequenceNumber = more.sequenceNumber === undefined ? 1 : more.sequenceNumber;
  return {
    uuid: `of ${sequenceNumber ?? 'a test'}`,
    sequenceNumber,
    state: 'WAITING',
    dueDate: NOW,
    queuedCount: 0,
    leads: 0,
    ...more,
  };
};

const webhook = (more: Partial<DueWebhook>): DueWebhook => ({
  uuid: 'W',
  active: 1,
  position: 7,
  behind: 0,
  failing: 0,
  inFlight: 0,
  due: [delivery()],
  heldUntil: null,
  leader: null,
  mails: null,
  ...more,
});

const take = (more: Partial<DueWebhook>) => takeDue(webhook(more), NOW);

describe('how many deliveries a run takes', () => {
  it.each<[string, Partial<DueWebhook>, number]>([
    ['all that are due within the limit', { due: waiting(59) }, 59],
    ['up to the limit', { due: waiting(100) }, IN_FLIGHT_MAXIMUM],
    ['as many as are missing to the limit', { due: waiting(100), inFlight: 42 }, 18],
    ['none at the limit', { due: waiting(100), inFlight: 60 }, 0],
    ['none over the limit, such as after lost messages', { due: waiting(100), inFlight: 75 }, 0],
    ['a few of a receiver that fails', { due: waiting(100), failing: 1 }, IN_FLIGHT_FAILING_MAXIMUM],
    ['fewer still if some are in flight', { due: waiting(100), failing: 1, inFlight: 7 }, 3],
    ['none where more are in flight than it may get', { due: waiting(9), failing: 1, inFlight: 20 }, 0],
  ])('a run takes %s', (_, webhook, count) => {
    expect(take(webhook)).toHaveLength(count);
  });
});

describe('the effect of a run on a due delivery', () => {
  it.each<[string, 0 | 1, Partial<DueDelivery>, 'CLAIMED' | 'WAITING' | null]>([
    ['claims a delivery that waits', 1, { state: 'WAITING' }, 'CLAIMED'],
    ['claims a delivery again after its message was lost', 1, { state: 'QUEUED' }, 'CLAIMED'],
    ['claims a delivery again after its consumer was lost', 1, { state: 'CLAIMED' }, 'CLAIMED'],
    ['claims a test', 1, { state: 'QUEUED', sequenceNumber: null }, 'CLAIMED'],
    ['leaves a delivery that waits for a paused webhook', 0, { state: 'WAITING' }, null],
    ['lets the lost message of a paused webhook wait', 0, { state: 'QUEUED' }, 'WAITING'],
    ['lets the lost consumer of a paused webhook wait', 0, { state: 'CLAIMED' }, 'WAITING'],
    ['claims the test of a paused webhook', 0, { state: 'QUEUED', sequenceNumber: null }, 'CLAIMED'],
    ['claims the lost test of a paused webhook', 0, { state: 'CLAIMED', sequenceNumber: null }, 'CLAIMED'],
  ])('a run %s', (_, active, more, state) => {
    const due = [delivery(more)];
    expect(take({ active, due }).map((taken) => taken.state)).toEqual(state === null ? [] : [state]);
  });

  it('a run notes on which state and date of a delivery, and on which state of its webhook, it decided', () => {
    const due = [delivery({ state: 'CLAIMED', dueDate: 7, queuedCount: 3 })];
    expect(take({ active: 0, due })).toMatchObject([
      { active: 0, seenState: 'CLAIMED', seenDueDate: 7, seenQueuedCount: 3 },
    ]);
  });
});

describe('quiet hours', () => {
  const heldUntil = NOW + 3_600 * SECOND;

  it.each<[string, Partial<DueDelivery>]>([
    ['holds a delivery that waits', { state: 'WAITING' }],
    ['holds a delivery after its message was lost', { state: 'QUEUED', queuedCount: 1 }],
    ['holds a delivery after its consumer was lost', { state: 'CLAIMED' }],
  ])('a run %s until they end', (_, more) => {
    expect(take({ heldUntil, due: [delivery(more)] })).toMatchObject([
      { state: 'WAITING', dueDate: heldUntil },
    ]);
  });

  it('a run claims a test', () => {
    const due = [delivery({ state: 'QUEUED', sequenceNumber: null })];
    expect(take({ heldUntil, due })).toMatchObject([{ state: 'CLAIMED', dueDate: NOW + 30 * SECOND }]);
  });

  it('a run does not claim the delivery of a new event', () => {
    expect(takeBehind(webhook({ behind: 1, due: [], heldUntil }), () => 'new')).toEqual({
      uuid: 'W',
      seenPosition: 7,
      room: 0,
      inMessages: true,
      heldUntil,
      digest: 'new',
      leads: true,
    });
  });

  it('the message of the delivery that is held lists the deliveries of later events', () => {
    const behind = takeBehind(webhook({ behind: 1, due: [], heldUntil, leader: 'first' }), () => 'new');
    expect(behind).toMatchObject({ room: 0, digest: 'first', leads: false });
  });

  it('the message of the first delivery that is held lists the other ones', () => {
    expect(take({ heldUntil, due: waiting(3) })).toMatchObject([
      { uuid: 'of 1', state: 'WAITING', dueDate: heldUntil, digest: 'of 1' },
      { uuid: 'of 2', state: 'SUCCEEDED', dueDate: null, digest: 'of 1' },
      { uuid: 'of 3', state: 'SUCCEEDED', dueDate: null, digest: 'of 1' },
    ]);
  });

  it('no message lists a delivery whose message lists other ones', () => {
    const due = [delivery({ sequenceNumber: 1 }), delivery({ sequenceNumber: 2, leads: 1 })];
    expect(take({ heldUntil, due, leader: 'first' })).toMatchObject([
      { uuid: 'of 1', state: 'SUCCEEDED', digest: 'first' },
      { uuid: 'of 2', state: 'WAITING', digest: 'of 2' },
    ]);
  });
});

describe('the limit of e-mails in an hour', () => {
  const NEXT_HOUR = 3_600 * SECOND;
  const use = (sent: number, sentByOrganization = sent, mailbox = 'a@example.com') =>
    mailUse(recipient({ mailbox, hour: 0, sent, sentByOrganization }), NOW);
  const plan = (...webhooks: Partial<DueWebhook>[]) =>
    planRun(
      webhooks.map((more) => webhook({ due: [], ...more })),
      NOW,
      () => 'new',
    );
  const claimed = ({ taken }: ReturnType<typeof plan>) =>
    taken.filter(({ state }) => state === 'CLAIMED').length;

  it('a run claims e-mails up to the limit, and one more message lists the rest', () => {
    const { taken } = plan({ due: waiting(30), mails: use(15) });
    expect(taken.map(({ state }) => state)).toEqual([
      ...Array(5).fill('CLAIMED'),
      'WAITING',
      ...Array(24).fill('SUCCEEDED'),
    ]);
    expect(new Set(taken.slice(5).map(({ digest }) => digest))).toEqual(new Set(['of 6']));
    expect(taken[5]).toMatchObject({ dueDate: NEXT_HOUR });
  });

  it('over the limit, the message waits until the next hour', () => {
    expect(plan({ due: waiting(2), mails: use(20) }).taken[0]).toMatchObject({
      state: 'WAITING',
      dueDate: NEXT_HOUR,
    });
    expect(plan({ behind: 1, mails: use(20) }).behind).toMatchObject([
      { room: 0, heldUntil: NEXT_HOUR, digest: 'new', leads: true },
    ]);
  });

  it('new events over the limit wait for the next hour, and not if only deliveries in flight take the room', () => {
    const heldUntil = (more: Partial<DueWebhook>) =>
      plan({ behind: 1, mails: use(15), ...more }).behind.map((behind) => behind.heldUntil);
    expect(heldUntil({})).toEqual([NEXT_HOUR]);
    expect(heldUntil({ due: waiting(5) })).toEqual([NEXT_HOUR]);
    expect(heldUntil({ failing: 1, inFlight: IN_FLIGHT_FAILING_MAXIMUM })).toEqual([null]);
  });

  it('the e-mails of an earlier hour do not count', () => {
    const mails = mailUse(recipient({ hour: -1, sent: 20, sentByOrganization: 200 }), NOW);
    expect(claimed(plan({ due: waiting(30), mails }))).toBe(20);
  });

  it('a run shares the limit of an address among its webhooks', () => {
    const mails = use(0);
    expect(claimed(plan({ due: waiting(15), mails }, { due: waiting(15), mails }))).toBe(20);
  });

  it('a run leaves new events to the next run if another webhook has taken the room, and holds none of them', () => {
    const mails = use(5);
    const rooms = (...webhooks: Partial<DueWebhook>[]) =>
      plan(...webhooks).behind.map(({ room, heldUntil: until }) => [room, until]);
    expect(rooms({ behind: 1, mails }, { behind: 1, mails })).toEqual([[15, NEXT_HOUR]]);
    expect(rooms({ due: waiting(15), mails }, { behind: 1, mails })).toEqual([]);
    // Its own deliveries take the room, or earlier e-mails of the hour.
    expect(rooms({ behind: 1, due: waiting(15), mails })).toEqual([[0, NEXT_HOUR]]);
    expect(rooms({ behind: 1, mails: use(20) }, { behind: 1, mails: use(20) })).toEqual([
      [0, NEXT_HOUR],
      [0, NEXT_HOUR],
    ]);
  });

  it('a run shares the limit of an organization among its webhooks', () => {
    const mails = (index: number) => use(0, 190, `${index}@example.com`);
    const webhooks = Array.from({ length: 50 }, (_, index) => ({ due: waiting(5), mails: mails(index) }));
    expect(claimed(plan(...webhooks))).toBe(10);
    expect(plan({ due: waiting(5), mails: use(0, 200) }).taken[0]).toMatchObject({ dueDate: NEXT_HOUR });
  });

  it('deliveries to a failing receiver and e-mails have rows, and others are in messages', () => {
    const inMessages = (more: Partial<DueWebhook>) =>
      takeBehind(webhook({ behind: 1, ...more }), () => 'new')!.inMessages;
    expect([inMessages({}), inMessages({ failing: 1 }), inMessages({ mails: use(0) })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a test does not count, because its command has counted it', () => {
    const test = delivery({ state: 'QUEUED', sequenceNumber: null });
    expect(claimed(plan({ due: [test], mails: use(20) }))).toBe(1);
    expect(claimed(plan({ due: [test, ...waiting(30)], mails: use(0) }))).toBe(21);
  });
});

describe('how many deliveries of new events are claimed as they are created', () => {
  it.each<[string, Partial<DueWebhook>, number | undefined]>([
    ['all up to the limit', { due: [] }, IN_FLIGHT_MAXIMUM],
    ['as many as are missing to the limit', { due: [], inFlight: 42 }, 18],
    ['fewer if earlier deliveries are due', { due: waiting(10), inFlight: 42 }, 8],
    ['none if more earlier deliveries are due', { due: waiting(60), inFlight: 42 }, 0],
    ['a few of a receiver that fails', { due: [], failing: 1 }, IN_FLIGHT_FAILING_MAXIMUM],
    ['none of a webhook whose cursor is at the end of the log', { behind: 0 }, undefined],
    ['none of a paused webhook', { active: 0 }, undefined],
  ])('a run claims %s', (_, more, room) => {
    const behind = takeBehind(webhook({ behind: 1, ...more }), () => 'new');
    expect(behind).toEqual(
      room === undefined
        ? undefined
        : {
            ...{ uuid: 'W', seenPosition: 7, room, heldUntil: null, digest: null, leads: false },
            inMessages: more.failing !== 1,
          },
    );
  });
});

it.each([
  [0, 30],
  [1, 60],
  [2, 120],
  [5, 960],
  [6, 960],
  [1_000, 960],
])('after %i messages, a message counts as lost after %i seconds', (queuedCount, seconds) => {
  expect(take({ due: [delivery({ queuedCount })] })[0]!.dueDate).toBe(NOW + seconds * SECOND);
});

describe('which deliveries a run takes first', () => {
  const order = (...due: DueDelivery[]) => take({ due }).map(({ uuid }) => uuid);

  it.each<[string, Partial<DueDelivery>, Partial<DueDelivery>]>([
    ['the earlier due date', { sequenceNumber: 9, dueDate: 1 }, { sequenceNumber: 3, dueDate: 2 }],
    ['the earlier event of one due date', { sequenceNumber: 3 }, { sequenceNumber: 9 }],
    ['a test of one due date', { sequenceNumber: null, state: 'QUEUED' }, { sequenceNumber: 1 }],
    [
      'the earlier due date, whatever the state',
      { sequenceNumber: 9, dueDate: 1 },
      { sequenceNumber: 3, dueDate: 2, state: 'CLAIMED' },
    ],
  ])('a run takes %s first', (_, first, second) => {
    const [one, other] = [delivery(first), delivery(second)];
    expect(order(one, other)).toEqual([one.uuid, other.uuid]);
    expect(order(other, one)).toEqual([one.uuid, other.uuid]);
    const [taken] = take({ due: [other, one], inFlight: IN_FLIGHT_MAXIMUM - 1 });
    expect(taken!.uuid).toBe(one.uuid);
  });
});

describe('the date up to which deliveries are due', () => {
  const DAY = 86_400_000;
  const [now, any] = [NOW, ANY_DUE_DATE];
  it.each<[string, number | null, ReturnType<typeof dueUntil>]>([
    ['is now', NOW - DAY, { WAITING: now, QUEUED: now, CLAIMED: now }],
    ['is open for queued deliveries after a start', null, { WAITING: now, QUEUED: any, CLAIMED: now }],
    [
      'is now after a small step back of the clock',
      NOW + 60_000,
      { WAITING: now, QUEUED: now, CLAIMED: now },
    ],
    ['is open after a large step back of the clock', NOW + DAY, { WAITING: any, QUEUED: any, CLAIMED: any }],
  ])('the date up to which deliveries are due %s', (_, lastRun, until) => {
    expect(dueUntil({ now: NOW, lastRun })).toEqual(until);
  });
});

describe('the next run of the delivery job', () => {
  const idle: LeftAfterRun = { activeCount: 1, behind: 0, sent: 0, dueDate: null };
  it.each<[string, Partial<LeftAfterRun>, ReturnType<typeof nextRun>]>([
    ['follows the next event where all is delivered', {}, null],
    ['is on request where no webhook is active', { activeCount: 0 }, ON_REQUEST],
    ['is at once where events have no deliveries yet', { behind: 1, sent: 1 }, NOW],
    ['is at the next due date', { dueDate: NOW + 90 * SECOND }, NOW + 90 * SECOND],
    ['is in 5 s where messages were sent', { sent: 1, dueDate: NOW + 30 * SECOND }, NOW + 5 * SECOND],
    ['is at the next due date if that is sooner', { sent: 1, dueDate: NOW + SECOND }, NOW + SECOND],
    ['is in 5 s where the limit left due deliveries', { dueDate: NOW }, NOW + 5 * SECOND],
    [
      'is in 5 s where the test of a paused webhook was sent',
      { activeCount: 0, sent: 1, dueDate: NOW + 30 * SECOND },
      NOW + 5 * SECOND,
    ],
  ])('the next run of the delivery job %s', (_, more, next) => {
    expect(nextRun({ ...idle, ...more }, NOW)).toBe(next);
  });
});
