import { progressOf, wrongCount } from '../../board/rules.ts';
import type { NewsPart } from './news-store.ts';

/** Pallets that have to be loaded before a pace says anything. */
const PACE_LEAST = 2;

/** What stands where, over manifests that are not cancelled; with when the rest is loaded, at the pace since a start. */
export function standingOf(parts: readonly NewsPart[], since: number | null = null, now = 0) {
  const sum = (of: (part: NewsPart) => number) => parts.reduce((total, part) => total + of(part), 0);
  const planned = (of: (part: NewsPart) => number) =>
    sum((part) => (part.status === 'CANCELLED' ? 0 : of(part)));
  const [loaded, total] = [
    planned(({ counts }) => progressOf(counts).loaded),
    planned(({ counts }) => progressOf(counts).total),
  ];
  const offloaded = planned(({ counts }) => counts.OFFLOADED ?? 0);
  const missing = total - loaded;
  const paced = since !== null && now > since && loaded >= PACE_LEAST && missing > 0;
  return {
    loaded,
    total,
    missing,
    /** What was offloaded left before: only the rest of what is missing stayed. */
    stayed: missing - offloaded,
    offloaded,
    wrong: sum(({ counts }) => wrongCount(counts)),
    readyAt: paced ? now + ((now - since) / loaded) * missing : undefined,
  };
}
