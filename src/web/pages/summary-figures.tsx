import { CELLS_MAXIMUM, drawLoadBar } from '../../core/lib/load-bar.ts';
import { useWords } from '../../messages/context.ts';
import { GivenText, PublicIcon } from './public-page.tsx';
import type { Summary } from './read-load.ts';
import {
  countsOf,
  isCancelledMember,
  type LoadCounts,
  type LoadMember,
  problemsCount,
  stayedOf,
} from './rules.ts';
import { Instant } from './summary-parts.tsx';

/** Pallets that left. A pallet that was offloaded at its destination has left, too. */
const leftOf = (counts: LoadCounts): number => counts.totalAssetsCount - stayedOf(counts);

export const problemsTotal = (counts: LoadCounts, damagedCount: number | null): number =>
  problemsCount(counts) + (damagedCount ?? 0);

/** The main figure: whether all pallets left. */
export const Left = ({ counts }: { counts: LoadCounts }) => {
  const { t } = useWords();
  const { totalAssetsCount: total } = counts;
  const stayed = stayedOf(counts);
  if (total === 0) return null;
  return (
    <p class="left">
      {stayed === 0 ? (
        t('page.allLeft', { total })
      ) : (
        <>
          {t('page.left', { left: leftOf(counts), total })}{' '}
          <strong>{t('page.stayed', { count: stayed })}</strong>
        </>
      )}
    </p>
  );
};

/**
 * The bar: a cell for each pallet. In each manifest, pallets that left come first, then pallets that stayed. Above
 * `CELLS_MAXIMUM` the manifests form one bar without cells.
 */
export const Cells = ({ members, counts }: { members: readonly LoadMember[]; counts: LoadCounts }) => {
  const { t } = useWords();
  const all = { name: '', loaded: leftOf(counts), total: counts.totalAssetsCount };
  if (all.total === 0) return null;
  const parts = members
    .filter((member) => !isCancelledMember(member))
    .map((member) => countsOf([member]))
    .map((of) => ({ name: '', loaded: leftOf(of), total: of.totalAssetsCount }));
  const { width, full, on, off } = drawLoadBar(all.total > CELLS_MAXIMUM ? [all] : parts);
  return (
    <svg
      class="load"
      viewBox={`0 0 ${width.toFixed(2)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('page.loadedOf', { loaded: all.loaded, total: all.total })}
    >
      <path class="on" d={`${full}${on}`} />
      <path class="off" d={off} />
    </svg>
  );
};

/** The result of loading, in words. */
export const SummaryVerdict = ({
  counts,
  damagedCount,
}: {
  counts: LoadCounts;
  damagedCount: number | null;
}) => {
  const { loadedAssetsCount: loaded, totalAssetsCount: total } = counts;
  const problems = problemsTotal(counts, damagedCount);
  const { t } = useWords();
  return (
    <p class={problems === 0 ? 'verdict good' : 'verdict bad'}>
      <PublicIcon name={problems === 0 ? 'done' : 'short'} />
      <span>
        <strong>{t('page.completed')}</strong>: {t('page.verdict', { loaded, total, problems })}
      </span>
    </p>
  );
};

/** Status, gate, transport, dates and revision. */
export const SummaryFacts = ({
  summary: { subject, correctionsCount },
  zone,
  short,
}: {
  summary: Summary;
  zone: string;
  short: boolean;
}) => {
  const { t } = useWords();
  const { carrier, vehicle, seal, plannedDepartureDate = null } = subject;
  const transport = [
    [t('page.carrier'), carrier],
    [t('page.vehicle'), vehicle],
    [t('page.seal'), seal],
  ].filter(([, value]) => value);
  return (
    <dl class="facts">
      <div>
        <dt>{t('page.status')}</dt>
        <dd>{t(short ? 'page.completedShort' : 'page.completed')}</dd>
      </div>
      <div>
        <dt>{t('page.gate')}</dt>
        <dd>
          {subject.gateExternalId === null ? (
            t('page.none')
          ) : (
            <>
              <GivenText>{subject.gateExternalId}</GivenText> (<GivenText>{subject.gateName}</GivenText>)
            </>
          )}
        </dd>
      </div>
      {transport.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>
            <GivenText>{value}</GivenText>
          </dd>
        </div>
      ))}
      {plannedDepartureDate === null ? null : (
        <div>
          <dt>{t('page.plannedDeparture')}</dt>
          <dd>
            <Instant date={plannedDepartureDate} zone={zone} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('page.loadingBegan')}</dt>
        <dd>
          <Instant date={subject.activateDate} zone={zone} />
        </dd>
      </div>
      <div>
        <dt>{t('page.completed')}</dt>
        <dd>
          <Instant date={subject.closeDate} zone={zone} />
        </dd>
      </div>
      <div>
        <dt>{t('page.revision')}</dt>
        <dd>
          {correctionsCount === 0 ? t('page.original') : t('page.corrected', { count: correctionsCount })}
        </dd>
      </div>
    </dl>
  );
};

/**
 * The numbers with their labels. Unloaded, offloaded, and cancelled but loaded pallets are left out if their count is
 * 0. Damage is left out if it was not counted.
 */
export const Numbers = ({ counts, damagedCount }: { counts: LoadCounts; damagedCount: number | null }) => {
  const { t, number } = useWords();
  const rows: [string, number, boolean][] = [
    [t('page.pallets'), counts.totalAssetsCount, true],
    [t('loading.LOADED'), counts.loadedAssetsCount, true],
    [t('loading.NOT_LOADED'), counts.notLoadedAssetsCount, true],
    [t('loading.UNLOADED'), counts.unloadedAssetsCount, false],
    [t('loading.OFFLOADED'), counts.offloadedAssetsCount, false],
    [t('loading.WRONGLY_LOADED'), counts.wronglyLoadedCount, true],
    [t('loading.UNKNOWN_LOADING'), counts.unknownLoadingCount, true],
    [t('problem.CANCELLED_LOADED'), counts.cancelledLoadedCount, false],
    [t('problem.DAMAGED'), damagedCount ?? 0, damagedCount !== null],
  ];
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">{t('page.counts')}</h2>
      <dl class="counts">
        {rows
          .filter(([, count, always]) => always || count > 0)
          .map(([name, count]) => (
            <div>
              <dt>{name}</dt>
              <dd>{number(count)}</dd>
            </div>
          ))}
      </dl>
      {damagedCount === null ? <p>{t('page.damageBelow')}</p> : null}
    </section>
  );
};
