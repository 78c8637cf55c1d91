import type { SQL } from 'drizzle-orm';
import { type AskResult, type Asks, type RowsOf, rowsOfAsks, statementsOf } from '../lib/asks.ts';
import type { Scope } from '../lib/scope.ts';

/** The memory of a place where a command acts, such as a gate with the pallets that it expects. */
export interface Place<Thing = unknown> {
  /** The things at the place, by name. A thing that a commit may have changed is no longer here. */
  readonly things: Map<string, Thing>;
}

/** How a command runs on the memory of a place, without reads. */
export interface Recall<I, Rows, A extends Asks, P extends Place> {
  /** The name of the place where a run acts. */
  readonly placeOf: (input: I) => string;
  /** Reads of everything that is remembered of the place. They follow the commit of a run there. */
  readonly ask: (scope: Scope, input: I) => A;
  /** The memory of the place, from the rows of `ask`. Undefined if nothing is worth remembering. */
  readonly learn: (input: I, rows: RowsOf<A>) => P | undefined;
  /** The first rows of a run. Undefined if the run needs anything that is not remembered. */
  readonly rows: (place: P, input: I) => Rows | undefined;
}

/** The effect of a change on the things in the writer's memory. */
export interface RecallChange {
  /** The names of the things that it may change, at every place. */
  forgets: readonly string[];
  /** The things after the change, at the place whose memory it was decided on. */
  learns?: { place: string; things: ReadonlyMap<string, unknown> };
}

/** A run of a command. */
interface Run {
  // biome-ignore lint/suspicious/noExplicitAny: the command knows the types of its input, rows and place
  command: { recall?: Recall<any, Record<string, unknown[]>, any, any> };
  request: { input: unknown };
}

/** A committed change. One without writes, events and state changes nothing that a place has. */
interface Committed {
  recalled?: RecallChange;
  writes: readonly unknown[];
  events?: readonly unknown[];
  state?: object;
}

/** How many places an object remembers, and how many things in all. The place that was used least recently is forgotten. */
const PLACES_MAXIMUM = 200;
const THINGS_MAXIMUM = 8_000;

/** A place that is read at the end of a commit. */
export interface Learning {
  statements: readonly SQL[];
  take: (results: readonly AskResult[]) => void;
}

/**
 * The writer's memory of places. It is a cache, like the rest of its memory: the fence of the log fails a commit that was
 * decided on outdated things. A commit of this object changes things by `Change.recalled`. Any other commit forgets
 * everything, so a new command is right without knowing about this.
 */
export class Recalled {
  /** The place that was used last is the last one. Undefined: there is nothing to remember. */
  readonly #places = new Map<string, Place | undefined>();

  /** The first rows of a command, if it needs nothing else. */
  rows({ command: { recall }, request: { input } }: Run): Record<string, unknown[]> | undefined {
    const name = recall?.placeOf(input);
    const place = name === undefined ? undefined : this.#places.get(name);
    if (!place) return undefined;
    this.#places.delete(name!);
    this.#places.set(name!, place);
    return recall!.rows(place, input);
  }

  /** The reads of the first place of these commands that is not known. */
  learning(scope: Scope, runs: readonly Run[]): Learning | undefined {
    for (const {
      command: { recall },
      request: { input },
    } of runs) {
      const name = recall?.placeOf(input);
      if (name === undefined || this.#places.has(name)) continue;
      const asks = recall!.ask(scope, input);
      return {
        statements: statementsOf(asks),
        take: (results) => this.#add(name, recall!.learn(input, rowsOfAsks(asks, results))),
      };
    }
    return undefined;
  }

  /** Apply a change that was committed. */
  apply({ recalled, writes, events, state }: Committed): void {
    if (writes.length === 0 && (events ?? []).length === 0 && !state) return;
    if (!recalled) {
      this.clear();
      return;
    }
    const { forgets, learns } = recalled;
    for (const place of this.#places.values()) for (const name of forgets) place?.things.delete(name);
    const place = learns && this.#places.get(learns.place);
    if (!place) return;
    for (const [name, thing] of learns.things) place.things.set(name, thing);
    this.#bound();
  }

  clear(): void {
    this.#places.clear();
  }

  #add(name: string, place: Place | undefined): void {
    this.#places.set(name, place);
    this.#bound();
  }

  #bound(): void {
    let things = 0;
    for (const place of this.#places.values()) things += place?.things.size ?? 0;
    for (const [name, place] of this.#places) {
      if (this.#places.size <= PLACES_MAXIMUM && things <= THINGS_MAXIMUM) return;
      things -= place?.things.size ?? 0;
      this.#places.delete(name);
    }
  }
}
