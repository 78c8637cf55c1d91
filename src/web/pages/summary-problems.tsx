import type { Sign } from '../../core/lib/signs.ts';
import { useWords } from '../../messages/context.ts';
import { PublicIcon } from './public-page.tsx';
import { PROBLEMS_MAXIMUM, type Summary } from './read-load.ts';
import { shortReasonKey } from './reason-rules.ts';
import { countsOf, type LoadCounts, type Problem, stayedOf } from './rules.ts';
import type { ProblemRecord } from './store.ts';
import { Pallet } from './summary-parts.tsx';

/** Pallets of a group that are shown at once. The others are behind a button, so that the facts stay in sight. */
const SHOWN = 5;

/** The groups of problems in their order. */
const GROUPS = [
  { of: ['WRONGLY_LOADED', 'UNKNOWN_LOADING', 'CANCELLED_LOADED'], title: 'page.wrongAboard', sign: 'stop' },
  { of: ['NOT_LOADED', 'UNLOADED'], title: 'page.notAboard', sign: 'short' },
  { of: ['DAMAGED'], title: 'page.damaged', sign: 'flag' },
] as const satisfies { of: readonly Problem[]; title: string; sign: Sign }[];

type Group = (typeof GROUPS)[number];

/** The number of pallets of a group, which may be more than the page lists. */
const TOTALS: Record<Group['title'], (counts: LoadCounts, damaged: number) => number> = {
  'page.wrongAboard': (counts) =>
    counts.wronglyLoadedCount + counts.unknownLoadingCount + counts.cancelledLoadedCount,
  'page.notAboard': stayedOf,
  'page.damaged': (_, damaged) => damaged,
};

/** The pallets with problems, one line each. Renders nothing without problems. */
export const SummaryProblems = ({ summary }: { summary: Summary }) => {
  const { problems, members, damagedCount, subject } = summary;
  const counts = countsOf(members);
  return (
    <>
      {GROUPS.map((group) => (
        <Problems
          group={group}
          records={problems.filter(({ problem }) => group.of.some((each) => each === problem))}
          total={TOTALS[group.title](counts, damagedCount ?? 0)}
          reason={subject.shortReason}
        />
      ))}
    </>
  );
};

const Problems = ({
  group: { title, sign },
  records,
  total,
  reason,
}: {
  group: Group;
  records: readonly ProblemRecord[];
  total: number;
  reason: string | null | undefined;
}) => {
  const { t } = useWords();
  if (records.length === 0) return null;
  const lines = records.map((record) => <Line record={record} reason={reason} />);
  const more = lines.slice(SHOWN);
  return (
    <section class="problems" aria-labelledby={title} data-kind={sign}>
      <h2 id={title}>
        <PublicIcon name={sign} /> {t(title)}
      </h2>
      <ul>{lines.slice(0, SHOWN)}</ul>
      {more.length > 0 ? (
        <details>
          <summary>{t('page.more', { count: total - SHOWN })}</summary>
          <ul>{more}</ul>
          {total > records.length ? <p>{t('page.firstProblems', { count: PROBLEMS_MAXIMUM })}</p> : null}
        </details>
      ) : null}
    </section>
  );
};

/** A pallet, and at its right why it is here. For a missing pallet it is the reason that was chosen at completion. */
const Line = ({ record, reason }: { record: ProblemRecord; reason: string | null | undefined }) => {
  const { t } = useWords();
  const { problem, trackIdentifier, markerCode } = record;
  const isMissing = problem === 'NOT_LOADED' || problem === 'UNLOADED';
  const why = isMissing ? shortReasonKey(reason) : undefined;
  return (
    <li data-problem={problem}>
      {trackIdentifier === null && markerCode !== null ? (
        <span>
          {t('page.marker')} {markerCode}
        </span>
      ) : (
        <Pallet of={record} />
      )}
      <span class="why">{t(why ?? `problem.${problem}`)}</span>
    </li>
  );
};
