import { CELLS_MAXIMUM, drawLoadBar } from '../lib/load-bar.ts';
import { BRAND_MARK } from '../lib/signs.ts';
import { LanguageChooser } from '../messages/chooser.tsx';
import { useWords } from '../messages/context.ts';
import { NAMES } from '../messages/languages.ts';
import { Given, Icon, PublicPage, Signs } from './public-page.tsx';
import { PAGE_SIZE, PART_SIZE, type Summary } from './reading.ts';
import {
  type Counts,
  countsOf,
  firstPages,
  isCancelled,
  type Member,
  pagesOf,
  problemsCount,
  recordsOf,
  stayedOf,
} from './rules.ts';
import type { Published, ShownRecord } from './store.ts';
import { Corrections, Instant, Manifests, Pallets, Problems, SUMMARY_SIGNS } from './summary-parts.tsx';

/** The summary of what was dispatched, for whoever drives or receives it. */
export const SummaryPage = ({
  published,
  summary,
  token,
  path,
}: {
  published: Published;
  summary: Summary;
  token: string;
  /** Path and query of the page. */
  path: string;
}) => {
  const { t, language } = useWords();
  const { subject, members, page, pages } = summary;
  const counts = countsOf(members);
  const kind = t(`kind.${published.kind}`);
  const zone = published.timeZone;
  const shipment = published.kind === 'SHIPMENT';
  const parts = pagesOf(
    members.reduce((total, member) => total + recordsOf(member), 0),
    PART_SIZE,
  );
  return (
    <PublicPage title={`${kind} ${subject.externalIdentifier}`}>
      <Signs of={SUMMARY_SIGNS} />
      <a class="skip" href="#pallets">
        {t('page.skip')}
      </a>
      <header>
        <p class="brand">
          <svg viewBox="0 0 26 26" aria-hidden="true">
            <rect width="26" height="26" rx="3" />
            <path d={BRAND_MARK} />
          </svg>
          <Given>{published.organizationName}</Given>
        </p>
        <details class="language">
          <summary>
            <span class="hidden">{t('page.language')}: </span>
            {NAMES[language]}
          </summary>
          <LanguageChooser path={path} label={t('page.language')} />
        </details>
      </header>
      <main>
        <h1>
          {kind} <Given>{subject.externalIdentifier}</Given>
        </h1>
        <Left counts={counts} />
        <Cells members={members} counts={counts} />
        <Verdict counts={counts} damagedCount={summary.damagedCount} />
        {page === 1 ? (
          <Problems summary={summary} total={problemsTotal(counts, summary.damagedCount)} />
        ) : null}
        <Facts summary={summary} zone={zone} short={stayedOf(counts) > 0} />
        <p class="actions">
          <a class="button" href={`/public/proof-of-shipment/${token}.pdf`}>
            <Icon name="download" /> {t('page.proof')}
          </a>
          {parts > 1 ? ` ${t('page.proofParts', { count: parts })}` : ''}
        </p>
        {page === 1 && shipment ? (
          <Manifests members={members} firstPages={firstPages(members, PAGE_SIZE)} />
        ) : null}
        <section aria-labelledby="pallets">
          <h2 id="pallets" tabindex={-1}>
            {t('page.pallets')}
          </h2>
          <Paging page={page} pages={pages} />
          {groups(summary).map(({ member, index, records }) => (
            <Pallets member={member} id={`m${index + 1}`} records={records} shipment={shipment} zone={zone} />
          ))}
          {summary.records.length === 0 ? <p>{t('page.noPallets')}</p> : null}
          <Paging page={page} pages={pages} />
        </section>
        {page === 1 ? (
          <>
            <Numbers counts={counts} damagedCount={summary.damagedCount} />
            <Corrections summary={summary} zone={zone} />
          </>
        ) : null}
      </main>
      <footer>
        <p>{t('page.foot')}</p>
      </footer>
    </PublicPage>
  );
};

/** What was offloaded at its destination had left. */
const leftOf = (counts: Counts): number => counts.totalAssetsCount - stayedOf(counts);

const problemsTotal = (counts: Counts, damagedCount: number | null): number =>
  problemsCount(counts) + (damagedCount ?? 0);

/** Did all of mine leave? */
const Left = ({ counts }: { counts: Counts }) => {
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

/** A cell a pallet: those that left, and those that stayed. */
const Cells = ({ members, counts }: { members: readonly Member[]; counts: Counts }) => {
  const { t } = useWords();
  const all = { name: '', loaded: leftOf(counts), total: counts.totalAssetsCount };
  if (all.total === 0) return null;
  const parts = members
    .filter((member) => !isCancelled(member))
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

/** How loading ended. */
const Verdict = ({ counts, damagedCount }: { counts: Counts; damagedCount: number | null }) => {
  const { loadedAssetsCount: loaded, totalAssetsCount: total } = counts;
  const problems = problemsTotal(counts, damagedCount);
  const { t } = useWords();
  return (
    <p class={problems === 0 ? 'verdict good' : 'verdict bad'}>
      <Icon name={problems === 0 ? 'done' : 'short'} />
      <span>
        <strong>{t('page.completed')}</strong>: {t('page.verdict', { loaded, total, problems })}
      </span>
    </p>
  );
};

const Facts = ({
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
              <Given>{subject.gateExternalId}</Given> (<Given>{subject.gateName}</Given>)
            </>
          )}
        </dd>
      </div>
      {transport.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>
            <Given>{value}</Given>
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

/** Each count with its word; those that are nothing to worry about at zero are left out there. */
const Numbers = ({ counts, damagedCount }: { counts: Counts; damagedCount: number | null }) => {
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

/** The records of a page by manifest, in their order. */
function groups({ members, records }: Summary): { member: Member; index: number; records: ShownRecord[] }[] {
  const byManifest = Map.groupBy(records, ({ manifestUuid }) => manifestUuid);
  return members.flatMap((member, index) => {
    const own = byManifest.get(member.manifestUuid);
    return own ? [{ member, index, records: own }] : [];
  });
}

const Paging = ({ page, pages }: { page: number; pages: number }) => {
  const { t } = useWords();
  const where = t('page.pageOf', { page, pages });
  return pages === 1 ? null : (
    <nav class="paging" aria-label={where}>
      {page > 1 ? <a href={`?page=${page - 1}`}>{t('page.previous')}</a> : null}
      <span>{where}</span>
      {page < pages ? <a href={`?page=${page + 1}`}>{t('page.next')}</a> : null}
    </nav>
  );
};
