import { DurableObject } from 'cloudflare:workers';
import { Databases } from '../lib/databases.ts';
import type { OrganizationObject, WriterEnv } from './binding.ts';
import { writerOf } from './client.ts';
import { commandsOf, type Registry } from './command.ts';
import { type Job, JobScheduler } from './jobs.ts';
import { Listeners, type Topics } from './listeners.ts';
import type { WriterOptions } from './memory.ts';
import { QueryBudget } from './query-budget.ts';
import { type Lease, RateWindow } from './rate-window.ts';
import { type SentOutcome, type SentRequest, versions } from './versions.ts';
import { Writer } from './writer.ts';
import { watermarksIn } from './writer-state.ts';

/** Makes the Durable Object class that runs a registry of commands, with one `Writer` per object. */
export function organizationWriter<E extends WriterEnv>(
  registry: Registry,
  jobs: readonly Job<E>[],
  topics: Topics,
  declareRewind: WriterOptions['declareRewind'] & object,
) {
  const commands = commandsOf(registry);
  return class extends DurableObject<E> implements OrganizationObject {
    readonly #rate = new RateWindow();
    readonly #budget = new QueryBudget(() => writerOf(this.env, this.ctx.id.name!).topUp());
    readonly #databases = new Databases(this.env, (queries) => this.#budget.spend(queries));
    readonly #listeners = new Listeners(this.ctx, this.#databases, topics);
    #lazyJobs: JobScheduler<E> | undefined;
    #writer: Writer | undefined;

    async execute(request: SentRequest): Promise<SentOutcome> {
      const unknown = versions.unknownIn(request);
      if (unknown !== undefined) return { kind: 'unknown', unknown };
      this.#budget.renew();
      this.#writer ??= new Writer({
        databases: this.#databases,
        organization: this.ctx.id.name!,
        commands,
        declareRewind,
        watermarks: watermarksIn(this.ctx.storage),
        hooks: {
          aroundCommit: (commit, requestsJobs) =>
            this.#jobs.aroundCommit(commit, requestsJobs, (promise) => this.ctx.waitUntil(promise)),
          afterCommit: (audit, sequenceNumber) => this.#listeners.afterCommit(audit, sequenceNumber),
          afterUnknown: () => {
            this.#jobs.markDirty();
            this.#listeners.afterUnknown();
          },
        },
      });
      return { ...(await this.#writer.execute(request)), version: versions.ofOutcome(request.name) };
    }

    lease(limit: number, wanted: number): Lease {
      return this.#rate.lease(limit, wanted, Date.now());
    }

    scheduleJobs(date: number): Promise<void> {
      return this.#jobs.scheduleAt(date);
    }

    /**
     * Forget the organization because it was erased, or has just been imported or moved here. After an import or a
     * move its log says where to continue.
     */
    async forget(): Promise<void> {
      this.#writer = undefined;
      this.#lazyJobs = undefined;
      await this.ctx.storage.deleteAlarm();
      await this.ctx.storage.deleteAll();
      this.#listeners.afterUnknown();
    }

    versionId(): Promise<string> {
      return Promise.resolve(this.env.VERSION.id);
    }

    topUp(): Promise<void> {
      this.#budget.renew();
      return Promise.resolve();
    }

    /** Run the jobs: send committed events, finish accepted operations. */
    override async alarm(): Promise<void> {
      this.#budget.renew();
      await this.#jobs.onAlarm();
    }

    override fetch(request: Request): Promise<Response> {
      return this.#listeners.take(request);
    }

    override webSocketMessage(socket: WebSocket): void {
      this.#listeners.refuse(socket);
    }

    get #jobs(): JobScheduler<E> {
      this.#lazyJobs ??= new JobScheduler(
        jobs,
        this.env,
        this.#databases,
        this.ctx.id.name!,
        this.ctx.storage,
      );
      return this.#lazyJobs;
    }
  };
}
