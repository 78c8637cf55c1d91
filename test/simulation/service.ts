import { commands } from '../../src/commands.ts';
import type { Env } from '../../src/core/env.ts';
import { databasesOf } from '../../src/core/lib/databases.ts';
import { executeEach } from '../../src/core/writer/client.ts';
import { commandsOf } from '../../src/core/writer/command.ts';
import { JobScheduler } from '../../src/core/writer/jobs.ts';
import { runOverdueJobs } from '../../src/core/writer/overdue.ts';
import { watermarksIn } from '../../src/core/writer/watermark.ts';
import { Writer } from '../../src/core/writer/writer.ts';
import { silentOrganizations } from '../../src/dispatch/device/store.ts';
import { jobs, overdue } from '../../src/jobs.ts';
import { declareRewind } from '../../src/log/event/rewind.ts';
import { sweepMoves } from '../../src/storage/move/sweep.ts';
import { claims } from './claims.ts';
import { bindingOf } from './d1.ts';
import { Home, type Living } from './home.ts';
import { type QUEUES, Queue } from './queue.ts';
import { type Domain, Finding, never, type World } from './world.ts';

const registry = commandsOf({ ...commands, ...claims });
/** A batch that is never answered keeps its object for so long, until the platform ends it. */
const STUCK_MAXIMUM_MS = 60_000;
const SCHEDULE_MS = 60_000;
/** How long an object that was replaced may still write, by what it knew (5 s), and what it sent be on its way. */
const REPLACED_MS = 10_000;
/** By when an alarm rings that stands for something that was accepted; more than clocks jump. */
const ALARM_MAXIMUM_MS = 30 * 60_000;

/** The service as it runs in a history: objects, queues and consumers around the code of `src`. */
export class Service {
  readonly world: World;
  readonly homes = new Map<string, Home>();
  readonly queues: Record<keyof typeof QUEUES, Queue>;

  constructor(world: World) {
    this.world = world;
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

  /** Bindings and variables as code in a domain has them. */
  envOf(domain: Domain): Env {
    return {
      ...Object.fromEntries(
        this.world.stores.names.map((name) => [name, bindingOf(this.world, domain, name)]),
      ),
      WRITER: {
        idFromName: (name: string) => name,
        get: (organization: string) => ({
          execute: (request: never) =>
            this.#call(domain, organization, ({ writer }) => writer.execute(request)),
          scheduleJobs: (date: number) =>
            this.#call(domain, organization, (living) => living.jobs.scheduleAt(date)),
        }),
      },
      OPERATION_QUEUE: this.queues.operation.bindingOf(domain),
      WEBHOOK_QUEUE: this.queues.webhook.bindingOf(domain),
      ENVIRONMENT: 'development',
      BASE_DOMAIN: 'localhost',
      OPERATOR_KEY: 'local-operator-key',
      SEALING_KEY: 'local-sealing-key',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
    } as unknown as Env;
  }

  /** What the schedule does every minute. */
  async schedule(): Promise<void> {
    const env = this.envOf({ name: 'schedule', dead: false });
    const now = this.world.clock.now();
    const databases = databasesOf(env);
    await Promise.allSettled(
      databases.names.flatMap((name) => [
        executeEach(env, silentOrganizations(databases.named(name), now), 'noteSilence'),
        runOverdueJobs(env, databases.named(name), overdue, now),
        sweepMoves(databases, name),
      ]),
    );
  }

  /** Something was accepted: should its object end now, the next one is woken for it. */
  checkAlarm(organization: string): void {
    const { storage, current } = this.home(organization);
    const latest = this.world.clock.now() + ALARM_MAXIMUM_MS;
    if (current?.rings || (storage.alarm !== null && storage.alarm < latest)) return;
    throw new Finding(`${organization}: an operation is accepted, and no alarm stands`);
  }

  /** The alarm of an object rings; whoever ends before it is done with that leaves it ringing. */
  ring(home: Home): void {
    const { faults, clock } = this.world;
    home.storage.alarm = faults.draws('alarm late') ? clock.now() + STUCK_MAXIMUM_MS : null;
    if (home.storage.alarm !== null) return;
    const living = this.#currentOf(home);
    living.rings = true;
    const rung = () => {
      living.rings = false;
    };
    void living.jobs.onAlarm().then(rung);
    if (faults.draws('alarm twice')) void living.jobs.onAlarm();
  }

  /** End the instance that lives; what it has under way comes to nothing but at D1. */
  evict(home: Home): void {
    if (home.current) this.#end(home, home.current);
  }

  /** End all instances at once. */
  evictAll(): void {
    for (const home of this.homes.values()) {
      for (const living of [home.old, home.current]) if (living) this.#end(home, living);
    }
  }

  /** The stores are put back: whoever was replaced just now could write there, and nothing would tell (`src/core/writer`). */
  endReplaced(): void {
    for (const home of this.homes.values()) {
      const since = Math.abs(this.world.clock.now() - home.replacedDate);
      if (home.old && since < REPLACED_MS) this.#end(home, home.old);
    }
  }

  /** Another instance is to begin beside the one that lives. */
  takeOver(home: Home): void {
    if (!home.current) return;
    if (home.old) this.#end(home, home.old);
    home.old = home.current;
    home.old.domain.isOld = true;
    home.replacedDate = this.world.clock.now();
    home.current = undefined;
    this.#leave(home, home.old);
  }

  #call<T>(caller: Domain, organization: string, run: (living: Living) => Promise<T>): Promise<T> {
    const { world } = this;
    if (caller.dead) return never();
    return new Promise((resolve, reject) => {
      const fail = (message: string, more = {}) => reject(Object.assign(new Error(message), more));
      world.later('call', () => {
        if (world.faults.draws('call lost')) return fail('Network connection lost.');
        if (world.faults.draws('object overloaded')) return fail('Overloaded.', { overloaded: true });
        const living = this.#reached(this.home(organization));
        const ended = () => world.later('call answer', () => fail('Durable Object reset.'));
        living.calls.add(ended);
        const answer = async (act: () => void) => {
          while (living.domain.gate) await living.domain.gate;
          world.later('call answer', () => {
            // Whoever ended before the answer left has told so.
            if (!living.calls.delete(ended)) return;
            if (world.faults.draws('call answer lost')) fail('Network connection lost.');
            else act();
          });
        };
        run(living).then(
          (value) => answer(() => resolve(value)),
          (error) => answer(() => reject(error)),
        );
      });
    });
  }

  #reached(home: Home): Living {
    return home.old && this.world.random.order.below(2) === 0 ? home.old : this.#currentOf(home);
  }

  #currentOf(home: Home): Living {
    home.current ??= this.#begin(home);
    return home.current;
  }

  #begin(home: Home): Living {
    const domain: Domain = { name: `object of ${home.organization}`, dead: false };
    const env = this.envOf(domain);
    const touched = () => {
      if (domain.isOld) this.#end(home, living);
      return !domain.isOld;
    };
    const storage = home.storage.of(domain, touched);
    const kept = new JobScheduler(jobs, env, home.organization, storage);
    const writer = new Writer({
      databases: databasesOf(env),
      organization: home.organization,
      commands: registry,
      declareRewind,
      watermarks: watermarksIn(storage),
      saltSecret: 'of the simulation',
      hooks: {
        aroundCommit: (commit, requestsJobs) => kept.aroundCommit(commit, requestsJobs, () => undefined),
        afterCommit: () => undefined,
        afterUnknown: () => kept.markDirty(),
      },
    });
    const living: Living = { domain, writer, jobs: kept, calls: new Set(), rings: false };
    return living;
  }

  #end(home: Home, living: Living): void {
    living.domain.dead = true;
    if (home.current === living) home.current = undefined;
    if (home.old === living) home.old = undefined;
    if (!living.domain.isOld) this.#leave(home, living);
    for (const ended of living.calls) ended();
    living.calls.clear();
  }

  /** What an instance leaves behind when the storage is no longer its own. */
  #leave(home: Home, living: Living): void {
    home.storage.end(this.world.random.order);
    if (living.rings) home.storage.alarm = this.world.clock.now();
  }

  #endLater(domain: Domain): void {
    for (const home of this.homes.values()) {
      const stuck = [home.current, home.old].find((living) => living?.domain === domain);
      if (!stuck) continue;
      this.world.clock.set(() => {
        if (!domain.dead) this.#end(home, stuck);
      }, this.world.random.order.below(STUCK_MAXIMUM_MS));
    }
  }
}
