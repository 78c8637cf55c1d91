import { reaching } from '../lib/store.ts';
import type { Head } from './commit.ts';

/**
 * The state of an organization at the last commit that its object knows. It is in the object's own storage, which a
 * restore of D1 does not affect. It is written only after D1 has confirmed a commit. So if D1 is behind the watermark,
 * D1 was restored.
 */
export interface Watermark extends Head {
  /** The last allocated marker code, or null. */
  lastMarkerCode: number | null;
  /**
   * The numbers that the declaration of a rewind was about to use. They are written before anyone can see the
   * declaration in D1. If D1 loses the declaration, the next declaration uses later numbers. Only the latest entry is
   * stored, as it has the highest numbers.
   */
  declaring?: Pick<Head, 'sequenceNumber' | 'eventSequenceNumber'>;
}

export interface WatermarkStore {
  read(): Promise<Watermark | undefined>;
  /** Write a watermark. Resolves when it is durable. Answers to callers wait for that, commits do not. */
  write(watermark: Watermark): Promise<void>;
}

const KEY = 'mark';

/**
 * Watermarks in the storage of a Durable Object. With `allowUnconfirmed` the following calls to D1 do not wait for the
 * write.
 */
export function watermarksIn(storage: DurableObjectStorage): WatermarkStore {
  return {
    read: () => reaching(() => storage.get<Watermark>(KEY)),
    write: (watermark) =>
      reaching(() => {
        void storage.put(KEY, watermark, { allowUnconfirmed: true });
        return storage.sync();
      }),
  };
}
