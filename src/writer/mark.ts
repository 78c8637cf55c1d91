import type { Head } from './commit.ts';

/**
 * How far an organization has come, as its object saw it: kept in the object's own storage, which a restore of D1 does
 * not reach. How far it has come is written after D1 has confirmed a commit, so D1 is never behind it but by a restore.
 */
export interface Mark extends Head {
  /** The last marker code that was handed out; null where none was. */
  lastMarkerCode: number | null;
  /**
   * The numbers of a rewind that was about to be declared behind this: kept before D1 can show it to anybody, so that the
   * next one has others if D1 loses that one, too. Of several only the last, which has the highest.
   */
  declaring?: Pick<Head, 'sequenceNumber' | 'eventSequenceNumber'>;
}

/** Where a mark is kept. */
export interface Marks {
  read(): Promise<Mark | undefined>;
  /** Keep a mark; resolves once it is durable. Only answers wait for that. */
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
