import { randomOf } from '../e2e/crash/random.ts';
import { type Guard, patched } from './guards.ts';
import type { Asked } from './history.ts';
import { type PlainPlayed, playPlainly } from './plain.ts';
import { SteadyStore } from './steady-store.ts';
import { ThinStore } from './thin-store.ts';

/** Play one history on the thin D1. */
export function playOne(asked: Asked, guard: Guard | undefined): Promise<PlainPlayed> {
  const store = new ThinStore(randomOf(asked.seed), (file, text) =>
    guard?.file === file ? patched(guard, text) : text,
  );
  return playPlainly(asked.traced ? new SteadyStore(store) : store, asked);
}
