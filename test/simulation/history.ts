import type { Random } from '../e2e/crash/random.ts';
import { Callers } from './callers.ts';
import { Disturbances } from './disturbances.ts';
import { checkBackground, checkEverything } from './final.ts';
import { Ledger } from './ledger.ts';
import { Receivers } from './receiver.ts';
import { Service } from './service.ts';
import type { Stores } from './stores.ts';
import { Traffic } from './traffic.ts';
import { Finding, World } from './world.ts';

const ORGANIZATIONS = 2;
/** The largest number of pending steps. */
const PENDING_MAXIMUM = 80;
/** Steps without a commit or a delivery after which none is expected. */
const QUIET_MAXIMUM = 3_000;
const ROUNDS_MAXIMUM = 5;
const MINUTE_MS = 60_000;
/** What to play. */
export interface HistoryOptions {
  seed: number;
  steps: number;
  /** Faults to leave out. */
  without?: ReadonlySet<string>;
  /** Whether to record the result of each batch, to compare two histories. */
  traced?: boolean;
}

/** A history: the service, its callers and its faults, step by step. */
export class History {
  readonly world: World;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly callers: Callers;
  readonly receivers: Receivers;
  readonly #traffic: Traffic;
  readonly #disturbances: Disturbances;
  steps = 0;

  constructor(stores: Stores, { seed, without = new Set(), traced = false }: HistoryOptions) {
    this.world = new World(stores, seed, without);
    if (traced) this.world.trace = [];
    this.service = new Service(this.world);
    this.ledger = new Ledger(this.world, (organization) => this.service.checkAlarm(organization));
    this.callers = new Callers(this.service, this.ledger);
    this.receivers = new Receivers(this.world);
    this.#traffic = new Traffic(this.callers);
    this.#disturbances = new Disturbances(this.callers, this.#traffic);
  }

  get #order(): Random {
    return this.world.random.order;
  }

  /** Create the organizations and their first data. */
  async begin(): Promise<void> {
    for (let index = 0; index < ORGANIZATIONS; index += 1) await this.#traffic.begin(() => this.rest());
  }

  /** Do one step. If it brought a commit, all objects and callers may end right after it. */
  async step(): Promise<void> {
    this.steps += 1;
    const before = this.ledger.batches;
    await this.#move();
    await this.#disturbances.follow();
    if (this.ledger.batches > before && this.world.faults.draws('everything ends')) await this.#breakOff();
  }

  /** Let a pending step happen, or start something new. */
  async #move(): Promise<void> {
    const { world } = this;
    world.clock.advance(this.#order.below(4));
    const chance = this.#order.below(1_000);
    if (world.pending.length > PENDING_MAXIMUM) return world.happen();
    if (chance < 170) await this.#traffic.wish();
    else if (chance < 250) this.#deliver();
    else if (chance < 290) await this.#passTime(true);
    else if (chance < 330) await this.#disturbances.disturb();
    else if (world.pending.length > 0) return world.happen();
    else await this.#passTime(true);
    await world.calm();
  }

  /**
   * Run until nothing is pending. @returns whether that was reached. It may not be: if a consumer died
   * while its webhook was paused, the jobs look at its deliveries again and again.
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

  /**
   * End the history without faults: accepted operations finish, events are delivered and all callers get
   * answers.
   */
  async end(): Promise<void> {
    const { world, callers, ledger } = this;
    await this.#settle();
    // The schedule finds due work for which no object was woken, some seconds after the due date. It also
    // finds what it recorded itself.
    let rested = true;
    for (let minute = 0; minute < 2; minute += 1) {
      world.clock.advance(MINUTE_MS);
      void this.service.schedule();
      rested = await this.rest();
    }
    if (rested) await checkBackground(this, true);
    for (const organization of this.#traffic.organizations) {
      // The object notices a restore only at the next request.
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
    if (!(await this.rest())) throw new Finding('the work never ends');
    for (let round = 0; callers.unknown().length > 0; round += 1) {
      if (round === ROUNDS_MAXIMUM) throw new Finding(`${callers.unknown()[0]!.id} is never answered`);
      for (const wish of callers.unknown()) callers.ask(wish);
      if (!(await this.rest())) throw new Finding('the work never ends');
    }
    await checkEverything(this);
    const twice = [...ledger.logs].reduce((sum, { declaredTwice }) => sum + declaredTwice, 0);
    if (twice > 0) callers.outcomes.set('known: rewind declared twice', twice);
    if (ledger.issuedTwice > 0) callers.outcomes.set('known: code issued twice', ledger.issuedTwice);
    await this.#countMoves();
  }

  /** Add the outcomes of moves to the counts of answers. */
  async #countMoves(): Promise<void> {
    const moves = await this.world.stores.named('DB').read(
      `SELECT coalesce(error_code, 'done') AS outcome, count(*) AS count FROM long_job
        WHERE operation_type = 'ORGANIZATION_MOVE' AND input ->> 'fromName' <> input ->> 'toName' GROUP BY 1`,
    );
    for (const { outcome, count } of moves) this.callers.outcomes.set(`move ${outcome}`, count as number);
  }

  #deliver(): boolean {
    const full = Object.values(this.service.queues).filter(({ waiting }) => waiting.length > 0);
    if (full.length === 0) return false;
    full[this.#order.below(full.length)]!.deliver();
    return true;
  }

  /** Let time pass until the next timer or alarm. @returns false if neither is set. */
  async #passTime(withIntervals: boolean): Promise<boolean> {
    const { clock } = this.world;
    // The platform starts no alarm of an object while another one runs.
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

  /** End all objects and callers at once, and send no request. Committed work must still be completed. */
  async #breakOff(): Promise<void> {
    this.service.evictAll();
    this.callers.leave();
    await this.#settle();
    this.world.faults.on = true;
  }

  /** Without further faults or requests, committed work must be completed. */
  async #settle(): Promise<void> {
    this.world.faults.on = false;
    if (await this.rest()) await checkBackground(this, false);
  }
}
