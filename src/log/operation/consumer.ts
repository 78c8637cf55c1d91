import { z } from 'zod';
import type { Env, OperationMessage } from '../../core/env.ts';
import { Database } from '../../core/lib/database.ts';
import { databasesOf } from '../../core/lib/databases.ts';
import { newUuid } from '../../core/lib/id.ts';
import { LATER } from '../../core/lib/store.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/lib/time.ts';
import type { CommandRequest, Outcome } from '../../core/writer/command.ts';
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

/** A message of a newer version may say more. It is retried until a consumer understands it. */
const messageSchema = z.strictObject({ organization: z.uuid(), operation: z.uuid() });

/**
 * The consumer of the operation queue. A message only names an operation. If that is finished, or another consumer
 * works on it, the message costs one read. Each message is acknowledged once its operation is finished or pauses. A
 * paused operation continues in the background (`waitUntil`), so that no other operation waits for it. A failed message
 * is retried and may end as a dead letter. The job of the organization's object continues to send new ones.
 */
export const operationConsumer =
  (execute: Execute) =>
  async (batch: MessageBatch, env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Promise<void> => {
    const read = batch.messages.flatMap((message) => {
      const { data } = messageSchema.safeParse(message.body);
      if (!data) giveBack(message, 'not a reference to an operation, or of a newer version');
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
            try {
              const pause = operation && (await carryOut(execute, env, organization, operation));
              settle(uuid, undefined);
              if (!pause) continue;
              // If this fails, or the runtime ends it, the job sends a message for the rest.
              const rest = carryOn(pause, execute, env, organization, operation);
              context.waitUntil(rest.catch((error) => log({ organization, operation: uuid }, error)));
            } catch (error) {
              settle(uuid, error);
            }
          }
        } catch (error) {
          for (const uuid of messages.keys()) settle(uuid, error);
        }
      }),
    );
  };

/** How long to work on an operation before the rest waits for the next message. */
const CARRIED_OUT_MS = MINUTE_MS;
/** The same in the background. The runtime ends background work after 30 s. */
const CARRIED_ON_MS = 25 * SECOND_MS;

/** The answer of commands that carry out operations. */
interface CarriedOn {
  finished: boolean;
  waitMilliseconds?: number;
}

/**
 * Carry an operation out until it is finished or pauses. Returns the milliseconds after which it continues. After each
 * command, a timer lets the thread serve other requests. Where all calls stay within one process, it serves no request
 * as long as work is left.
 */
async function carryOut(...of: Parameters<typeof step>): Promise<number | undefined> {
  for (const began = Date.now(); Date.now() - began < CARRIED_OUT_MS; ) {
    const { finished, waitMilliseconds } = await step(...of);
    if (finished || waitMilliseconds) return finished ? undefined : waitMilliseconds;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Continue an operation after a pause, and after each further pause. */
async function carryOn(first: number, ...of: Parameters<typeof step>): Promise<void> {
  const began = Date.now();
  for (let pause: number | undefined = first; pause && Date.now() - began < CARRIED_ON_MS; ) {
    const wait = pause;
    await new Promise((resolve) => setTimeout(resolve, wait));
    pause = await carryOut(...of);
  }
}

/** Run the command of an operation once. */
async function step(
  execute: Execute,
  env: Env,
  organization: string,
  { uuid, operationType, actor, requestId }: OpenOperation,
): Promise<CarriedOn> {
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
  return JSON.parse(outcome.body);
}

function giveBack(message: Message, failure: unknown): void {
  log(message.body, failure);
  message.retry(LATER);
}

const log = (message: unknown, failure: unknown): void =>
  console.error(JSON.stringify({ queue: 'operation', message, error: String(failure) }));
