import type { SQL } from 'drizzle-orm';
import type { Database } from '../lib/database.ts';
import { countsOf, isCancelled, type Member, pagesOf, problemSources, recordsOf, spanOf } from './rules.ts';
import {
  type Correction,
  correctionsCountQuery,
  correctionsQuery,
  damagedQuery,
  numbered,
  type Overview,
  type ProblemRecord,
  type Published,
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
const SUMMARY_CORRECTIONS_MAXIMUM = 100;
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

const recordsCount = (members: readonly Member[]): number =>
  members.reduce((total, member) => total + recordsOf(member), 0);

/** Read a page of a summary, in two round trips; undefined where there is no such page. */
export async function readSummary(
  database: Database,
  published: Published,
  page: number,
): Promise<Summary | undefined> {
  return consistently(database, published, (overview) => {
    const { members } = overview;
    const pages = pagesOf(recordsCount(members), PAGE_SIZE);
    if (page > pages) return undefined;
    const looksForDamage = countsOf(members).totalAssetsCount <= DAMAGE_MAXIMUM;
    const assets = members.filter((member) => looksForDamage && !isCancelled(member));
    const first = page === 1;
    return {
      statements: [
        recordsQuery(database, spanOf(members, page, PAGE_SIZE)),
        damagedQuery(
          database,
          assets.map(({ manifestUuid }) => manifestUuid),
          PROBLEMS_MAXIMUM,
        ),
        ...(first
          ? [
              problemsQuery(database, problemSources(members, PROBLEMS_MAXIMUM), PROBLEMS_MAXIMUM),
              correctionsQuery(database, published, SUMMARY_CORRECTIONS_MAXIMUM),
            ]
          : []),
      ],
      result: ([records, damaged, problems = [], corrections = []]) => ({
        ...overview,
        page,
        pages,
        records: records as ShownRecord[],
        problems: first ? ([...problems, ...damaged!].slice(0, PROBLEMS_MAXIMUM) as ProblemRecord[]) : [],
        damagedCount: looksForDamage ? ((damaged![0] as { total: number } | undefined)?.total ?? 0) : null,
        corrections: numbered(corrections as Correction[], overview.correctionsCount),
      }),
    };
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
  published: Published,
  part: number,
): Promise<Proof | undefined> {
  return consistently(database, published, (overview) => {
    const { members } = overview;
    const parts = pagesOf(recordsCount(members), PART_SIZE);
    if (part > parts) return undefined;
    return {
      statements: [
        recordsQuery(database, spanOf(members, part, PART_SIZE)),
        correctionsQuery(database, published, PROOF_CORRECTIONS_MAXIMUM),
      ],
      result: ([records, corrections]) => ({
        ...overview,
        part,
        parts,
        records: records as ShownRecord[],
        corrections: numbered(corrections as Correction[], overview.correctionsCount),
      }),
    };
  });
}

/** Statements that depend on an overview, and what is made of their rows. */
interface Plan<T> {
  statements: SQL[];
  result(rows: unknown[][]): T;
}

/**
 * Read an overview and what depends on it, such that both are of one state: where something was corrected in between,
 * reading begins anew. Every change to a record of what is completed is a correction.
 */
async function consistently<T>(
  database: Database,
  published: Published,
  plan: (overview: Overview) => Plan<T> | undefined,
): Promise<T | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const overview = await readOverview(database, published);
    const planned = plan(overview);
    if (!planned) return undefined;
    const rows = await database.batch<unknown[][]>([
      ...planned.statements,
      correctionsCountQuery(database, published),
    ]);
    const [{ total }] = rows.pop() as [{ total: number }];
    if (total === overview.correctionsCount || attempt === ATTEMPTS_MAXIMUM) return planned.result(rows);
  }
}
