import type { Random } from '../e2e/crash/random.ts';
import type { Callers } from './callers.ts';
import type { Traffic } from './traffic.ts';
import type { World } from './world.ts';

const SNAPSHOTS_MAXIMUM = 3;
const MINUTE_MS = 60_000;
/** One in this many steps restores the stores to the state when the held commit was sent. */
const SOON = 20;

/** Disturbs objects, stores and clocks. */
export class Disturbances {
  readonly #world: World;
  readonly #callers: Callers;
  readonly #traffic: Traffic;
  readonly #snapshots: unknown[] = [];
  #claims = 0;

  constructor(callers: Callers, traffic: Traffic) {
    this.#world = callers.world;
    this.#callers = callers;
    this.#traffic = traffic;
  }

  get #order(): Random {
    return this.#world.random.order;
  }

  /** Draw faults of objects, clocks and stores. */
  async disturb(): Promise<void> {
    const { faults, clock } = this.#world;
    const { service } = this.#callers;
    const homes = [...service.homes.values()];
    const home = homes[this.#order.below(homes.length)]!;
    if (faults.draws('object evicted')) service.evict(home);
    if (faults.draws('second object instance')) {
      service.takeOver(home);
      await this.#traffic.contend(home.organization);
    }
    if (faults.draws('clock jumps')) clock.jump((this.#order.below(41) - 20) * MINUTE_MS);
    if (this.#order.below(10) === 0) await this.#snapshot();
    if (this.#snapshots.length > 0 && faults.draws('store restored'))
      await this.#putBack(this.#anySnapshot());
  }

  /** Draw the faults that may follow a step. */
  async follow(): Promise<void> {
    const { faults } = this.#world;
    const { claims } = this.#callers.ledger;
    const isClaimed = claims > this.#claims;
    this.#claims = claims;
    if (isClaimed && this.#snapshots.length > 0 && faults.draws('store restored during a move')) {
      await this.#putBack(this.#anySnapshot());
    }
    await this.#deliverHeld();
  }

  /**
   * Restore the stores to the state when the held commit was sent. Let the commit arrive once the log has
   * declared the rewind. Earlier, the fence could not refuse it: `src/core/writer/README.md` explains what
   * D1 does then, and which risk remains.
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

  #anySnapshot(): unknown {
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
    const { service } = this.#callers;
    service.endReplaced();
    await stores.restore(snapshot);
    const open = await stores.named('DB').read('SELECT uuid FROM long_job WHERE finish_date IS NULL');
    for (const { uuid } of open) interrupted.add(uuid);
    await this.#callers.ledger.putBack((organization) => service.home(organization).storage.knownCode);
    await this.#callers.forget();
  }
}
