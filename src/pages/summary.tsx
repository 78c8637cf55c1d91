import { isoDate } from '../lib/time.ts';
import { Given, PublicPage } from './public-page.tsx';
import { PAGE_SIZE, PART_SIZE, type Summary } from './reading.ts';
import {
  type Counts,
  countsOf,
  firstPages,
  type Member,
  pagesOf,
  problemsCount,
  recordsOf,
} from './rules.ts';
import type { Published, ShownRecord } from './store.ts';
import { Corrections, Manifests, Pallets, Problems } from './summary-parts.tsx';
import { counted, groupedDigits, KIND_WORDS, utcText } from './words.ts';

/** The summary of what was dispatched, for whoever drives or receives it. */
export const SummaryPage = ({
  published,
  summary,
  token,
}: {
  published: Published;
  summary: Summary;
  token: string;
}) => {
  const { subject, members, page, pages } = summary;
  const counts = countsOf(members);
  const kind = KIND_WORDS[published.kind];
  const shipment = published.kind === 'SHIPMENT';
  const parts = pagesOf(
    members.reduce((total, member) => total + recordsOf(member), 0),
    PART_SIZE,
  );
  return (
    <PublicPage title={`${kind} ${subject.externalIdentifier}`}>
      <a class="skip" href="#pallets">
        Skip to the pallets
      </a>
      <header>
        <p class="shipper">
          <Given>{published.organizationName}</Given>
        </p>
      </header>
      <main>
        <h1>
          {kind} <Given>{subject.externalIdentifier}</Given>
        </h1>
        <Verdict counts={counts} damagedCount={summary.damagedCount} />
        <Facts summary={summary} />
        <p class="actions">
          <a class="button" href={`/public/proof-of-shipment/${token}.pdf`}>
            Proof of shipment (PDF)
          </a>
          {parts > 1 ? ` In ${groupedDigits(parts)} parts, of which this is the first.` : ''}
        </p>
        {page === 1 ? (
          <>
            <Problems summary={summary} total={problemsTotal(counts, summary.damagedCount)} />
            <Numbers counts={counts} damagedCount={summary.damagedCount} />
            {shipment ? <Manifests members={members} firstPages={firstPages(members, PAGE_SIZE)} /> : null}
          </>
        ) : null}
        <section aria-labelledby="pallets">
          <h2 id="pallets" tabindex={-1}>
            Pallets
          </h2>
          <Paging page={page} pages={pages} />
          {groups(summary).map(({ member, index, records }) => (
            <Pallets member={member} id={`m${index + 1}`} records={records} shipment={shipment} />
          ))}
          {summary.records.length === 0 ? <p>There are no pallets.</p> : null}
          <Paging page={page} pages={pages} />
        </section>
        {page === 1 ? <Corrections summary={summary} /> : null}
      </main>
      <footer>
        <p>
          Times are in UTC. This link does not expire. It shows what is known now: what was corrected since
          completion is listed as a correction, and the proof of shipment says which revision it is.
        </p>
      </footer>
    </PublicPage>
  );
};

const problemsTotal = (counts: Counts, damagedCount: number | null): number =>
  problemsCount(counts) + (damagedCount ?? 0);

/** The one line that matters. */
const Verdict = ({ counts, damagedCount }: { counts: Counts; damagedCount: number | null }) => {
  const { loadedAssetsCount: loaded, totalAssetsCount: total } = counts;
  const problems = problemsTotal(counts, damagedCount);
  return (
    <p class={problems === 0 ? 'verdict good' : 'verdict bad'}>
      <span class="icon" aria-hidden="true">
        {problems === 0 ? '✓' : '!'}
      </span>
      <span>
        <strong>Completed</strong>: {groupedDigits(loaded)} of {counted(total, 'pallet')} loaded
        {problems === 0 ? ', no problems.' : `, ${counted(problems, 'problem')}.`}
      </span>
    </p>
  );
};

const Instant = ({ date }: { date: number }) => <time datetime={isoDate(date)}>{utcText(date)}</time>;

const Facts = ({ summary: { subject, correctionsCount } }: { summary: Summary }) => (
  <dl class="facts">
    <div>
      <dt>Status</dt>
      <dd>Completed</dd>
    </div>
    <div>
      <dt>Gate</dt>
      <dd>
        {subject.gateExternalId === null ? (
          'None'
        ) : (
          <>
            <Given>{subject.gateExternalId}</Given> (<Given>{subject.gateName}</Given>)
          </>
        )}
      </dd>
    </div>
    <div>
      <dt>Loading began</dt>
      <dd>
        <Instant date={subject.activateDate} />
      </dd>
    </div>
    <div>
      <dt>Completed</dt>
      <dd>
        <Instant date={subject.closeDate} />
      </dd>
    </div>
    <div>
      <dt>Revision</dt>
      <dd>
        {correctionsCount === 0
          ? 'Original, not corrected since completion'
          : `${groupedDigits(correctionsCount)}, corrected since completion`}
      </dd>
    </div>
  </dl>
);

/** Each count with its word; those that are nothing to worry about at zero are left out there. */
const Numbers = ({ counts, damagedCount }: { counts: Counts; damagedCount: number | null }) => {
  const rows: [string, number, boolean][] = [
    ['Pallets', counts.totalAssetsCount, true],
    ['Loaded', counts.loadedAssetsCount, true],
    ['Not loaded', counts.notLoadedAssetsCount, true],
    ['Unloaded', counts.unloadedAssetsCount, false],
    ['Offloaded', counts.offloadedAssetsCount, false],
    ['Wrongly loaded', counts.wronglyLoadedCount, true],
    ['Unknown marker', counts.unknownLoadingCount, true],
    ['Loaded, but cancelled', counts.cancelledLoadedCount, false],
    ['Damaged', damagedCount ?? 0, damagedCount !== null],
  ];
  return (
    <section aria-labelledby="counts">
      <h2 id="counts">Counts</h2>
      <dl class="counts">
        {rows
          .filter(([, count, always]) => always || count > 0)
          .map(([name, count]) => (
            <div>
              <dt>{name}</dt>
              <dd>{groupedDigits(count)}</dd>
            </div>
          ))}
      </dl>
      {damagedCount === null ? <p>Damage is marked at each pallet below.</p> : null}
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

const Paging = ({ page, pages }: { page: number; pages: number }) =>
  pages === 1 ? null : (
    <nav class="paging" aria-label={`Page ${page} of ${pages}`}>
      {page > 1 ? <a href={`?page=${page - 1}`}>Previous page</a> : null}
      <span>
        Page {groupedDigits(page)} of {groupedDigits(pages)}
      </span>
      {page < pages ? <a href={`?page=${page + 1}`}>Next page</a> : null}
    </nav>
  );
