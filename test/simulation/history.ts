import type { Random } from '../e2e/crash/random.ts';
import { Callers } from './callers.ts';
import { Disturbing } from './disturbing.ts';
import { checkBackground, checkEverything } from './final.ts';
import { Ledger } from './ledger.ts';
import { Receivers } from './receiver.ts';
import { Service } from './service.ts';
import type { Stores } from './stores.ts';
import { Wishing } from './wishing.ts';
import { Finding, World } from './world.ts';

const ORGANIZATIONS = 2;
/** What may be under way at once. */
const PENDING_MAXIMUM = 80;
/** Steps without a commit or a delivery after which none will come any more. */
const QUIET_MAXIMUM = 3_000;
const ROUNDS_MAXIMUM = 5;
const MINUTE_MS = 60_000;
/** A history that is asked for. */
export interface Asked {
  seed: number;
  steps: number;
  /** Faults that are left out. */
  without?: ReadonlySet<string>;
  /** Whether it is to be compared with another. */
  traced?: boolean;
}

/** The service with its callers, and what happens to them, step by step. */
export class History {
  readonly world: World;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly callers: Callers;
  readonly receivers: Receivers;
  readonly #wishing: Wishing;
  readonly #disturbing: Disturbing;
  steps = 0;

  constructor(stores: Stores, { seed, without = new Set(), traced = false }: Asked) {
    this.world = new World(stores, seed, without);
    if (traced) this.world.trace = [];
    this.service = new Service(this.world);
    this.ledger = new Ledger(this.world, (organization) => this.service.checkAlarm(organization));
    this.callers = new Callers(this.service, this.ledger);
    this.receivers = new Receivers(this.world);
    this.#wishing = new Wishing(this.callers);
    this.#disturbing = new Disturbing(this.callers, this.#wishing);
  }

  get #order(): Random {
    return this.world.random.order;
  }

  /** Organizations that have begun to work. */
  async begin(): Promise<void> {
    for (let index = 0; index < ORGANIZATIONS; index += 1) await this.#wishing.begin(() => this.rest());
  }

  /** One step; where it brought a commit, that may be the last thing for a while. */
  async step(): Promise<void> {
    this.steps += 1;
    const before = this.ledger.batches;
    await this.#move();
    await this.#disturbing.follow();
    if (this.ledger.batches > before && this.world.faults.draws('everything ends')) await this.#breakOff();
  }

  /** Something that is under way happens, or something new. */
  async #move(): Promise<void> {
    const { world } = this;
    world.clock.advance(this.#order.below(4));
    const chance = this.#order.below(1_000);
    if (world.pending.length > PENDING_MAXIMUM) return world.happen();
    if (chance < 170) await this.#wishing.wish();
    else if (chance < 250) this.#deliver();
    else if (chance < 290) await this.#passTime(true);
    else if (chance < 330) await this.#disturbing.disturb();
    else if (world.pending.length > 0) return world.happen();
    else await this.#passTime(true);
    await world.calm();
  }

  /**
   * Nothing new happens until there is nothing left to do. @returns whether it came to that: the jobs look again and
   * again at what a consumer that died had of a webhook that is paused.
   */
  async rest(): Promise<boolean> {
    const { world, ledger, receivers } = this;
    let [quiet, before] = [0, 0];
    while (quiet < QUIET_MAXIMUM) {
      if (world.pending.length > 0) await world.happen();
      else if (!this.#deliver() && !(await this.#passTime(false))) return true;
      await world.calm();
      const progress = ledger.batches + receivers.count;
      quiet = progress === before ? quiet + 1 : 0;
      before = progress;
    }
    return false;
  }

  /** Nothing goes wrong any more: what was accepted is finished, what was told is sent, and all callers are answered. */
  async end(): Promise<void> {
    const { world, callers, ledger } = this;
    await this.#settle();
    // What nobody was woken for, the schedule finds, some seconds after it was due; also what it has noted itself.
    let rested = true;
    for (let minute = 0; minute < 2; minute += 1) {
      world.clock.advance(MINUTE_MS);
      void this.service.schedule();
      rested = await this.rest();
    }
    if (rested) await checkBackground(this, true);
    for (const organization of this.#wishing.organizations) {
      // Somebody asks for something, whereupon a store that was put back is noticed.
      callers.wish(organization, 'allocateMarkers', { quantity: 1 }, false);
      const webhooks = await world.stores.read(
        organization,
        'SELECT uuid FROM webhook WHERE organization_uuid = ? ORDER BY rowid',
        organization,
      );
      for (const { uuid } of webhooks) {
        callers.wish(organization, 'updateWebhook', { uuid, active: true }, false);
      }
    }
    if (!(await this.rest())) throw new Finding('it does not come to rest');
    for (let round = 0; callers.unknown().length > 0; round += 1) {
      if (round === ROUNDS_MAXIMUM) throw new Finding(`${callers.unknown()[0]!.id} is never answered`);
      for (const wish of callers.unknown()) callers.ask(wish);
      if (!(await this.rest())) throw new Finding('it does not come to rest');
    }
    await checkEverything(this);
    const twice = [...ledger.logs].reduce((sum, { declaredTwice }) => sum + declaredTwice, 0);
    if (twice > 0) callers.met.set('rewind declared twice', twice);
    await this.#countMoves();
  }

  /** What came of moves, beside what callers were answered. */
  async #countMoves(): Promise<void> {
    const moves = await this.world.stores.named('DB').read(
      `SELECT coalesce(error_code, 'done') AS outcome, count(*) AS count FROM relocation
        WHERE from_name <> to_name GROUP BY 1`,
    );
    for (const { outcome, count } of moves) this.callers.met.set(`move ${outcome}`, count as number);
  }

  #deliver(): boolean {
    const full = Object.values(this.service.queues).filter(({ waiting }) => waiting.length > 0);
    if (full.length === 0) return false;
    full[this.#order.below(full.length)]!.deliver();
    return true;
  }

  /** Time passes until the next timer or alarm rings; false where none will. */
  async #passTime(withIntervals: boolean): Promise<boolean> {
    const { clock } = this.world;
    // The platform rings no alarm of an object while it is busy with one.
    const alarms = [...this.service.homes.values()].filter(
      ({ storage, current }) => storage.alarm !== null && !current?.rings,
    );
    const soonest = alarms.toSorted((one, other) => one.storage.alarm! - other.storage.alarm!)[0];
    const untilAlarm = soonest && Math.max(0, soonest.storage.alarm! - clock.now());
    const untilTimer = clock.untilNext(withIntervals);
    if (untilTimer === undefined && untilAlarm === undefined) return false;
    if (untilTimer === undefined || (untilAlarm !== undefined && untilAlarm < untilTimer)) {
      clock.advance(untilAlarm!);
      this.service.ring(soonest!);
    } else {
      clock.advance(untilTimer);
      clock.ring();
    }
    return true;
  }

  /** Objects and callers are gone at once, and nobody asks for anything: what is left to do is done all the same. */
  async #breakOff(): Promise<void> {
    this.service.evictAll();
    this.callers.leave();
    await this.#settle();
    this.world.faults.on = true;
  }

  /** Nothing goes wrong any more, and what was committed comes to its end by itself. */
  async #settle(): Promise<void> {
    this.world.faults.on = false;
    if (await this.rest()) await checkBackground(this, false);
  }
}
