import { digest, dump } from './dump.ts';
import type { Asked } from './history.ts';
import { type Played, play } from './play.ts';
import type { Store } from './store.ts';

/** A history in plain values, as another process is told of it. */
export type PlainPlayed = Omit<Played, 'faults' | 'met'> & {
  faults: Record<string, number>;
  met: Record<string, number>;
  /** For each table a name that changes with anything in it. */
  tables: Record<string, string>;
};

/** Play a history on a store that has its tables and nothing else. */
export async function playPlainly(store: Store, asked: Asked): Promise<PlainPlayed> {
  const { faults, met, ...played } = await play(store, asked);
  const tables = Object.entries(await dump(store)).map(([name, rows]) => [name, digest(rows)]);
  return {
    ...played,
    faults: Object.fromEntries(faults),
    met: Object.fromEntries(met),
    tables: Object.fromEntries(tables),
  };
}
