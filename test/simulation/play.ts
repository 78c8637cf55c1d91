import { install } from './globals.ts';
import { History, type HistoryOptions } from './history.ts';
import type { Stores } from './stores.ts';
import { Finding } from './world.ts';

/** The result of a history. */
export interface Played {
  /** Steps until the history ended, or a check failed. */
  steps: number;
  finding: string | undefined;
  faults: ReadonlyMap<string, number>;
  outcomes: ReadonlyMap<string, number>;
  logged: readonly string[];
  /** The result of each batch, if that was requested. */
  trace: readonly string[];
}

/** Play a history on empty stores: they have tables, but no rows. */
export async function play(stores: Stores, options: HistoryOptions): Promise<Played> {
  const history = new History(stores, options);
  const uninstall = install(history.world, history.receivers.fetch);
  let finding: string | undefined;
  try {
    await history.begin();
    history.world.faults.on = true;
    while (history.steps < options.steps) await history.step();
    await history.end();
  } catch (error) {
    finding = error instanceof Finding ? error.message : `${(error as Error).stack ?? error}`;
  } finally {
    uninstall();
  }
  const { world, callers, steps } = history;
  return {
    steps,
    finding,
    faults: world.faults.counts,
    outcomes: callers.outcomes,
    logged: world.logged,
    trace: world.trace ?? [],
  };
}
