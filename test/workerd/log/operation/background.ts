import type { Env, OperationMessage } from '../../../../src/core/env.ts';
import { Database } from '../../../../src/core/lib/database.ts';
import { Databases } from '../../../../src/core/lib/databases.ts';
import type { Writer } from '../../../../src/core/writer/writer.ts';
import type { Commands } from '../../../../src/features.ts';
import { type Execute, operationConsumer } from '../../../../src/log/operation/consumer.ts';
import { sendOperations } from '../../../../src/log/operation/job.ts';
import type { Tenant } from '../../client.ts';
import { bodyOf, db, request, writerOf } from '../../core/writer/requests.ts';

const ROUNDS_MAXIMUM = 20;

/** How a consumer ends: before or after a command, or because the service refuses it or has a defect. */
export type Death = 'before' | 'after' | 'refused' | 'defect';

/**
 * The background work of a tenant in slow motion. The commits of its writer wake no object, the queue is a
 * list, and job and consumer run when a test starts them.
 */
export class Background {
  readonly queue: OperationMessage[] = [];
  readonly tenant: Tenant;
  readonly writer: Writer;
  /** Number of commands that consumers ran. */
  commands = 0;
  readonly #env: Env;
  #lastRun: number | null = 0;

  constructor(tenant: Tenant, database: D1Database = db) {
    this.tenant = tenant;
    this.writer = writerOf(tenant, database);
    const sendBatch = async (messages: { body: OperationMessage }[]) => {
      this.queue.push(...messages.map(({ body }) => body));
    };
    this.#env = { DB: db, OPERATION_QUEUE: { sendBatch } } as unknown as Env;
  }

  /** Run a command that must succeed. */
  async run<T>(name: keyof Commands, input: object): Promise<T> {
    return bodyOf<T>(await this.writer.execute(request(name, { requestId: 'test', ...input })));
  }

  /** Restart the object. */
  restart(): void {
    this.#lastRun = null;
  }

  /** Run the job at a date. @returns when it wants to run next. */
  async job(now: number): Promise<number | null> {
    const database = new Database(this.tenant.uuid, new Databases({ DB: db }));
    const next = await sendOperations({ env: this.#env, database, now, lastRun: this.#lastRun });
    this.#lastRun = now;
    return typeof next === 'number' ? next : null;
  }

  /**
   * Deliver messages to a consumer, which may have to die at its `step`th command. @returns the outcome of
   * each message.
   */
  async deliver(
    bodies: readonly unknown[],
    { death, step = 1 }: { death?: Death; step?: number } = {},
  ): Promise<('ack' | 'retry')[]> {
    const settled: ('ack' | 'retry' | undefined)[] = bodies.map(() => undefined);
    const settle = (index: number, how: 'ack' | 'retry') => {
      if (settled[index] !== undefined) throw new Error('a message is settled once');
      settled[index] = how;
    };
    const messages = bodies.map((body, index) => ({
      id: crypto.randomUUID(),
      body,
      ack: () => settle(index, 'ack'),
      retry: () => settle(index, 'retry'),
    }));
    let steps = 0;
    const execute: Execute = async (_, organization, command) => {
      if (organization !== this.tenant.uuid) throw new Error('the message belongs to another organization');
      steps += 1;
      this.commands += 1;
      if (death === undefined || steps !== step) return this.writer.execute(command);
      if (death === 'after') await this.writer.execute(command);
      if (death === 'before' || death === 'after') throw new Error('died');
      const cost = { bookmark: null, roundTrips: 0, rowsRead: 0, rowsWritten: 0 };
      if (death === 'defect') return { kind: 'defect', ...cost };
      const refusal = { code: 'temporarilyUnavailable', detail: 'not now' } as const;
      return { kind: 'refused', refusal, replayed: false, ...cost };
    };
    const background: Promise<unknown>[] = [];
    const context = { waitUntil: (work: Promise<unknown>) => void background.push(work) };
    await operationConsumer(execute)({ messages } as unknown as MessageBatch, this.#env, context);
    await Promise.all(background);
    return settled.map((how) => how ?? 'retry');
  }

  /** Let time pass until all work is done. */
  async drain(): Promise<void> {
    this.queue.length = 0;
    let now = Date.now();
    for (let round = 0; round < ROUNDS_MAXIMUM; round += 1) {
      now += 3_600_000;
      if ((await this.job(now)) === null) return;
      await this.deliver(this.queue.splice(0));
    }
    throw new Error('some work is never done');
  }
}
