import type { Random } from '../e2e/crash/random.ts';
import type { Callers } from './callers.ts';
import type { Wishing } from './wishing.ts';
import type { World } from './world.ts';

const SNAPSHOTS_MAXIMUM = 3;
const MINUTE_MS = 60_000;

/** What befalls objects, stores and clocks. */
export class Disturbing {
  readonly #world: World;
  readonly #callers: Callers;
  readonly #wishing: Wishing;
  readonly #snapshots: unknown[] = [];

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
    if (this.#snapshots.length > 0 && faults.draws('store put back')) await this.#putBack();
  }

  async #snapshot(): Promise<void> {
    this.#snapshots.push(await this.#world.stores.snapshot());
    if (this.#snapshots.length > SNAPSHOTS_MAXIMUM)
      this.#snapshots.splice(this.#order.below(this.#snapshots.length), 1);
  }

  async #putBack(): Promise<void> {
    const { stores, interrupted } = this.#world;
    this.#world.rewinds += 1;
    await stores.restore(this.#snapshots[this.#order.below(this.#snapshots.length)]);
    const open = await stores.named('DB').read('SELECT uuid FROM relocation WHERE finish_date IS NULL');
    for (const { uuid } of open) interrupted.add(uuid);
    await this.#callers.ledger.putBack();
    await this.#callers.forget();
  }
}
