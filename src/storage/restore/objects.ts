import { chunks } from '../../core/lib/chunks.ts';
import { nightlyPrefix } from '../../core/lib/object-prefix.ts';
import { DAY_MS } from '../../core/lib/time.ts';
import { KEYS_AT_ONCE, keysBelow } from '../transfer/objects.ts';
import type { NightlyExport } from './store.ts';

/** How long a nightly export is kept. */
export const NIGHTLY_KEPT_MS = 7 * DAY_MS;
const DIGITS = 5;
/** The name of the object that is written last. */
const COMPLETE = 'complete';

const keyOf = (organization: string, exportDate: string, name: string): string =>
  `${nightlyPrefix(organization)}${exportDate}/${name}`;

/** The key of a part of an export. The first part has the number 1. */
export const partKey = (organization: string, exportDate: string, part: number): string =>
  keyOf(organization, exportDate, String(part).padStart(DIGITS, '0'));

/** Mark an export as complete. Until then nobody can restore it. */
export async function writeComplete(
  bucket: R2Bucket,
  organization: string,
  nightly: NightlyExport,
): Promise<void> {
  await bucket.put(keyOf(organization, nightly.exportDate, COMPLETE), JSON.stringify(nightly));
}

/** The exports of an organization in the bucket by their dates, the oldest first. */
type StoredExports = Map<string, { isComplete: boolean; keys: string[] }>;

/** List the exports of an organization. */
export async function exportsIn(bucket: R2Bucket, organization: string): Promise<StoredExports> {
  const prefix = nightlyPrefix(organization);
  const found: StoredExports = new Map();
  for await (const key of keysBelow(bucket, prefix, undefined)) {
    const [exportDate = '', name] = key.slice(prefix.length).split('/');
    const one = found.get(exportDate) ?? { isComplete: false, keys: [] };
    one.isComplete ||= name === COMPLETE;
    one.keys.push(key);
    found.set(exportDate, one);
  }
  return found;
}

/** The dates of the complete exports, the latest first. */
export const completeDates = (exports: StoredExports): string[] =>
  [...exports].flatMap(([exportDate, { isComplete }]) => (isComplete ? [exportDate] : [])).reverse();

/** Read what is known of a complete export; undefined if it is gone. */
export async function readComplete(
  bucket: R2Bucket,
  organization: string,
  exportDate: string,
): Promise<NightlyExport | undefined> {
  const found = await bucket.get(keyOf(organization, exportDate, COMPLETE));
  return found ? ((await found.json()) as NightlyExport) : undefined;
}

/** Delete objects, as many in a call as R2 allows. */
export async function deleteKeys(bucket: R2Bucket, keys: readonly string[]): Promise<void> {
  for (const some of chunks(keys, KEYS_AT_ONCE)) await bucket.delete(some);
}
