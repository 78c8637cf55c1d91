import { randomOf } from '../e2e/crash/random.ts';
import { type Guard, patched } from './guards.ts';
import type { Asked } from './history.ts';
import { type PlainPlayed, playPlainly } from './plain.ts';
import { SteadyStore } from './steady-store.ts';
import { Stores } from './stores.ts';
import { ThinStore } from './thin-store.ts';

/** Play one history on the thin D1. */
export async function playOne(asked: Asked, guard: Guard | undefined): Promise<PlainPlayed> {
  const [first, second] = [0, 1].map(
    (index) =>
      new ThinStore(randomOf(asked.seed + index), (file, text) =>
        guard?.file === file ? patched(guard, text) : text,
      ),
  );
  const steady = (store: ThinStore) => (asked.traced ? new SteadyStore(store) : store);
  try {
    return await playPlainly(new Stores({ DB: steady(first!), DB_1: steady(second!) }), asked);
  } finally {
    first!.close();
    second!.close();
  }
}
