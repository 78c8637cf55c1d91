import { z } from 'zod';
import type { Env, OperationMessage } from '../env.ts';
import { Database } from '../lib/database.ts';
import { databasesOf } from '../lib/databases.ts';
import { newUuid } from '../lib/id.ts';
import { LATER } from '../lib/store.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { CommandRequest, Outcome } from '../writer/command.ts';
import { type OpenOperation, type OperationType, openOperations } from './store.ts';

/** The commands that carry operations out. */
const COMMANDS: Record<OperationType, string> = {
  COUPLE: 'carryOutCoupling',
  GET_AND_COUPLE: 'carryOutCoupling',
  SHIPMENT_BULK_UPSERT: 'carryOutBulkUpsert',
  SIMULATION: 'carryOutSimulation',
};

/** Sends a command to the writer of an organization. */
export type Execute = (env: Env, organization: string, request: CommandRequest) => Promise<Outcome>;

const messageSchema = z.object({ organization: z.uuid(), operation: z.uuid() });

/**
 * The consumer of the operation queue. A message only names an operation; if that is finished, or being carried out by
 * somebody else, the message costs one read. Each message is acknowledged once its operation is finished. One that
 * failed is retried, and may end as a dead letter while the job of the organization's object goes on sending new ones.
 */
export const operationConsumer =
  (execute: Execute) =>
  async (batch: MessageBatch, env: Env): Promise<void> => {
    const read = batch.messages.flatMap((message) => {
      const { data } = messageSchema.safeParse(message.body);
      if (!data) giveBack(message, 'not a reference to an operation');
      return data ? [{ message, reference: data }] : [];
    });
    const byOrganization = Map.groupBy(read, ({ reference }) => reference.organization);
    await Promise.all(
      [...byOrganization].map(async ([organization, group]) => {
        const messages = Map.groupBy(group, ({ reference }) => reference.operation);
        const settle = (operation: string, failure: unknown) => {
          for (const { message } of messages.get(operation)!) {
            if (failure === undefined) message.ack();
            else giveBack(message, failure);
          }
        };
        try {
          const database = new Database(organization, databasesOf(env));
          const open = await openOperations(database, [...messages.keys()]);
          const pending = new Map(open.map((operation) => [operation.uuid, operation]));
          for (const uuid of messages.keys()) {
            const operation = pending.get(uuid);
            settle(uuid, operation && (await failureOf(carryOut(execute, env, organization, operation))));
          }
        } catch (error) {
          for (const uuid of messages.keys()) settle(uuid, error);
        }
      }),
    );
  };

/** How long to keep working on an operation that pauses, before it waits for the next message. */
const CARRIED_ON_MS = MINUTE_MS;

/** The answer of commands that carry out operations. */
interface CarriedOn {
  finished: boolean;
  waitMilliseconds?: number;
}

/** Run the commands of an operation until it is finished, or has paused for too long. */
async function carryOut(
  execute: Execute,
  env: Env,
  organization: string,
  { uuid, operationType, actor, requestId }: OpenOperation,
): Promise<void> {
  for (const began = Date.now(); Date.now() - began < CARRIED_ON_MS; ) {
    const outcome = await execute(env, organization, {
      name: COMMANDS[operationType],
      input: { operationUuid: uuid } satisfies { operationUuid: OperationMessage['operation'] },
      commandId: newUuid(),
      idempotencyKey: null,
      fingerprint: uuid,
      actor,
      requestId,
      ipAddress: null,
    });
    if (outcome.kind !== 'done') {
      throw new Error(outcome.kind === 'refused' ? outcome.refusal.detail : 'the command failed');
    }
    const { finished, waitMilliseconds = 0 }: CarriedOn = JSON.parse(outcome.body);
    if (finished) return;
    if (waitMilliseconds > 0) await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
}

function giveBack(message: Message, failure: unknown): void {
  console.error(JSON.stringify({ queue: 'operation', message: message.body, error: String(failure) }));
  message.retry(LATER);
}
