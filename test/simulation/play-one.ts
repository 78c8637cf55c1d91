import { randomOf } from '../e2e/crash/random.ts';
import { patched } from './guards.ts';
import type { Guard } from './guards-evidence.ts';
import type { HistoryOptions } from './history.ts';
import { type PlayedJson, playToJson } from './play-to-json.ts';
import { SteadyStore } from './steady-store.ts';
import { Stores } from './stores.ts';
import { ThinStore } from './thin-store.ts';

/** Play one history on the thin D1. */
export async function playOne(options: HistoryOptions, guard: Guard | undefined): Promise<PlayedJson> {
  const [first, second] = [0, 1].map(
    (index) =>
      new ThinStore(randomOf(options.seed + index), (file, text) =>
        guard?.file === file ? patched(guard, text) : text,
      ),
  );
  const steady = (store: ThinStore) => (options.traced ? new SteadyStore(store) : store);
  try {
    return await playToJson(new Stores({ DB: steady(first!), DB_1: steady(second!) }), options);
  } finally {
    first!.close();
    second!.close();
  }
}
