import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { consume } from '../../../../src/queues.ts';
import { envOver, FAILURES, failingD1 } from '../../failing.ts';

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => vi.restoreAllMocks());

it.each(
  ['operation', 'operation-dead', 'webhook', 'webhook-dead'].flatMap((kind) =>
    // Locally the name has no environment. Deployed, it may have any.
    ['', '-staging', '-eu', '-x-webhook-dead'].map(
      (environment) => `warehouse-dispatch-${kind}${environment}`,
    ),
  ),
)('a message of the queue %s returns to it with a delay when the store fails', async (queue) => {
  const settled: unknown[] = [];
  const [organization, operation, webhook] = Array.from({ length: 3 }, () => crypto.randomUUID());
  const message = {
    id: 'm',
    body: { organization, operation, webhook, deliveries: [crypto.randomUUID()], claim: 'c' },
    ack: () => settled.push('ack'),
    retry: (options: unknown) => settled.push(options),
  };
  const batch = { queue, messages: [message] } as unknown as MessageBatch;
  const { db } = failingD1({ message: FAILURES.lost, from: 1 });
  await consume(batch, envOver(db), { waitUntil: () => undefined });
  expect(settled).toEqual([{ delaySeconds: 10 }]);
});

it('a batch of a queue without a consumer fails, so that no message is lost silently', async () => {
  const batch = { queue: 'other-webhook', messages: [] } as unknown as MessageBatch;
  await expect(
    consume(batch, envOver(failingD1({ message: '', from: 1 }).db), { waitUntil: () => undefined }),
  ).rejects.toThrow('The queue other-webhook has no consumer');
});
