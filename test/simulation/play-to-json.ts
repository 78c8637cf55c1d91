import { digest, dump } from './dump.ts';
import type { HistoryOptions } from './history.ts';
import { type Played, play } from './play.ts';
import type { Stores } from './stores.ts';

/** The result of a history as JSON values, for another process. */
export type PlayedJson = Omit<Played, 'faults' | 'outcomes'> & {
  faults: Record<string, number>;
  outcomes: Record<string, number>;
  /** For each table, a hash of its rows. */
  tables: Record<string, string>;
};

/** Play a history on empty stores, and return JSON values. */
export async function playToJson(stores: Stores, options: HistoryOptions): Promise<PlayedJson> {
  const { faults, outcomes, ...played } = await play(stores, options);
  const tables: [string, string][] = [];
  for (const store of stores.names) {
    const dumped = Object.entries(await dump(stores.named(store)));
    tables.push(...dumped.map(([name, rows]): [string, string] => [`${store}.${name}`, digest(rows)]));
  }
  return {
    ...played,
    faults: Object.fromEntries(faults),
    outcomes: Object.fromEntries(outcomes),
    tables: Object.fromEntries(tables),
  };
}
