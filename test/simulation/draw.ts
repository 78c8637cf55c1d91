import type { InputOf } from '../../src/core/writer/command.ts';
import type { Commands } from '../../src/features.ts';
import type { Random } from '../e2e/crash/random.ts';
import type { Row } from './store.ts';
import type { Stores } from './stores.ts';

/** A command as a caller sends it. */
export type Sent =
  | { [N in keyof Commands]: { name: N; input: InputOf<Commands[N]> } }[keyof Commands]
  | { name: 'claimName'; input: { name: string } };

/** The knowledge of an organization's callers: everything that they could have read. */
export class Seen {
  readonly organization: string;
  readonly #stores: Stores;
  readonly #nextCode: () => number;
  /** A counter for names that are new each time. */
  count = 0;

  constructor(organization: string, stores: Stores, nextCode: () => number) {
    this.organization = organization;
    this.#stores = stores;
    this.#nextCode = nextCode;
  }

  get nextCode(): number {
    return this.#nextCode();
  }

  /** The latest rows that match a condition. */
  latest(table: string, condition = '1'): Promise<Row[]> {
    return this.#stores.read(
      this.organization,
      `SELECT * FROM ${table} WHERE organization_uuid = ? AND ${condition} ORDER BY uuid DESC LIMIT 20`,
      this.organization,
    );
  }

  /** The uuid of any of these rows. */
  async any({ random }: Draw, table: string, condition?: string): Promise<string | undefined> {
    return random.pick(await this.latest(table, condition))?.['uuid'] as string | undefined;
  }
}

/** The random choices for inputs. */
export class Draw {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  chance(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  of<T>(items: readonly T[]): T {
    return this.random.pick(items)!;
  }

  /** Some of the items, in their order. */
  some<T>(items: readonly T[], percent: number): T[] {
    return items.filter(() => this.chance(percent));
  }

  between(least: number, most: number): number {
    return least + this.random.below(most - least + 1);
  }

  wmsId = (): string => `P${this.between(1, 14)}`;
  manifest = (): string => `M${this.between(1, 7)}`;
  shipment = (): string => `S${this.between(1, 3)}`;
  gate = (): string => `G${this.between(1, 3)}`;
  client = (): string => `C${this.between(1, 4)}`;
  fields = () =>
    this.some(['lane', 'weight', 'seal'], 30).map((fieldKey) => ({
      fieldKey,
      fieldValue: this.chance(20) ? '' : String(this.between(1, 9)),
    }));
}

/** No command is drawn if the organization has no row that it could refer to. */
type Drawn = Sent | '' | undefined;

/** Draws a command of one kind. */
export type Drawing = (draw: Draw, seen: Seen) => Drawn | Promise<Drawn>;

/** Kinds of commands with their weights: a weight of 2 is drawn twice as often as 1. */
export type Drawings = readonly (readonly [weight: number, drawing: Drawing])[];
