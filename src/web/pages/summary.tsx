import type { Sign } from '../../core/lib/signs.ts';
import { isoDate } from '../../core/lib/time.ts';
import { PHOTO_LINK_PATH, thumbnailPath } from '../../dispatch/photo/store.ts';
import { useWords } from '../../messages/context.ts';
import type { Language } from '../../messages/languages.ts';
import { GivenText, PublicHeader, PublicIcon, PublicPage, Signs } from './public-page.tsx';
import type { PublishedLoad } from './published-store.ts';
import { PAGE_SIZE, PART_SIZE, PHOTOS_SHOWN_MAXIMUM, PROBLEMS_MAXIMUM, type Summary } from './read-load.ts';
import { shortReasonKey } from './reason-rules.ts';
import {
  countsOf,
  firstPages,
  type LoadCounts,
  type LoadMember,
  type Problem,
  pagesCount,
  recordsOf,
  stayCount,
} from './rules.ts';
import type { ProblemRecord, SummaryRecord } from './store.ts';
import { Cells, Left, Numbers, SummaryDetails, SummaryFacts } from './summary-figures.tsx';
import { Corrections, Manifests, Pallet, Pallets, SUMMARY_SIGNS } from './summary-parts.tsx';
import { Signatures } from './summary-signatures.tsx';

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
  'page.notAboard': stayCount,
  'page.damaged': (_, damaged) => damaged,
};

/** The pallets with problems, one line each. Renders nothing without problems. */
const SummaryProblems = ({ summary }: { summary: Summary }) => {
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

/** The photos of the load, its manifests and its pallets. The browser loads them when they come into view. */
const Photos = ({ summary: { photos: read = [] }, zone }: { summary: Summary; zone: string }) => {
  const { t, time } = useWords();
  if (read.length === 0) return null;
  const photos = read.slice(0, PHOTOS_SHOWN_MAXIMUM);
  return (
    <section aria-labelledby="photos">
      <h2 id="photos">{t('page.photos')}</h2>
      {read.length > photos.length && <p>{t('page.photosSome', { count: photos.length })}</p>}
      <ul class="photos">
        {photos.map(({ publicToken, kind, ownerIdentifier, width, height, takenDate, createDate }) => {
          const link = `${PHOTO_LINK_PATH}/${publicToken}`;
          const name = `${t(`photoKind.${kind}`)}, ${ownerIdentifier}`;
          return (
            <li>
              <a href={link}>
                <img
                  src={thumbnailPath(publicToken)}
                  alt={name}
                  width={width}
                  height={height}
                  loading="lazy"
                  decoding="async"
                />
              </a>
              <p>
                {t(`photoKind.${kind}`)}, <GivenText>{ownerIdentifier}</GivenText>
                <br />
                <time datetime={isoDate(takenDate ?? createDate)}>
                  {takenDate === null
                    ? t('page.photoUploaded', { time: time(zone, createDate) })
                    : t('page.photoTaken', { time: time(zone, takenDate) })}
                </time>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** The summary page of a dispatch, for drivers and receivers. */
export const SummaryPage = ({
  published,
  summary,
  token,
  path,
  linked,
}: {
  published: PublishedLoad;
  summary: Summary;
  token: string;
  /** Path and query of the page. */
  path: string;
  /** The language of the link that was opened. The links of the page keep it. */
  linked: Language | undefined;
}) => {
  const { t } = useWords();
  const { subject, members, page, pages } = summary;
  const counts = countsOf(members);
  const kind = t(`kind.${published.kind}`);
  const zone = published.timeZone;
  const shipment = published.kind === 'SHIPMENT';
  const parts = pagesCount(
    members.reduce((total, member) => total + recordsOf(member), 0),
    PART_SIZE,
  );
  return (
    <PublicPage title={`${kind} ${subject.externalIdentifier}`}>
      <Signs of={SUMMARY_SIGNS} />
      <a class="skip" href="#pallets">
        {t('page.skip')}
      </a>
      <PublicHeader name={published.organizationName} path={path} />
      <main>
        <h1>
          {kind} <GivenText>{subject.externalIdentifier}</GivenText>
        </h1>
        <Left counts={counts} />
        <Cells members={members} counts={counts} />
        <SummaryProblems summary={summary} />
        <SummaryFacts summary={summary} zone={zone} />
        <p class="actions">
          <a class="button" href={`/public/proof-of-shipment/${token}.pdf${queryOf(1, linked)}`}>
            <PublicIcon name="download" /> {t('page.proof')}
          </a>
          {parts > 1 ? ` ${t('page.proofParts', { count: parts })}` : ''}
        </p>
        {page === 1 && shipment ? (
          <Manifests
            members={members}
            linkTo={(page) => (page === 1 ? '' : queryOf(page, linked))}
            firstPages={firstPages(members, PAGE_SIZE)}
          />
        ) : null}
        <section aria-labelledby="pallets">
          <h2 id="pallets" tabindex={-1}>
            {t('page.pallets')}
          </h2>
          <Paging page={page} pages={pages} linked={linked} />
          {groups(summary).map(({ member, index, records }) => (
            <Pallets
              member={member}
              id={`m${index + 1}`}
              records={records}
              shipment={shipment}
              zone={zone}
              beside={subject.closeDate}
            />
          ))}
          {summary.records.length === 0 ? <p>{t('page.noPallets')}</p> : null}
          <Paging page={page} pages={pages} linked={linked} />
        </section>
        {page === 1 ? (
          <>
            <Signatures summary={summary} zone={zone} />
            <Photos summary={summary} zone={zone} />
            <SummaryDetails summary={summary} zone={zone} />
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

/** The records of a page by manifest, in order. */
function groups({
  members,
  records,
}: Summary): { member: LoadMember; index: number; records: SummaryRecord[] }[] {
  const byManifest = Map.groupBy(records, ({ manifestUuid }) => manifestUuid);
  return members.flatMap((member, index) => {
    const own = byManifest.get(member.manifestUuid);
    return own ? [{ member, index, records: own }] : [];
  });
}

/** The query of another page of the same summary. */
const queryOf = (page: number, linked: Language | undefined): string => {
  const query = new URLSearchParams({
    ...(page === 1 ? {} : { page: String(page) }),
    ...(linked ? { language: linked } : {}),
  });
  return query.size === 0 ? '' : `?${query}`;
};

const Paging = ({ page, pages, linked }: { page: number; pages: number; linked: Language | undefined }) => {
  const { t } = useWords();
  const where = t('page.pageOf', { page, pages });
  return pages === 1 ? null : (
    <nav class="paging" aria-label={where}>
      {page > 1 ? <a href={queryOf(page - 1, linked) || '?'}>{t('page.previous')}</a> : null}
      <span>{where}</span>
      {page < pages ? <a href={queryOf(page + 1, linked)}>{t('page.next')}</a> : null}
    </nav>
  );
};
