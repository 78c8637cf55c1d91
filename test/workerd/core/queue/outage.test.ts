import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { consume } from '../../../../src/queues.ts';
import { envOver, FAILURES, failingD1 } from '../../failing.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

it.each(['operation', 'operation-dead', 'webhook', 'webhook-dead'])(
  'a message of %s returns to the queue with a delay when the store fails',
  async (kind) => {
    const settled: unknown[] = [];
    const [organization, operation, webhook] = Array.from({ length: 3 }, () => crypto.randomUUID());
    const message = {
      id: 'm',
      body: { organization, operation, webhook, deliveries: [crypto.randomUUID()] },
      ack: () => settled.push('ack'),
      retry: (options: unknown) => settled.push(options),
    };
    const batch = { queue: `warehouse-dispatch-${kind}`, messages: [message] } as unknown as MessageBatch;
    const { db } = failingD1({ message: FAILURES.lost, from: 1 });
    await consume(batch, envOver(db), { waitUntil: () => undefined });
    expect(settled).toEqual([{ delaySeconds: 10 }]);
  },
);
