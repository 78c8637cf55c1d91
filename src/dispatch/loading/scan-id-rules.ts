import type { Scan } from './gate-view-rules.ts';
import { DIRECTIONS } from './table.ts';

/** The fields that make a scan a repeat of another one. */
export type ReadingKey = Pick<Scan, 'scanId' | 'markerCode' | 'identifier' | 'direction'>;

/** A scanId has at most 100 characters, so no caller can send a text with this beginning. */
const REUSED = ' '.repeat(101);
const REUSED_FORM = new RegExp(`^${REUSED}(${DIRECTIONS.join('|')}) [1-9]\\d{0,15} .{1,200}$`, 's');

/** The key of a scan. Two scans with the same key are one reading. */
export const readingKey = ({ scanId, markerCode, identifier, direction }: ReadingKey): string =>
  `${direction} ${markerCode ?? JSON.stringify(identifier)} ${scanId}`;

/**
 * The id under which a scan is stored if another scan has its scanId. Devices count from 1 again after a restart. The
 * primary key of scans allows each scanId once.
 */
export const reusedId = (scan: ReadingKey): string => REUSED + readingKey(scan);

/** Whether a text is such an id. */
export const isReusedId = (text: string): boolean => REUSED_FORM.test(text);
