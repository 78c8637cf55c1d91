import { z } from 'zod';
import type { Env } from '../../core/env.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { NO_ORGANIZATION } from '../../core/lib/id.ts';
import { LATER } from '../../core/lib/store.ts';
import { keepLetter } from './store.ts';

const REASON = 'It failed at every attempt; the log of its consumer says why.';
const namingSchema = z.object({ organization: z.uuid() });

/**
 * The consumer of the dead letters of a queue: stores each in D1, where operators see it. The member `organization` of
 * a message says which one it belongs to.
 */
export const deadLetterConsumer =
  (queue: string) =>
  async (batch: MessageBatch, env: Env): Promise<void> => {
    for (const message of batch.messages) {
      const { id, body } = message;
      try {
        const named = namingSchema.safeParse(body);
        const organization = named.success ? named.data.organization : NO_ORGANIZATION;
        const database = new Database(organization, databasesOf(env));
        await keepLetter(database, { queue, messageId: id, body, reason: REASON }, Date.now());
        message.ack();
      } catch (error) {
        console.error(JSON.stringify({ queue: `${queue}-dead`, message: body, error: String(error) }));
        message.retry(LATER);
      }
    }
  };
