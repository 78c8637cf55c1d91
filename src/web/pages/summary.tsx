import { useWords } from '../../messages/context.ts';
import type { Language } from '../../messages/languages.ts';
import { GivenText, PublicHeader, PublicIcon, PublicPage, Signs } from './public-page.tsx';
import type { PublishedLoad } from './published-store.ts';
import { PAGE_SIZE, PART_SIZE, type Summary } from './read-load.ts';
import { countsOf, firstPages, type LoadMember, pagesCount, recordsOf } from './rules.ts';
import type { SummaryRecord } from './store.ts';
import { Cells, Left, Numbers, SummaryDetails, SummaryFacts } from './summary-figures.tsx';
import { Corrections, Manifests, Pallets, SUMMARY_SIGNS } from './summary-parts.tsx';
import { Photos } from './summary-photos.tsx';
import { SummaryProblems } from './summary-problems.tsx';
import { Signatures } from './summary-signatures.tsx';

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
