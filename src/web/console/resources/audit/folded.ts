import type { Words } from '../../../../messages/words.ts';
import type { NamedRecord } from './named-store.ts';
import { type Site, sentenceIn } from './words.ts';

/** The maximum number of characters of a value when sentences are compared. */
const NAMED_LENGTH = 200;

/** A record with the records that are folded into it. */
export type FoldedRecord = NamedRecord & { also: NamedRecord[] };

/**
 * Fold records that repeat each other. The scan of a pallet makes a record of the scan and one of the loading. Records
 * with the same sentence in a row are one, too.
 */
export function foldedIn(words: Words, site: Site, records: readonly NamedRecord[]): FoldedRecord[] {
  const folded: FoldedRecord[] = [];
  for (const record of records) {
    const last = folded.at(-1);
    if (last && isScanOf(last, record)) folded[folded.length - 1] = { ...record, also: [...last.also, last] };
    else if (last && (isScanOf(record, last) || isRepeat(words, site, last, record))) last.also.push(record);
    else folded.push({ ...record, also: [] });
  }
  return folded;
}

const isScanOf = (scan: NamedRecord, loading: NamedRecord): boolean =>
  scan.action === 'SCANS_RECORDED' &&
  loading.entityType === 'ASSET_LOADING' &&
  scan.requestId === loading.requestId;

const isRepeat = (words: Words, site: Site, one: NamedRecord, other: NamedRecord): boolean =>
  one.action === other.action &&
  sentenceIn(words, site, one, NAMED_LENGTH) === sentenceIn(words, site, other, NAMED_LENGTH);
