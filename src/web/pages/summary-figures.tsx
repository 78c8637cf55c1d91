import type { Child } from 'hono/jsx';
import { isoDate } from '../../core/lib/time.ts';
import { useWords } from '../../messages/context.ts';
import { distanceIn } from '../../messages/duration.ts';
import { CELLS_MAXIMUM, drawLoadBar } from '../../pallet/load-bar.ts';
import { GivenText } from './public-page.tsx';
import type { Summary } from './read-load.ts';
import { countsOf, isCancelledMember, type LoadCounts, type LoadMember, stayCount } from './rules.ts';
import { Instant } from './summary-parts.tsx';

/** Pallets that left. A pallet that was offloaded at its destination has left, too. */
const leftOf = (counts: LoadCounts): number => counts.totalAssetsCount - stayCount(counts);

/** The main figure: whether all pallets left. */
export const Left = ({ counts }: { counts: LoadCounts }) => {
  const { t } = useWords();
  const { totalAssetsCount: total } = counts;
  const stayed = stayCount(counts);
  if (total === 0) return <p class="left">{t('page.noPallets')}</p>;
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

type Fact = readonly [label: string, value: Child, note?: string];

const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl class="facts">
    {facts.map(([label, value, note]) => (
      <div>
        <dt>{label}</dt>
        <dd>{value}</dd>
        {note === undefined ? null : <dd class="note">{note}</dd>}
      </div>
    ))}
  </dl>
);

interface Facts {
  summary: Summary;
  zone: string;
}

/** When it left, how and where. The time zone of all times is shown here. */
export const SummaryFacts = ({ summary: { subject }, zone }: Facts) => {
  const { t, dayTime, zone: zoneText } = useWords();
  const { closeDate, gateExternalId, gateName, carrier, vehicle, seal } = subject;
  const transport = [
    [t('page.carrier'), carrier],
    [t('page.vehicle'), vehicle],
    [t('page.seal'), seal],
  ].filter(([, value]) => value) as [string, string][];
  return (
    <FactList
      facts={[
        [
          t('page.leftAt'),
          <time datetime={isoDate(closeDate)}>{dayTime(zone, closeDate)}</time>,
          zoneText(zone, closeDate),
        ],
        ...transport.map(([label, value]): Fact => [label, <GivenText>{value}</GivenText>]),
        [
          t('page.gate'),
          gateExternalId === null ? t('page.noGate') : <GivenText>{gateName ?? gateExternalId}</GivenText>,
        ],
      ]}
    />
  );
};

/** Status, the identifier of the gate, further dates and revision. */
export const SummaryDetails = ({ summary: { subject, correctionsCount, members }, zone }: Facts) => {
  const words = useWords();
  const { t } = words;
  const { activateDate, closeDate, gateExternalId } = subject;
  const { plannedDepartureDate = null, arrivalDate = null } = subject;
  const shown = (date: number) => <Instant date={date} beside={closeDate} zone={zone} />;
  const short = stayCount(countsOf(members)) > 0;
  return (
    <section aria-labelledby="details">
      <h2 id="details">{t('page.details')}</h2>
      <FactList
        facts={[
          [t('page.status'), t(short ? 'page.completedShort' : 'page.completed')],
          ...(gateExternalId === null
            ? []
            : [[t('page.gateId'), <GivenText>{gateExternalId}</GivenText>] as const]),
          ...(plannedDepartureDate === null
            ? []
            : [[t('page.plannedDeparture'), shown(plannedDepartureDate)] as const]),
          ...(arrivalDate === null
            ? []
            : [
                [t('driver.arrived'), shown(arrivalDate)] as const,
                [t('page.dwell'), distanceIn(words, closeDate - arrivalDate)] as const,
              ]),
          [t('page.loadingBegan'), shown(activateDate)],
          [
            t('page.revision'),
            correctionsCount === 0 ? t('page.original') : t('page.corrected', { count: correctionsCount }),
          ],
        ]}
      />
    </section>
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
    [t('page.loaded'), counts.loadedAssetsCount, true],
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
