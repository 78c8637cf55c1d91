import type { Callers } from './callers.ts';
import { Draw, type Drawings, Seen, type Sent } from './draw.ts';
import { beginning, organizationOf } from './inputs-beginning.ts';
import { DISPATCH } from './inputs-dispatch.ts';
import { EVIDENCE } from './inputs-evidence.ts';
import { FLOOR, loading } from './inputs-floor.ts';
import { ORDERS } from './inputs-orders.ts';
import { PALLETS } from './inputs-pallets.ts';
import type { World } from './world.ts';

const OPERATOR_LOG = '00000000-0000-0000-0000-000000000000';
/** The largest number of requests without an answer. */
const WISHES_MAXIMUM = 16;
/** Number of requests that are sent at once when two instances of an object run. */
const CONTENDING = 6;
/**
 * Moves in a thousand wishes. A move takes some hundred steps. One value is drawn for each history, so that
 * some histories have many moves.
 */
const MOVES_IN_THOUSAND = [30, 30, 30, 400];
/** Percentage of wishes that load a truck. One value is drawn for each history, too. */
const LOADINGS_PERCENT = [10, 10, 70];

const drawings: Drawings = [...PALLETS, ...DISPATCH, ...ORDERS, ...EVIDENCE, ...FLOOR];
const weights = drawings.flatMap(([weight, drawing]) => Array.from({ length: weight }, () => drawing));

/** Draws the requests of callers: new ones and repeats. */
export class Traffic {
  readonly #world: World;
  readonly #callers: Callers;
  readonly #draw: Draw;
  readonly #movesInThousand: number;
  readonly #loadingsPercent: number;
  readonly #seen: Seen[] = [];

  constructor(callers: Callers) {
    this.#world = callers.world;
    this.#callers = callers;
    this.#draw = new Draw(this.#world.random.input);
    this.#movesInThousand = this.#draw.of(MOVES_IN_THOUSAND);
    this.#loadingsPercent = this.#draw.of(LOADINGS_PERCENT);
  }

  get organizations(): string[] {
    return this.#seen.map(({ organization }) => organization);
  }

  /** Create an organization and its first data. */
  async begin(rest: () => Promise<boolean>): Promise<void> {
    const callers = this.#callers;
    const wish = callers.wish(OPERATOR_LOG, 'createOrganization', organizationOf(this.#seen.length), true);
    await rest();
    const { uuid } = JSON.parse((wish.answer as { body: string }).body);
    const log = callers.ledger.log(uuid);
    const seen = new Seen(uuid, this.#world.stores, () => log.place.nextCode);
    this.#seen.push(seen);
    for (const sent of await beginning(this.#draw, seen)) callers.wish(uuid, sent.name, sent.input, true);
    await rest();
  }

  /** Send new requests, or repeat one. */
  async wish(): Promise<void> {
    const callers = this.#callers;
    if (callers.wishes.reduce((sum, { open }) => sum + open, 0) > WISHES_MAXIMUM) return;
    const draw = this.#draw;
    const kind = draw.between(1, 100);
    const again = kind <= 12 ? draw.random.pick(callers.unknown()) : undefined;
    if (again) return callers.ask(again);
    const repeated = kind <= 25 ? draw.random.pick(callers.answered()) : undefined;
    if (repeated) return callers.ask(repeated, draw.chance(20));
    if (draw.between(1, 1_000) <= this.#movesInThousand) return this.#relocate(draw.of(this.#seen));
    const seen = draw.of(this.#seen);
    if (draw.chance(this.#loadingsPercent)) return this.#wishAll(seen, await loading(draw, seen));
    await this.#send(seen, draw.of([1, 1, 2, 4]));
  }

  /** Send so many requests of an organization at once that two instances have work. */
  async contend(organization: string): Promise<void> {
    const seen = this.#seen.find((one) => one.organization === organization);
    if (seen) await this.#send(seen, CONTENDING);
  }

  /** Ask for a move of an organization to any database, perhaps to the one in which it lives. */
  #relocate({ organization }: Seen): void {
    const databaseName = this.#draw.of(this.#world.stores.names);
    const input = { organizationUuid: organization, databaseName, refused: null };
    this.#callers.wish(OPERATOR_LOG, 'acceptMove', input, true);
  }

  /** Send new requests of an organization, all at once. */
  async #send(seen: Seen, count: number): Promise<void> {
    const draw = this.#draw;
    for (let left = count; left > 0; left -= 1) {
      const sent = await draw.of(weights)(draw, seen);
      if (sent) this.#wishAll(seen, [sent]);
    }
  }

  #wishAll(seen: Seen, all: readonly Sent[]): void {
    for (const { name, input } of all) {
      this.#callers.wish(seen.organization, name, input, this.#draw.chance(70));
    }
  }
}
