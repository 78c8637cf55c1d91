import { SECOND_MS } from '../../core/lib/time.ts';
import type { StoredItem } from './table.ts';

/** How long an operation may make no progress before it is sent to the queue again. */
export const RESEND_MS = 5 * SECOND_MS;

/** The maximum number of items in a part. */
export const PART_ITEMS_MAXIMUM = 250;
/** A part is full when its items have so many characters of JSON. */
const PART_LENGTH = 200_000;

/** The stored form of the items of an operation. */
export interface Parts {
  totalCount: number;
  /** Each part has the index of its first item, and its items as JSON. */
  parts: { firstIndex: number; items: string }[];
}

/** Divide the items of an operation into parts. */
export function partsOf(items: readonly StoredItem[]): Parts {
  const parts: { firstIndex: number; items: string[]; length: number }[] = [];
  for (const [index, item] of items.entries()) {
    const json = JSON.stringify(item);
    const last = parts.at(-1);
    if (!last || last.items.length === PART_ITEMS_MAXIMUM || last.length + json.length > PART_LENGTH)
      parts.push({ firstIndex: index, items: [json], length: json.length });
    else {
      last.items.push(json);
      last.length += json.length;
    }
  }
  return {
    totalCount: items.length,
    parts: parts.map(({ firstIndex, items }) => ({ firstIndex, items: `[${items}]` })),
  };
}

/** The final status of an operation once each item has succeeded or failed. */
export function outcomeStatus({
  succeededCount,
  failedCount,
}: {
  succeededCount: number;
  failedCount: number;
}): 'SUCCEEDED' | 'PARTIALLY_SUCCEEDED' | 'FAILED' {
  if (failedCount === 0) return 'SUCCEEDED';
  return succeededCount === 0 ? 'FAILED' : 'PARTIALLY_SUCCEEDED';
}
