import { isoDate } from '../lib/time.ts';
import type { LoadingStatus } from '../manifest/asset-table.ts';
import { Given } from './public-page.tsx';
import { PROBLEMS_MAXIMUM, type Summary } from './reading.ts';
import { countsOf, isCancelled, type Member, recordsOf } from './rules.ts';
import type { ShownRecord } from './store.ts';
import {
  ACTOR_WORDS,
  counted,
  groupedDigits,
  LOADING_WORDS,
  MANIFEST_WORDS,
  NO_IDENTIFIER,
  newStatusWords,
  PROBLEM_WORDS,
  utcText,
} from './words.ts';

/** A sign beside each status, so that none is told by its colour alone. */
const SIGNS: Record<LoadingStatus, string> = {
  LOADED: '✓',
  NOT_LOADED: '○',
  UNLOADED: '↩',
  OFFLOADED: '↓',
  WRONGLY_LOADED: '✕',
  UNKNOWN_LOADING: '?',
};

const Status = ({ status }: { status: LoadingStatus }) => (
  <span class="status" data-status={status}>
    <span class="sign" aria-hidden="true">
      {SIGNS[status]}
    </span>{' '}
    {LOADING_WORDS[status]}
  </span>
);

/** What a pallet is called: its identifier, or that it has none. */
const Pallet = ({ of }: { of: { trackIdentifier: string | null } }) =>
  of.trackIdentifier === null ? <span>{NO_IDENTIFIER}</span> : <Given>{of.trackIdentifier}</Given>;

const Instant = ({ date }: { date: number }) => <time datetime={isoDate(date)}>{utcText(date)}</time>;

/** What has to be seen first; nothing where there is nothing. */
export const Problems = ({ summary: { problems, members }, total }: { summary: Summary; total: number }) => {
  if (problems.length === 0) return null;
  const names = new Map(members.map((member) => [member.manifestUuid, member.manifestExternalId]));
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">Problems ({groupedDigits(total)})</h2>
      <ul>
        {problems.map((record) => (
          <li data-problem={record.problem}>
            <p>
              <strong>{PROBLEM_WORDS[record.problem].title}</strong>
              {': '}
              <Pallet of={record} />
            </p>
            <p class="detail">
              {PROBLEM_WORDS[record.problem].meaning} Marker code {record.markerCode ?? 'none'}, manifest{' '}
              <Given>{names.get(record.manifestUuid)}</Given>.
            </p>
          </li>
        ))}
      </ul>
      {total > problems.length ? (
        <p>
          The first {groupedDigits(PROBLEMS_MAXIMUM)} problems are listed here; all stand among the pallets
          below.
        </p>
      ) : null}
    </section>
  );
};

/** The manifests of a shipment with their counts. */
export const Manifests = ({
  members,
  firstPages,
}: {
  members: readonly Member[];
  firstPages: ReadonlyMap<string, number>;
}) => (
  <section aria-labelledby="manifests">
    <h2 id="manifests">Manifests ({groupedDigits(members.length)})</h2>
    <table class="cards manifests">
      <caption class="hidden">Manifests of this shipment</caption>
      <thead>
        <tr>
          <th scope="col">Manifest</th>
          <th scope="col">Status</th>
          <th scope="col">Loaded</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member, index) => {
          const page = firstPages.get(member.manifestUuid)!;
          const link = `${page === 1 ? '' : `?page=${page}`}#m${index + 1}`;
          return (
            <tr>
              <th scope="row">
                {recordsOf(member) === 0 ? (
                  <Given>{member.manifestExternalId}</Given>
                ) : (
                  <a href={link}>
                    <Given>{member.manifestExternalId}</Given>
                  </a>
                )}
              </th>
              <td data-label="Status">{MANIFEST_WORDS[member.manifestStatus]}</td>
              <td data-label="Loaded">{loadedWords(member)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </section>
);

function loadedWords(member: Member): string {
  if (isCancelled(member)) return 'Not counted';
  const { loadedAssetsCount, totalAssetsCount } = countsOf([member]);
  return `${groupedDigits(loadedAssetsCount)} of ${groupedDigits(totalAssetsCount)}`;
}

/** The pallets of a manifest, or those of them that stand on a page. */
export const Pallets = ({
  member,
  id,
  records,
  shipment,
}: {
  member: Member;
  id: string;
  records: readonly ShownRecord[];
  shipment: boolean;
}) => (
  <>
    {shipment ? (
      <h3 id={id} tabindex={-1}>
        Manifest <Given>{member.manifestExternalId}</Given>
        {isCancelled(member) ? ' (cancelled, not counted)' : ''}
      </h3>
    ) : null}
    <table class="cards pallets">
      <caption>
        {counted(records.length, 'pallet')}
        <span class="hidden">
          {' '}
          of manifest <Given>{member.manifestExternalId}</Given>
        </span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Pallet</th>
          <th scope="col">Marker code</th>
          <th scope="col">Status</th>
          <th scope="col">Loaded at</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr>
            <th scope="row">
              <Pallet of={record} />
            </th>
            <td data-label="Marker code">{record.markerCode ?? 'None'}</td>
            <td data-label="Status">
              <Status status={record.loadingStatus} />
              {record.damaged ? <span class="damaged"> Damaged</span> : null}
            </td>
            <td data-label="Loaded at">
              {record.loadingDate === null ? '–' : <Instant date={record.loadingDate} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);

/** What was changed since completion; nothing where nothing was. */
export const Corrections = ({ summary: { corrections, correctionsCount } }: { summary: Summary }) => {
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="corrections">
      <h2 id="corrections">Corrections since completion ({groupedDigits(correctionsCount)})</h2>
      {correctionsCount > corrections.length ? (
        <p>The latest {groupedDigits(corrections.length)} are listed here.</p>
      ) : null}
      <table class="cards corrections">
        <caption>What was changed, each change a revision</caption>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">When</th>
            <th scope="col">Pallet</th>
            <th scope="col">Manifest</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">By</th>
          </tr>
        </thead>
        <tbody>
          {corrections.map((correction) => (
            <tr>
              <th scope="row">{groupedDigits(correction.number)}</th>
              <td data-label="When">
                <Instant date={correction.date} />
              </td>
              <td data-label="Pallet">
                <Pallet of={correction} />
                {correction.trackIdentifier === null
                  ? `, marker code ${correction.markerCode ?? 'none'}`
                  : ''}
              </td>
              <td data-label="Manifest">
                <Given>{correction.manifestExternalId}</Given>
              </td>
              <td data-label="From">{LOADING_WORDS[correction.oldStatus]}</td>
              <td data-label="To">{newStatusWords(correction.newStatus)}</td>
              <td data-label="By">{ACTOR_WORDS[correction.actorType]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
