import { randomOf } from '../e2e/crash/random.ts';
import { type Guard, patched } from './guards.ts';
import type { Asked } from './history.ts';
import { type PlainPlayed, playPlainly } from './plain.ts';
import { SteadyStore } from './steady-store.ts';
import { Stores } from './stores.ts';
import { ThinStore } from './thin-store.ts';

/** Play one history on the thin D1. */
export function playOne(asked: Asked, guard: Guard | undefined): Promise<PlainPlayed> {
  const thin = (index: number) => {
    const store = new ThinStore(randomOf(asked.seed + index), (file, text) =>
      guard?.file === file ? patched(guard, text) : text,
    );
    return asked.traced ? new SteadyStore(store) : store;
  };
  return playPlainly(new Stores({ DB: thin(0), DB_1: thin(1) }), asked);
}
