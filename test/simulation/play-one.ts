import { randomOf } from '../e2e/crash/random.ts';
import { digest, dump } from './dump.ts';
import { type Guard, patched } from './guards.ts';
import { type Asked, type Played, play } from './history.ts';
import { ThinStore } from './thin-store.ts';

/** A history as another process is told of it. */
export type Told = Omit<Played, 'faults' | 'met'> & {
  faults: Record<string, number>;
  met: Record<string, number>;
  /** Changes with anything that the store holds in the end. */
  digest: string;
};

/** Play one history on the thin D1. */
export async function playOne(asked: Asked, guard: Guard | undefined): Promise<Told> {
  const store = new ThinStore(randomOf(asked.seed), (file, text) =>
    guard?.file === file ? patched(guard, text) : text,
  );
  const { faults, met, ...played } = await play(store, asked);
  return {
    ...played,
    faults: Object.fromEntries(faults),
    met: Object.fromEntries(met),
    digest: digest(await dump(store)),
  };
}
