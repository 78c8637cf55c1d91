import type { Scan } from './gate-view-rules.ts';

/** The fields that make a scan a repeat of another one. */
export type ReadingKey = Pick<Scan, 'scanId' | 'markerCode' | 'direction'>;

/** A scanId has at most 100 characters, so no caller can send a text with this beginning. */
const REUSED = ' '.repeat(101);

/** The key of a scan. Two scans with the same key are one reading. */
export const readingKey = ({ scanId, markerCode, direction }: ReadingKey): string =>
  `${direction} ${markerCode} ${scanId}`;

/**
 * The id under which a scan is stored if another scan has its scanId. Devices count from 1 again after a restart. The
 * primary key of scans allows each scanId once.
 */
export const reusedId = (scan: ReadingKey): string => REUSED + readingKey(scan);
