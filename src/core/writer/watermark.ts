import type { Head } from './commit.ts';

/**
 * The state of an organization as its object last saw it committed. It is kept in the object's own storage, which a
 * restore of D1 does not affect, and is written only after D1 has confirmed a commit. So if D1 is behind the mark, D1
 * was restored.
 */
export interface Watermark extends Head {
  /** The last marker code that was handed out; null where there is none. */
  lastMarkerCode: number | null;
  /**
   * The numbers that a declaration of a rewind was about to use. They are written before D1 can show the declaration to
   * anybody, so that if D1 loses it again, the next declaration uses later ones. Only the latest is kept, which has the
   * highest numbers.
   */
  declaring?: Pick<Head, 'sequenceNumber' | 'eventSequenceNumber'>;
}

/** Storage for a mark. */
export interface WatermarkStore {
  read(): Promise<Watermark | undefined>;
  /** Write a mark; resolves once it is durable. Answers to callers wait for that, commits do not. */
  write(watermark: Watermark): Promise<void>;
}

const KEY = 'mark';

/**
 * Marks in the storage of a Durable Object. `allowUnconfirmed` keeps the calls to D1 that follow from waiting for the
 * write.
 */
export function watermarksIn(storage: DurableObjectStorage): WatermarkStore {
  return {
    read: () => storage.get<Watermark>(KEY),
    async write(watermark) {
      void storage.put(KEY, watermark, { allowUnconfirmed: true });
      await storage.sync();
    },
  };
}
