import type { LOAD_STATUSES } from '../../dispatch/load/shared/status-rules.ts';
import type { LoadingStatus, Tally } from '../../dispatch/load/shared/table.ts';

/** A manifest with its records by status. */
export interface LoadMember {
  manifestUuid: string;
  manifestExternalId: string;
  manifestStatus: (typeof LOAD_STATUSES)[number];
  tally: Tally;
}

/** Kinds of problems, in the order in which they are shown. */
const LOAD_PROBLEMS = [
  'WRONGLY_LOADED',
  'UNKNOWN_LOADING',
  'CANCELLED_LOADED',
  'NOT_LOADED',
  'UNLOADED',
  'DAMAGED',
] as const;
export type Problem = (typeof LOAD_PROBLEMS)[number];

/** A range of records of these manifests, in their order: `take` records after the first `skip`. */
export interface Span {
  manifestUuids: string[];
  skip: number;
  take: number;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/** The number of records of a manifest in all statuses. */
export const recordsOf = ({ tally }: LoadMember): number => sum(Object.values(tally));

export const isCancelledMember = ({ manifestStatus }: LoadMember): boolean => manifestStatus === 'CANCELLED';

/**
 * Numbers over manifests, counted as in the API. Assets of cancelled manifests and invalid loadings
 * do not count as assets.
 */
export interface LoadCounts {
  totalAssetsCount: number;
  loadedAssetsCount: number;
  notLoadedAssetsCount: number;
  unloadedAssetsCount: number;
  offloadedAssetsCount: number;
  wronglyLoadedCount: number;
  unknownLoadingCount: number;
  /** Pallets recorded as loaded on a cancelled manifest. */
  cancelledLoadedCount: number;
}

export function countsOf(members: readonly LoadMember[]): LoadCounts {
  const of = (status: LoadingStatus, cancelled?: boolean): number =>
    sum(
      members
        .filter((member) => cancelled === undefined || isCancelledMember(member) === cancelled)
        .map(({ tally }) => tally[status] ?? 0),
    );
  const [loaded, notLoaded] = [of('LOADED', false), of('NOT_LOADED', false)];
  const [unloaded, offloaded] = [of('UNLOADED', false), of('OFFLOADED', false)];
  return {
    totalAssetsCount: loaded + notLoaded + unloaded + offloaded,
    loadedAssetsCount: loaded,
    notLoadedAssetsCount: notLoaded,
    unloadedAssetsCount: unloaded,
    offloadedAssetsCount: offloaded,
    wronglyLoadedCount: of('WRONGLY_LOADED'),
    unknownLoadingCount: of('UNKNOWN_LOADING'),
    cancelledLoadedCount: of('LOADED', true),
  };
}

/** Pallets that did not leave. */
export const stayCount = ({ notLoadedAssetsCount, unloadedAssetsCount }: LoadCounts): number =>
  notLoadedAssetsCount + unloadedAssetsCount;

/** The number of pages for these records; at least one. */
export const pagesCount = (records: number, size: number): number => Math.max(1, Math.ceil(records / size));

/** The range of a page, counted from 1. It has only the manifests with records on the page. */
export function spanOf(members: readonly LoadMember[], page: number, size: number): Span {
  const first = (page - 1) * size;
  const manifestUuids: string[] = [];
  let [passed, skip] = [0, 0];
  for (const member of members) {
    const end = passed + recordsOf(member);
    if (end > passed && end > first && passed < first + size) {
      if (manifestUuids.length === 0) skip = first - passed;
      manifestUuids.push(member.manifestUuid);
    }
    passed = end;
  }
  return { manifestUuids, skip: Math.max(0, skip), take: size };
}

/** The page on which the records of each manifest begin, by uuid. */
export function firstPages(members: readonly LoadMember[], size: number): Map<string, number> {
  let passed = 0;
  return new Map(
    members.map((member) => {
      const page = Math.floor(passed / size) + 1;
      passed += recordsOf(member);
      return [member.manifestUuid, page];
    }),
  );
}

/** Records of one status on one manifest. The first ones are listed as problems. */
export interface ProblemSource {
  problem: Exclude<Problem, 'DAMAGED'>;
  manifestUuid: string;
  loadingStatus: LoadingStatus;
}

/**
 * Where to find the first problems, in their order. The sources together have up to `maximum`
 * records. So the number of reads is bounded, however many pallets were left behind.
 */
export function problemSources(members: readonly LoadMember[], maximum: number): ProblemSource[] {
  const sources: ProblemSource[] = [];
  let found = 0;
  for (const problem of LOAD_PROBLEMS) {
    if (problem === 'DAMAGED') continue;
    const loadingStatus: LoadingStatus = problem === 'CANCELLED_LOADED' ? 'LOADED' : problem;
    for (const member of members) {
      if (found >= maximum) return sources;
      const count = member.tally[loadingStatus] ?? 0;
      if (count === 0 || !isProblemOf(member, problem)) continue;
      sources.push({ problem, manifestUuid: member.manifestUuid, loadingStatus });
      found += count;
    }
  }
  return sources;
}

/**
 * A wrong pallet is on the truck in every status of its manifest. But a cancelled manifest has
 * no missing pallets.
 */
function isProblemOf(member: LoadMember, problem: Problem): boolean {
  if (problem === 'WRONGLY_LOADED' || problem === 'UNKNOWN_LOADING') return true;
  return isCancelledMember(member) === (problem === 'CANCELLED_LOADED');
}
