import type { Database } from '../lib/database.ts';
import { countsOf, isCancelled, type Member, pagesOf, problemSources, recordsOf, spanOf } from './rules.ts';
import {
  type Correction,
  correctionsCountQuery,
  correctionsQuery,
  damagedQuery,
  type Holder,
  numbered,
  type Overview,
  type ProblemRecord,
  problemsQuery,
  readOverview,
  recordsQuery,
  type ShownRecord,
} from './store.ts';

/** Pallets a page of the summary. */
export const PAGE_SIZE = 250;
/** Problems that a summary names one by one; the others are counted, and stand among the pallets. */
export const PROBLEMS_MAXIMUM = 100;
/** Corrections that a summary names one by one, the latest. */
export const SUMMARY_CORRECTIONS_MAXIMUM = 100;
/** Up to so many pallets a summary looks whether each is damaged: that takes a look at every track. */
export const DAMAGE_MAXIMUM = 20_000;
/** Pallets a part of a proof of shipment: a document of a manifest has one part. */
export const PART_SIZE = 5_000;
/** Corrections that a proof names one by one, the latest. */
export const PROOF_CORRECTIONS_MAXIMUM = 1_000;
/** How often reading begins anew because a correction came in between. */
const ATTEMPTS_MAXIMUM = 5;

/** What a summary page shows. */
export interface Summary extends Overview {
  page: number;
  pages: number;
  records: ShownRecord[];
  /** On the first page. */
  problems: ProblemRecord[];
  /** Null where there are too many pallets to look at each. */
  damagedCount: number | null;
  /** On the first page; the latest ones. */
  corrections: Correction[];
}

/** All records of these manifests. */
export const recordsCount = (members: readonly Member[]): number =>
  members.reduce((total, member) => total + recordsOf(member), 0);

/** Read a page of a summary, in two round trips; undefined where there is no such page. */
export async function readSummary(
  database: Database,
  published: Holder,
  page: number,
): Promise<Summary | undefined> {
  return consistently(database, published, async (overview) => {
    const { members } = overview;
    const pages = pagesOf(recordsCount(members), PAGE_SIZE);
    if (page > pages) return undefined;
    const looksForDamage = countsOf(members).totalAssetsCount <= DAMAGE_MAXIMUM;
    const assets = members.filter((member) => looksForDamage && !isCancelled(member));
    const first = page === 1;
    const { records, damaged, problems, corrections, counts } = await database.ask({
      records: recordsQuery(database, spanOf(members, page, PAGE_SIZE)),
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

/** What a part of a proof of shipment is made of. */
export interface Proof extends Overview {
  part: number;
  parts: number;
  records: ShownRecord[];
  /** The latest ones. */
  corrections: Correction[];
}

/** Read a part of a proof of shipment, in two round trips; undefined where there is no such part. */
export async function readProof(
  database: Database,
  published: Holder,
  part: number,
): Promise<Proof | undefined> {
  return consistently(database, published, async (overview) => {
    const { members } = overview;
    const parts = pagesOf(recordsCount(members), PART_SIZE);
    if (part > parts) return undefined;
    const { records, corrections, counts } = await database.ask({
      records: recordsQuery(database, spanOf(members, part, PART_SIZE)),
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

/** What is shown, and how many corrections there were when what depends on the overview was read. */
interface Read<T> {
  shown: T;
  counts: { total: number; present: 0 | 1 };
}

/** What was being read has gone to the archive. */
export class Gone extends Error {}

/**
 * Read an overview and what depends on it, such that both are of one state: where something was corrected in between,
 * reading begins anew. Every change to a record of what is completed is a correction.
 * @throws `Gone` where it is in the database no more
 */
async function consistently<T>(
  database: Database,
  published: Holder,
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
