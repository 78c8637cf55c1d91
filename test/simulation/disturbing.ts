import type { Random } from '../e2e/crash/random.ts';
import type { Callers } from './callers.ts';
import type { Wishing } from './wishing.ts';
import type { World } from './world.ts';

const SNAPSHOTS_MAXIMUM = 3;
const MINUTE_MS = 60_000;
/** One in so many steps has the stores put back to where a commit was sent to that is still on its way. */
const SOON = 20;

/** What befalls objects, stores and clocks. */
export class Disturbing {
  readonly #world: World;
  readonly #callers: Callers;
  readonly #wishing: Wishing;
  readonly #snapshots: unknown[] = [];
  #claims = 0;

  constructor(callers: Callers, wishing: Wishing) {
    this.#world = callers.world;
    this.#callers = callers;
    this.#wishing = wishing;
  }

  get #order(): Random {
    return this.#world.random.order;
  }

  /** Look for something to disturb. */
  async disturb(): Promise<void> {
    const { faults, clock } = this.#world;
    const { service } = this.#callers;
    const homes = [...service.homes.values()];
    const home = homes[this.#order.below(homes.length)]!;
    if (faults.draws('object evicted')) service.evict(home);
    if (faults.draws('second object living')) {
      service.takeOver(home);
      await this.#wishing.contend(home.organization);
    }
    if (faults.draws('clock jumps')) clock.jump((this.#order.below(41) - 20) * MINUTE_MS);
    if (this.#order.below(10) === 0) await this.#snapshot();
    if (this.#snapshots.length > 0 && faults.draws('store put back')) await this.#putBack(this.#kept());
  }

  /** What follows from a step. */
  async follow(): Promise<void> {
    const { faults } = this.#world;
    const { claims } = this.#callers.ledger;
    const isClaimed = claims > this.#claims;
    this.#claims = claims;
    if (isClaimed && this.#snapshots.length > 0 && faults.draws('store put back under a mover')) {
      await this.#putBack(this.#kept());
    }
    await this.#deliverHeld();
  }

  /**
   * Put the stores back to where a commit was sent that is on its way, and have it arrive once its log says so. Before that
   * it would be in time: what D1 does of that, and what is left, says `src/core/writer/README.md`.
   */
  async #deliverHeld(): Promise<void> {
    const { held, faults } = this.#world;
    if (!held) return;
    if (!faults.on) {
      this.#world.held = undefined;
    } else if (!held.isPutBack) {
      if (this.#order.below(SOON) > 0) return;
      held.isPutBack = true;
      await this.#putBack(held.snapshot);
    } else if (!this.#callers.ledger.log(held.organization).isPutBack) {
      this.#world.held = undefined;
      await held.arrive();
    }
  }

  #kept(): unknown {
    return this.#snapshots[this.#order.below(this.#snapshots.length)];
  }

  async #snapshot(): Promise<void> {
    this.#snapshots.push(await this.#world.stores.snapshot());
    if (this.#snapshots.length > SNAPSHOTS_MAXIMUM)
      this.#snapshots.splice(this.#order.below(this.#snapshots.length), 1);
  }

  async #putBack(snapshot: unknown): Promise<void> {
    const { stores, interrupted } = this.#world;
    this.#world.rewinds += 1;
    this.#callers.service.endReplaced();
    await stores.restore(snapshot);
    const open = await stores.named('DB').read('SELECT uuid FROM relocation WHERE finish_date IS NULL');
    for (const { uuid } of open) interrupted.add(uuid);
    await this.#callers.ledger.putBack();
    await this.#callers.forget();
  }
}
