import type { Database } from '../../core/lib/database.ts';
import { parseViews } from '../../core/lib/view.ts';
import { photosOfLoadQuery, type StoredPhoto } from '../../dispatch/photo/store.ts';
import type { Correction } from './correction-rules.ts';
import { correctionsCountQuery, correctionsQuery, numberCorrections } from './correction-store.ts';
import type { Load } from './published-store.ts';
import {
  countsOf,
  isCancelledMember,
  type LoadMember,
  pagesCount,
  problemSources,
  recordsOf,
  spanOf,
} from './rules.ts';
import {
  damagedQuery,
  type Overview,
  type ProblemRecord,
  problemsQuery,
  readOverview,
  type SummaryRecord,
  summaryRecordsQuery,
} from './store.ts';

/** Pallets on a page of the summary. */
export const PAGE_SIZE = 250;
/**
 * The maximum number of problems that a summary lists. Further problems are counted, and are in the list of
 * pallets.
 */
export const PROBLEMS_MAXIMUM = 100;
/** The maximum number of corrections that a summary lists; the latest ones are kept. */
export const SUMMARY_CORRECTIONS_MAXIMUM = 100;
/** The maximum number of pallets that a summary checks for damage. The check reads every track. */
const DAMAGE_MAXIMUM = 20_000;
/** Pallets in a part of a proof of shipment. The document of a manifest has one part. */
export const PART_SIZE = 5_000;
/** The maximum number of corrections that a proof lists; the latest ones are kept. */
export const PROOF_CORRECTIONS_MAXIMUM = 1_000;
/** The maximum number of photos on a summary or a proof, oldest first. Queries read one more, to know whether others exist. */
export const PHOTOS_SHOWN_MAXIMUM = 100;
/** The maximum number of attempts to read, if corrections come in between. */
const ATTEMPTS_MAXIMUM = 5;

/** The content of a summary page. */
export interface Summary extends Overview {
  page: number;
  pages: number;
  records: SummaryRecord[];
  /** Only on the first page. */
  problems: ProblemRecord[];
  /** Null if there are too many pallets to check. */
  damagedCount: number | null;
  /** Only on the first page; the latest ones. */
  corrections: Correction[];
  /** Only on the first page, the oldest ones. They are not in archives that were made before loads had photos. */
  photos?: StoredPhoto[];
}

/** The number of records of these manifests. */
export const recordsCount = (members: readonly LoadMember[]): number =>
  members.reduce((total, member) => total + recordsOf(member), 0);

/** Read a page of a summary in two round trips; undefined if the page does not exist. */
export async function readSummary(
  database: Database,
  published: Load,
  page: number,
): Promise<Summary | undefined> {
  return consistently(database, published, async (overview) => {
    const { members } = overview;
    const pages = pagesCount(recordsCount(members), PAGE_SIZE);
    if (page > pages) return undefined;
    const looksForDamage = countsOf(members).totalAssetsCount <= DAMAGE_MAXIMUM;
    const assets = members.filter((member) => looksForDamage && !isCancelledMember(member));
    const first = page === 1;
    const { records, damaged, problems, corrections, photos, counts } = await database.ask({
      records: summaryRecordsQuery(database, spanOf(members, page, PAGE_SIZE)),
      damaged: damagedQuery(
        database,
        assets.map(({ manifestUuid }) => manifestUuid),
        PROBLEMS_MAXIMUM,
      ),
      problems: first
        ? problemsQuery(database, problemSources(members, PROBLEMS_MAXIMUM), PROBLEMS_MAXIMUM)
        : undefined,
      corrections: first ? correctionsQuery(database, published, SUMMARY_CORRECTIONS_MAXIMUM) : undefined,
      photos: first ? photosOfLoadQuery(database, published, PHOTOS_SHOWN_MAXIMUM + 1) : undefined,
      counts: correctionsCountQuery(database, published),
    });
    const shown = {
      ...overview,
      page,
      pages,
      records,
      problems: first ? [...problems, ...damaged].slice(0, PROBLEMS_MAXIMUM) : [],
      damagedCount: looksForDamage ? (damaged[0]?.total ?? 0) : null,
      corrections: numberCorrections(corrections, overview.correctionsCount),
      photos: parseViews(photos),
    };
    return { shown, counts: counts[0]! };
  });
}

/** The content of a part of a proof of shipment. */
export interface Proof extends Overview {
  part: number;
  parts: number;
  records: SummaryRecord[];
  /** The latest corrections. */
  corrections: Correction[];
  /** The oldest photos. They are not in archives that were made before loads had photos. */
  photos?: StoredPhoto[];
}

/** Read a part of a proof of shipment in two round trips; undefined if the part does not exist. */
export async function readProof(
  database: Database,
  published: Load,
  part: number,
): Promise<Proof | undefined> {
  return consistently(database, published, async (overview) => {
    const { members } = overview;
    const parts = pagesCount(recordsCount(members), PART_SIZE);
    if (part > parts) return undefined;
    const { records, corrections, photos, counts } = await database.ask({
      records: summaryRecordsQuery(database, spanOf(members, part, PART_SIZE)),
      corrections: correctionsQuery(database, published, PROOF_CORRECTIONS_MAXIMUM),
      photos: photosOfLoadQuery(database, published, PHOTOS_SHOWN_MAXIMUM + 1),
      counts: correctionsCountQuery(database, published),
    });
    const shown = {
      ...overview,
      part,
      parts,
      records,
      corrections: numberCorrections(corrections, overview.correctionsCount),
      photos: parseViews(photos),
    };
    return { shown, counts: counts[0]! };
  });
}

/** The content, and the number of corrections when the parts after the overview were read. */
interface Read<T> {
  shown: T;
  counts: { total: number; present: 0 | 1 };
}

/** Thrown if the load has moved to the archive during the read. */
export class Gone extends Error {}

/**
 * Read an overview and the parts that depend on it, all of the same state. If there was a
 * correction in between, reading starts again. Every change of a completed load that is shown is a
 * correction.
 * @throws `Gone` if the load is no longer in the database
 */
async function consistently<T>(
  database: Database,
  published: Load,
  readRest: (overview: Overview) => Promise<Read<T> | undefined>,
): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const overview = await readOverview(database, published);
    if (!overview) throw new Gone();
    const read = await readRest(overview);
    if (!read) return undefined;
    if (!read.counts.present) throw new Gone();
    if (read.counts.total === overview.correctionsCount || attempt === ATTEMPTS_MAXIMUM) return read.shown;
  }
}
