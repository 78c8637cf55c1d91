import type { Database } from '../../core/lib/database.ts';
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
  type Correction,
  correctionsCountQuery,
  correctionsQuery,
  damagedQuery,
  type Load,
  numbered,
  type Overview,
  type ProblemRecord,
  problemsQuery,
  readOverview,
  type SummaryRecord,
  summaryRecordsQuery,
} from './store.ts';

/** How many pallets a page of the summary has. */
export const PAGE_SIZE = 250;
/** How many problems a summary names; others are counted, and are among the pallets. */
export const PROBLEMS_MAXIMUM = 100;
/** How many corrections a summary names, the latest ones. */
export const SUMMARY_CORRECTIONS_MAXIMUM = 100;
/** Up to how many pallets a summary checks each for damage, which reads every track. */
export const DAMAGE_MAXIMUM = 20_000;
/** How many pallets a part of a proof of shipment has; the document of a manifest has one part. */
export const PART_SIZE = 5_000;
/** How many corrections a proof names, the latest ones. */
export const PROOF_CORRECTIONS_MAXIMUM = 1_000;
/** How often reading starts again because of a correction in between. */
const ATTEMPTS_MAXIMUM = 5;

/** What a summary page shows. */
export interface Summary extends Overview {
  page: number;
  pages: number;
  records: SummaryRecord[];
  /** Only on the first page. */
  problems: ProblemRecord[];
  /** Null if there are too many pallets to check each. */
  damagedCount: number | null;
  /** Only on the first page; the latest ones. */
  corrections: Correction[];
}

/** All records of these manifests. */
export const recordsCount = (members: readonly LoadMember[]): number =>
  members.reduce((total, member) => total + recordsOf(member), 0);

/** Read a page of a summary, in two round trips; undefined if there is no such page. */
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
    const { records, damaged, problems, corrections, counts } = await database.ask({
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
      counts: correctionsCountQuery(database, published),
    });
    const shown = {
      ...overview,
      page,
      pages,
      records,
      problems: first ? [...problems, ...damaged].slice(0, PROBLEMS_MAXIMUM) : [],
      damagedCount: looksForDamage ? (damaged[0]?.total ?? 0) : null,
      corrections: numbered(corrections, overview.correctionsCount),
    };
    return { shown, counts: counts[0]! };
  });
}

/** The content of a part of a proof of shipment. */
export interface Proof extends Overview {
  part: number;
  parts: number;
  records: SummaryRecord[];
  /** The latest ones. */
  corrections: Correction[];
}

/** Read a part of a proof of shipment, in two round trips; undefined if there is no such part. */
export async function readProof(
  database: Database,
  published: Load,
  part: number,
): Promise<Proof | undefined> {
  return consistently(database, published, async (overview) => {
    const { members } = overview;
    const parts = pagesCount(recordsCount(members), PART_SIZE);
    if (part > parts) return undefined;
    const { records, corrections, counts } = await database.ask({
      records: summaryRecordsQuery(database, spanOf(members, part, PART_SIZE)),
      corrections: correctionsQuery(database, published, PROOF_CORRECTIONS_MAXIMUM),
      counts: correctionsCountQuery(database, published),
    });
    const shown = {
      ...overview,
      part,
      parts,
      records,
      corrections: numbered(corrections, overview.correctionsCount),
    };
    return { shown, counts: counts[0]! };
  });
}

/** What is shown, and the number of corrections when the parts that depend on the overview were read. */
interface Read<T> {
  shown: T;
  counts: { total: number; present: 0 | 1 };
}

/** Thrown if what was being read has moved to the archive. */
export class Gone extends Error {}

/**
 * Read an overview and the parts that depend on it, both of the same state: reading starts again if something was
 * corrected in between. Every change to a record of something completed is a correction.
 * @throws `Gone` if it is no longer in the database
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
