import { install } from './globals.ts';
import { type Asked, History } from './history.ts';
import type { Stores } from './stores.ts';
import { Finding } from './world.ts';

/** What came of a history. */
export interface Played {
  /** Steps until it ended, or something was found. */
  steps: number;
  finding: string | undefined;
  faults: ReadonlyMap<string, number>;
  met: ReadonlyMap<string, number>;
  logged: readonly string[];
  /** What each batch came to, where that was asked for. */
  trace: readonly string[];
}

/** Play a history on stores that have their tables and nothing else. */
export async function play(stores: Stores, asked: Asked): Promise<Played> {
  const history = new History(stores, asked);
  const uninstall = install(history.world, history.receivers.fetch);
  let finding: string | undefined;
  try {
    await history.begin();
    history.world.faults.on = true;
    while (history.steps < asked.steps) await history.step();
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
    met: callers.met,
    logged: world.logged,
    trace: world.trace ?? [],
  };
}
