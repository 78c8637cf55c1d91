import type { Env, TurnMessage } from '../../../src/core/env.ts';
import type { CommandRequest } from '../../../src/core/writer/command.ts';
import { versions } from '../../../src/core/writer/versions.ts';
import { scheduleConsumer, sendTurns } from '../../../src/schedule.ts';
import { randomOf } from '../../e2e/crash/random.ts';
import { platformBindings } from '../../platform/bindings.ts';
import { Invocation, within } from '../../platform/invocation.ts';
import { ThinStore } from '../../simulation/thin-store.ts';

/** How a call of a database behaves: it answers, fails, or never ends. */
export type Health = 'answers' | 'fails' | 'hangs';

const SIZE_BYTES = 1_000_000;
/** Rows that a day's work leaves and that have expired. */
export const EXPIRED = 200;

/** A D1 binding over SQLite in memory. The name of the class tells the platform's bindings what it is. */
class D1Database {
  readonly store: ThinStore;
  health: Health = 'answers';

  constructor(store: ThinStore) {
    this.store = store;
  }

  prepare(text: string, params: readonly unknown[] = []): object {
    const one = async () => (await this.batch([{ text, params }]))[0]!;
    return {
      text,
      params,
      bind: (...values: unknown[]) => this.prepare(text, values),
      all: one,
      run: one,
      first: async () => (await one()).results[0] ?? null,
    };
  }

  async batch(statements: readonly { text: string; params: readonly unknown[] }[]) {
    if (this.health === 'hangs') await new Promise(() => undefined);
    if (this.health === 'fails') throw new Error('D1_ERROR: Network connection lost.');
    const rows = await this.store.batch(statements);
    const [last] = await this.store.read('SELECT changes() AS changes');
    const meta = { rows_read: 0, rows_written: 0, size_after: SIZE_BYTES, changes: last!['changes'] };
    return rows.map((results) => ({ success: true, results, meta }));
  }

  withSession(): object {
    return {
      prepare: (text: string) => this.prepare(text),
      batch: (statements: never) => this.batch(statements),
      getBookmark: () => 'bookmark',
    };
  }
}

interface Waiting {
  body: TurnMessage;
  /** Epoch milliseconds. */
  sentDate: number;
  dueDate: number;
  attempts: number;
}

/** A deployment of many databases with the real code of the schedules, and a queue as the platform runs it. */
export class Deployment {
  readonly databases = new Map<string, D1Database>();
  /** When something was done for the organization of a database; epoch milliseconds. The key is `{kind} {database}`. */
  readonly dates = new Map<string, number[]>();
  /** Databases with an organization whose object never answers. */
  readonly silentObjects = new Set<string>();
  /** The longest time that messages waited; milliseconds. */
  longestWaitMs = 0;
  readonly #env: Env;
  readonly #invocations: number;
  readonly #retries: number;
  readonly #messagesAtOnce: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** `messagesAtOnce`: how many turns share an invocation. */
  constructor(
    count: number,
    { invocations, retries, messagesAtOnce }: Record<'invocations' | 'retries' | 'messagesAtOnce', number>,
  ) {
    this.#invocations = invocations;
    this.#retries = retries;
    this.#messagesAtOnce = messagesAtOnce;
    for (let number = 0; number < count; number += 1) {
      const store = new ThinStore(randomOf(number));
      this.databases.set(number === 0 ? 'DB' : `DB_${number}`, new D1Database(store));
    }
    this.#env = {
      ...Object.fromEntries(this.databases),
      WRITER: { idFromName: (name: string) => name, get: (name: string) => this.#object(name) },
      SCHEDULE_QUEUE: {
        sendBatch: async (messages: { body: TurnMessage; delaySeconds: number }[]) => {
          if (messages.length > 100) throw new Error('too many messages');
          for (const { body, delaySeconds } of messages) {
            const sentDate = Date.now();
            const message = { body, sentDate, dueDate: sentDate + delaySeconds * 1_000, attempts: 1 };
            this.#waiting.push(message);
            // The queue delivers a message at least once.
            if (this.#waiting.length % 10 === 0) this.#waiting.push({ ...message });
          }
          this.#deliver();
        },
      },
      CALIBRATION: { delete: async () => undefined },
      ENVIRONMENT: 'development',
      BASE_DOMAIN: 'localhost',
      OPERATOR_KEY: 'local-operator-key',
      SEALING_KEY: 'local-sealing-key',
      PLATFORM_D1_MS: '5',
    } as unknown as Env;
  }

  /** Give each database an organization with work for every schedule. */
  async fill(now: number): Promise<void> {
    for (const [name, { store }] of this.databases) {
      const date = now - 3_600_000;
      const statements: [text: string, ...params: unknown[]][] = [
        [
          `INSERT INTO organization (uuid, name, slug, dispatch_strategy, client_feature_enabled, marker_allocation_maximum,
            marker_code_start, requests_per_minute, shipment_custom_fields, create_date, update_date)
            VALUES (?1, ?1, ?1, 'SHIPMENT', 0, 1, 1, 1, '[]', ?2, ?2)`,
          name,
          date,
        ],
        [
          `INSERT INTO operation (uuid, organization_uuid, operation_type, status, input, total_count, succeeded_count,
            failed_count, actor, request_id, due_date, sent_count, create_date, update_date)
            VALUES (?1, ?1, 'COUPLE', 'PENDING', '{}', 1, 0, 0, '{}', 'r', ?2, 0, ?2, ?2)`,
          name,
          date,
        ],
        [
          `INSERT INTO device (uuid, organization_uuid, device_type, name, folded_name, reported_status,
            last_heartbeat_date, create_date, update_date) VALUES (?1, ?1, 'SCANNER', 'S', 's', 'ONLINE', 1, 1, 1)`,
          name,
        ],
        [
          `INSERT INTO alert (uuid, organization_uuid, alert_type, severity, status, params, create_date, update_date)
            VALUES (?1, ?1, 'SIGN_IN_LIMIT_REACHED', 'WARNING', 'OPEN', '{}', 1, 1)`,
          name,
        ],
        [
          `INSERT INTO recent_answer (id, organization_uuid, command_id, body, create_date)
            SELECT key + 1, ?1, 'c', '{}', 1 FROM json_each(?2)`,
          name,
          JSON.stringify(Array(EXPIRED).fill(0)),
        ],
      ];
      await store.batch(statements.map(([text, ...params]) => ({ text, params })));
    }
  }

  /** Run a cron trigger. */
  async trigger(cron: string): Promise<void> {
    await sendTurns(cron, this.#env);
  }

  rowsOf(name: string, table: string): Promise<Record<string, unknown>[]> {
    return this.databases.get(name)!.store.read(`SELECT * FROM ${table}`);
  }

  close(): void {
    for (const { store } of this.databases.values()) store.close();
  }

  #object(organization: string): object {
    const note = async (name: string) => {
      const key = `${name} ${organization}`;
      this.dates.set(key, [...(this.dates.get(key) ?? []), Date.now()]);
      if (this.silentObjects.has(organization)) await new Promise(() => undefined);
      return {
        kind: 'done',
        body: 'null',
        replayed: false,
        bookmark: null,
        version: versions.ofOutcome(name),
      };
    };
    return {
      scheduleJobs: () => note('overdue'),
      execute: ({ name }: CommandRequest) => note(name),
    };
  }

  /** Start invocations for the messages that are due, as many as the platform allows. */
  #deliver(): void {
    while (this.#running < this.#invocations) {
      const due = this.#waiting.filter(({ dueDate }) => dueDate <= Date.now()).slice(0, this.#messagesAtOnce);
      if (due.length === 0) break;
      for (const message of due) this.#waiting.splice(this.#waiting.indexOf(message), 1);
      this.#running += 1;
      void this.#consume(due);
    }
    const next = Math.min(...this.#waiting.map(({ dueDate }) => dueDate));
    if (next > Date.now() && Number.isFinite(next)) setTimeout(() => this.#deliver(), next - Date.now());
  }

  async #consume(due: readonly Waiting[]): Promise<void> {
    const messages = due.map((message) => ({
      body: message.body,
      attempts: message.attempts,
      timestamp: new Date(message.sentDate),
      ack: () => undefined,
      retry: ({ delaySeconds }: { delaySeconds: number }) => {
        if (message.attempts > this.#retries) return;
        const dueDate = Date.now() + delaySeconds * 1_000;
        this.#waiting.push({ ...message, dueDate, attempts: message.attempts + 1 });
      },
    }));
    for (const { dueDate } of due) this.longestWaitMs = Math.max(this.longestWaitMs, Date.now() - dueDate);
    const batch = { queue: 'warehouse-dispatch-schedule', messages } as unknown as MessageBatch;
    await within(new Invocation(), () => scheduleConsumer(batch, platformBindings(this.#env)));
    this.#running -= 1;
    this.#deliver();
  }
}
