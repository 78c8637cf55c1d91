import type { SQL } from 'drizzle-orm';
import type { AskResult } from '../lib/asks.ts';
import type { Waiting } from './waiting.ts';
import type { WriterState } from './writer-state.ts';

/** The first reads of queued commands, sent in one call. */
export class Reads {
  readonly statements: readonly SQL[];
  readonly #state: WriterState | undefined;
  readonly #asking: readonly { waiting: Waiting; statements: readonly SQL[] }[];

  /** Without a state, only reads that do not depend on it. */
  constructor(waiting: readonly Waiting[], state: WriterState | undefined) {
    this.#state = state;
    this.#asking = waiting
      .map((one) => ({ waiting: one, statements: one.statements(state) }))
      .filter(({ statements }) => statements.length > 0);
    this.statements = this.#asking.flatMap(({ statements }) => statements);
  }

  /**
   * Give each command its rows. `commits` is the number of commits at the time of the read. `charge` is called with the
   * results of each command.
   */
  take(
    results: readonly AskResult[],
    commits: number,
    charge: (waiting: Waiting, own: readonly AskResult[]) => void,
  ): void {
    let start = 0;
    for (const { waiting, statements } of this.#asking) {
      const own = results.slice(start, start + statements.length);
      start += statements.length;
      waiting.take(this.#state, own, commits);
      charge(waiting, own);
    }
  }
}
