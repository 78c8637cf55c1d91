import { randomOf } from '../e2e/crash/random.ts';
import { type Guard, patched } from './guards.ts';
import type { Asked } from './history.ts';
import { SteadyStore } from './steady-store.ts';
import { type Told, tell } from './tell.ts';
import { ThinStore } from './thin-store.ts';

/** Play one history on the thin D1. */
export function playOne(asked: Asked, guard: Guard | undefined): Promise<Told> {
  const store = new ThinStore(randomOf(asked.seed), (file, text) =>
    guard?.file === file ? patched(guard, text) : text,
  );
  return tell(asked.traced ? new SteadyStore(store) : store, asked);
}
