import type { Env } from '../../src/core/env.ts';
import { databasesOf } from '../../src/core/lib/databases.ts';
import { commandsOf } from '../../src/core/writer/command.ts';
import { executeEach, runOverdueJobs } from '../../src/core/writer/each.ts';
import { JobScheduler } from '../../src/core/writer/jobs.ts';
import { type SentRequest, versions } from '../../src/core/writer/versions.ts';
import { Writer } from '../../src/core/writer/writer.ts';
import { watermarksIn } from '../../src/core/writer/writer-state.ts';
import { sweepOrphans } from '../../src/dispatch/calibration/objects.ts';
import { silentOrganizations } from '../../src/dispatch/device/store.ts';
import { commands, jobs, overdue } from '../../src/features.ts';
import { declareRewind } from '../../src/log/event/rewind.ts';
import { sweepMoves } from '../../src/storage/move/sweep.ts';
import { claims } from './claims.ts';
import { bindingOf } from './d1.ts';
import { Home, type Instance } from './home.ts';
import { type QUEUES, Queue } from './queue.ts';
import { Bucket } from './uploads.ts';
import { type Domain, Finding, never, type World } from './world.ts';

const registry = commandsOf({ ...commands, ...claims });
/** The longest time until the platform ends an object that waits for a batch without an answer. */
const STUCK_MAXIMUM_MS = 60_000;
const SCHEDULE_MS = 60_000;
/**
 * How long a replaced object may still commit: 5 s by its own knowledge, and the time that a batch is on
 * its way.
 */
const REPLACED_MS = 10_000;
/** The latest date of an alarm for an accepted operation. It is more than clocks jump. */
const ALARM_MAXIMUM_MS = 30 * 60_000;
/** The sweep takes all orphans that exist when it begins, as if they were this old. */
const SWEPT_EARLY_MS = 3_600_000;

/** The service in a history: objects, queues and consumers that run the code of `src`. */
export class Service {
  readonly world: World;
  readonly homes = new Map<string, Home>();
  readonly queues: Record<keyof typeof QUEUES, Queue>;
  readonly bucket: Bucket;

  constructor(world: World) {
    this.world = world;
    this.bucket = new Bucket(world);
    const queue = (kind: keyof typeof QUEUES) => new Queue(this, kind);
    this.queues = {
      operation: queue('operation'),
      webhook: queue('webhook'),
      'operation-dead': queue('operation-dead'),
      'webhook-dead': queue('webhook-dead'),
    };
    world.onStuck = (domain) => this.#endLater(domain);
    world.clock.set(() => void this.schedule(), SCHEDULE_MS, true);
  }

  home(organization: string): Home {
    let home = this.homes.get(organization);
    if (!home) {
      home = new Home(this.world, organization);
      this.homes.set(organization, home);
    }
    return home;
  }

  /** The bindings and variables of code in a domain. */
  envOf(domain: Domain): Env {
    return {
      ...Object.fromEntries(
        this.world.stores.names.map((name) => [name, bindingOf(this.world, domain, name)]),
      ),
      WRITER: {
        idFromName: (name: string) => name,
        get: (organization: string) => ({
          execute: (request: SentRequest) =>
            this.#call(domain, organization, async ({ writer }) => ({
              ...(await writer.execute(request)),
              version: versions.ofOutcome(request.name),
            })),
          scheduleJobs: (date: number) =>
            this.#call(domain, organization, (instance) => instance.jobs.scheduleAt(date)),
        }),
      },
      OPERATION_QUEUE: this.queues.operation.bindingOf(domain),
      WEBHOOK_QUEUE: this.queues.webhook.bindingOf(domain),
      CALIBRATION: this.bucket.bindingOf(domain),
      ENVIRONMENT: 'development',
      BASE_DOMAIN: 'localhost',
      OPERATOR_KEY: 'local-operator-key',
      SEALING_KEY: 'local-sealing-key',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    } as unknown as Env;
  }

  /** The scheduled work of every minute. */
  async schedule(): Promise<void> {
    const env = this.envOf({ name: 'schedule', dead: false });
    const now = this.world.clock.now();
    const databases = databasesOf(env);
    const { bucket } = this;
    const sweeps = !bucket.isBusy;
    if (sweeps) bucket.sweptBefore = now;
    await Promise.allSettled(
      databases.names.flatMap((name) => [
        executeEach(env, name, silentOrganizations, 'noteSilence', now),
        runOverdueJobs(env, name, overdue, now),
        sweepMoves(databases, name),
        sweeps ? sweepOrphans(databases.named(name), env.CALIBRATION, now + SWEPT_EARLY_MS) : undefined,
      ]),
    );
  }

  /**
   * Check that an alarm is set after an operation was accepted. If the object ends now, the alarm starts it
   * again.
   */
  checkAlarm(organization: string): void {
    const { storage, current } = this.home(organization);
    const latest = this.world.clock.now() + ALARM_MAXIMUM_MS;
    if (current?.rings || (storage.alarm !== null && storage.alarm < latest)) return;
    throw new Finding(`${organization}: an operation was accepted, but no alarm is set`);
  }

  /** Run the alarm of an object. If the object ends before the handler is done, the alarm is set again. */
  ring(home: Home): void {
    const { faults, clock } = this.world;
    home.storage.alarm = faults.draws('alarm late') ? clock.now() + STUCK_MAXIMUM_MS : null;
    if (home.storage.alarm !== null) return;
    const instance = this.#currentOf(home);
    instance.rings = true;
    const rung = () => {
      instance.rings = false;
    };
    void instance.jobs.onAlarm().then(rung);
    if (faults.draws('alarm twice')) void instance.jobs.onAlarm();
  }

  /** End the current instance. Its work is lost, except batches on their way to D1. */
  evict(home: Home): void {
    if (home.current) this.#end(home, home.current);
  }

  evictAll(): void {
    for (const home of this.homes.values()) {
      for (const instance of [home.old, home.current]) if (instance) this.#end(home, instance);
    }
  }

  /**
   * Before a restore, end instances that were replaced just now. They could still write to the restored
   * store unnoticed (see `src/core/writer/README.md`).
   */
  endReplaced(): void {
    for (const home of this.homes.values()) {
      const since = Math.abs(this.world.clock.now() - home.replacedDate);
      if (home.old && since < REPLACED_MS) this.#end(home, home.old);
    }
  }

  /** Start a new instance at the next call. The current one keeps running. */
  takeOver(home: Home): void {
    if (!home.current) return;
    if (home.old) this.#end(home, home.old);
    home.old = home.current;
    home.old.domain.isOld = true;
    home.replacedDate = this.world.clock.now();
    home.current = undefined;
    this.#leave(home, home.old);
  }

  #call<T>(caller: Domain, organization: string, run: (instance: Instance) => Promise<T>): Promise<T> {
    const { world } = this;
    if (caller.dead) return never();
    return new Promise((resolve, reject) => {
      const fail = (message: string, more = {}) => reject(Object.assign(new Error(message), more));
      world.later('call', () => {
        if (world.faults.draws('call lost')) return fail('Network connection lost.');
        if (world.faults.draws('object overloaded')) return fail('Overloaded.', { overloaded: true });
        const instance = this.#reached(this.home(organization));
        const ended = () => world.later('call answer', () => fail('Durable Object reset.'));
        instance.calls.add(ended);
        const answer = async (act: () => void) => {
          while (instance.domain.gate) await instance.domain.gate;
          world.later('call answer', () => {
            // The call has already failed if the instance ended before the answer left.
            if (!instance.calls.delete(ended)) return;
            if (world.faults.draws('call answer lost')) fail('Network connection lost.');
            else act();
          });
        };
        run(instance).then(
          (value) => answer(() => resolve(value)),
          (error) => answer(() => reject(error)),
        );
      });
    });
  }

  #reached(home: Home): Instance {
    return home.old && this.world.random.order.below(2) === 0 ? home.old : this.#currentOf(home);
  }

  #currentOf(home: Home): Instance {
    home.current ??= this.#begin(home);
    return home.current;
  }

  #begin(home: Home): Instance {
    const domain: Domain = { name: `object of ${home.organization}`, dead: false };
    const env = this.envOf(domain);
    const touched = () => {
      if (domain.isOld) this.#end(home, instance);
      return !domain.isOld;
    };
    const storage = home.storage.of(domain, touched);
    const scheduler = new JobScheduler(jobs, env, databasesOf(env), home.organization, storage);
    const writer = new Writer({
      databases: databasesOf(env),
      organization: home.organization,
      commands: registry,
      declareRewind,
      watermarks: watermarksIn(storage),
      saltSecret: 'of the simulation',
      hooks: {
        aroundCommit: (commit, requestsJobs) => scheduler.aroundCommit(commit, requestsJobs, () => undefined),
        afterCommit: () => undefined,
        afterUnknown: () => scheduler.markDirty(),
      },
    });
    const instance: Instance = { domain, writer, jobs: scheduler, calls: new Set(), rings: false };
    return instance;
  }

  #end(home: Home, instance: Instance): void {
    instance.domain.dead = true;
    if (home.current === instance) home.current = undefined;
    if (home.old === instance) home.old = undefined;
    if (!instance.domain.isOld) this.#leave(home, instance);
    for (const ended of instance.calls) ended();
    instance.calls.clear();
  }

  /** Release the storage. Writes that were not synced may be lost, and an unfinished alarm is set again. */
  #leave(home: Home, instance: Instance): void {
    home.storage.end(this.world.random.order);
    if (instance.rings) home.storage.alarm = this.world.clock.now();
  }

  #endLater(domain: Domain): void {
    for (const home of this.homes.values()) {
      const stuck = [home.current, home.old].find((instance) => instance?.domain === domain);
      if (!stuck) continue;
      this.world.clock.set(() => {
        if (!domain.dead) this.#end(home, stuck);
      }, this.world.random.order.below(STUCK_MAXIMUM_MS));
    }
  }
}
