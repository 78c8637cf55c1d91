import type { StoredPhoto } from '../../dispatch/photo/store.ts';
import { type ArchivedDocument, readObject } from '../../storage/archive/objects.ts';
import type { ArchiveLocation } from '../../storage/archive/store.ts';
import type { Correction } from './correction-rules.ts';
import {
  PAGE_SIZE,
  PART_SIZE,
  type Proof,
  recordsCount,
  SUMMARY_CORRECTIONS_MAXIMUM,
  type Summary,
} from './read-load.ts';
import { pagesCount } from './rules.ts';
import type { Overview, SummaryRecord } from './store.ts';

/** The data of public pages for an archived load, without its loading records. */
export interface ArchivedPage {
  organizationName: string;
  overview: Overview;
  /** Only for the first page of its summary. */
  problems: Summary['problems'];
  damagedCount: Summary['damagedCount'];
  /** The latest corrections, as many as a proof lists. */
  corrections: Correction[];
  photos?: StoredPhoto[];
}

/** Reads up to `take` loading records after the first `skip`. */
export type RecordsAt = (skip: number, take: number) => Promise<SummaryRecord[]>;

/** Read the data of public pages for an archived load. */
export async function readArchivedPage(bucket: R2Bucket, location: ArchiveLocation): Promise<ArchivedPage> {
  const { page } = await readObject<ArchivedDocument<unknown, ArchivedPage>>(bucket, location);
  if (!page) throw new Error('what has a public token has no page');
  return page;
}

/** The records of a page with `size` records; undefined if the page does not exist. */
async function recordsOfPage(
  { overview: { members } }: ArchivedPage,
  page: number,
  size: number,
  recordsAt: RecordsAt,
): Promise<{ pages: number; records: SummaryRecord[] } | undefined> {
  const total = recordsCount(members);
  const pages = pagesCount(total, size);
  if (page > pages) return undefined;
  const skip = (page - 1) * size;
  return { pages, records: await recordsAt(skip, Math.min(size, total - skip)) };
}

/** A page of the summary of an archived load; undefined if the page does not exist. */
export async function archivedSummary(
  shown: ArchivedPage,
  page: number,
  recordsAt: RecordsAt,
): Promise<Summary | undefined> {
  const read = await recordsOfPage(shown, page, PAGE_SIZE, recordsAt);
  const first = page === 1;
  return (
    read && {
      ...shown.overview,
      ...read,
      page,
      problems: first ? shown.problems : [],
      damagedCount: shown.damagedCount,
      corrections: first ? shown.corrections.slice(-SUMMARY_CORRECTIONS_MAXIMUM) : [],
      photos: first ? (shown.photos ?? []) : [],
    }
  );
}

/** A part of the proof of an archived load; undefined if the part does not exist. */
export async function archivedProof(
  shown: ArchivedPage,
  part: number,
  recordsAt: RecordsAt,
): Promise<Proof | undefined> {
  const read = await recordsOfPage(shown, part, PART_SIZE, recordsAt);
  return (
    read && {
      ...shown.overview,
      part,
      parts: read.pages,
      records: read.records,
      corrections: shown.corrections,
      photos: shown.photos ?? [],
    }
  );
}
