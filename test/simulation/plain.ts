import { digest, dump } from './dump.ts';
import type { Asked } from './history.ts';
import { type Played, play } from './play.ts';
import type { Stores } from './stores.ts';

/** A history in plain values, as another process is told of it. */
export type PlainPlayed = Omit<Played, 'faults' | 'met'> & {
  faults: Record<string, number>;
  met: Record<string, number>;
  /** For each table a name that changes with anything in it. */
  tables: Record<string, string>;
};

/** Play a history on stores that have their tables and nothing else. */
export async function playPlainly(stores: Stores, asked: Asked): Promise<PlainPlayed> {
  const { faults, met, ...played } = await play(stores, asked);
  const tables: [string, string][] = [];
  for (const store of stores.names) {
    const dumped = Object.entries(await dump(stores.named(store)));
    tables.push(...dumped.map(([name, rows]): [string, string] => [`${store}.${name}`, digest(rows)]));
  }
  return {
    ...played,
    faults: Object.fromEntries(faults),
    met: Object.fromEntries(met),
    tables: Object.fromEntries(tables),
  };
}
