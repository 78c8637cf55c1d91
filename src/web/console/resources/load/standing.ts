import { progressOf, wrongCount } from '../../board/rules.ts';
import type { NewsPart } from './news-store.ts';

/** The numbers of pallets by status, over manifests that are not cancelled. */
export function standingOf(parts: readonly Pick<NewsPart, 'status' | 'counts'>[]) {
  const sum = (of: (part: Pick<NewsPart, 'counts'>) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const planned = (of: (part: Pick<NewsPart, 'counts'>) => number) =>
    parts.reduce((total, part) => total + (part.status === 'CANCELLED' ? 0 : of(part)), 0);
  const [loaded, total] = [
    planned(({ counts }) => progressOf(counts).loaded),
    planned(({ counts }) => progressOf(counts).total),
  ];
  const offloaded = planned(({ counts }) => counts.OFFLOADED ?? 0);
  const missing = total - loaded;
  return {
    loaded,
    total,
    missing,
    /** Offloaded pallets have left. Only the other missing pallets were left behind. */
    stayed: missing - offloaded,
    offloaded,
    wrong: sum(({ counts }) => wrongCount(counts)),
    /** The unknown markers among the wrong pallets. */
    unknown: sum(({ counts }) => counts.UNKNOWN_LOADING ?? 0),
  };
}
