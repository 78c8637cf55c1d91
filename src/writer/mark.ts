import type { Head } from './commit.ts';

/**
 * How far an organization has come, as its object saw it: kept in the object's own storage, which a restore of D1 does
 * not reach. It is written after D1 has confirmed a commit, so D1 is never behind it but by a restore.
 */
export interface Mark extends Head {
  /** The last marker code that was handed out; null where none was. */
  lastMarkerCode: number | null;
}

/** Where a mark is kept. */
export interface Marks {
  read(): Promise<Mark | undefined>;
  /** Write down how far it has come; resolves once that outlives the process. Nothing but the answer waits for it. */
  write(mark: Mark): Promise<void>;
}

const KEY = 'mark';

/** Marks in the storage of a Durable Object. Commits that follow do not wait for it: `allowUnconfirmed`. */
export function marksIn(storage: DurableObjectStorage): Marks {
  return {
    read: () => storage.get<Mark>(KEY),
    async write(mark) {
      void storage.put(KEY, mark, { allowUnconfirmed: true });
      await storage.sync();
    },
  };
}
