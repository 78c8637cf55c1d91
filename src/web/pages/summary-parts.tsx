import type { Sign } from '../../core/lib/signs.ts';
import { isoDate } from '../../core/lib/time.ts';
import { dayIn } from '../../core/lib/zone.ts';
import type { LoadingStatus } from '../../dispatch/load/shared/table.ts';
import { useWords } from '../../messages/context.ts';
import { ssccGroups } from '../../pallet/gs1.ts';
import type { Correction } from './correction-rules.ts';
import { correctionName, valuesIn } from './correction-words.ts';
import { GivenText, PublicIcon } from './public-page.tsx';
import type { Summary } from './read-load.ts';
import { countsOf, isCancelledMember, type LoadMember, recordsOf } from './rules.ts';
import type { SummaryRecord } from './store.ts';

/** The icon next to each status, so that colour is never the only clue. */
const STATUS_SIGNS: Record<LoadingStatus, Sign> = {
  LOADED: 'check',
  NOT_LOADED: 'short',
  UNLOADED: 'undo',
  OFFLOADED: 'load',
  WRONGLY_LOADED: 'stop',
  UNKNOWN_LOADING: 'stop',
};

/** The icons of this page. */
export const SUMMARY_SIGNS: readonly Sign[] = [...new Set(Object.values(STATUS_SIGNS)), 'flag', 'download'];

const Status = ({ status }: { status: LoadingStatus }) => (
  <span class="status" data-status={status}>
    <PublicIcon name={STATUS_SIGNS[status]} /> {useWords().t(`loading.${status}`)}
  </span>
);

/**
 * The name of a pallet: its identifier. If the identifier is an SSCC (GS1 pallet number), its digits are shown in
 * groups. Without an identifier, a text says so.
 */
export const Pallet = ({ of: { trackIdentifier } }: { of: { trackIdentifier: string | null } }) => {
  const { t } = useWords();
  if (trackIdentifier === null) return <span>{t('page.noIdentifier')}</span>;
  const groups = ssccGroups(trackIdentifier);
  if (groups === undefined) return <GivenText>{trackIdentifier}</GivenText>;
  return (
    <bdi class="sscc">
      {groups.map((group, index) => (index === groups.length - 1 ? <b>{group}</b> : <i>{group}</i>))}
    </bdi>
  );
};

/** A date in the time zone of the site. The day is left out if it is the day of `beside`. */
export const Instant = ({ date, beside, zone }: { date: number; beside: number; zone: string }) => {
  const { clock, time } = useWords();
  const isSameDay = dayIn(zone, date) === dayIn(zone, beside);
  return <time datetime={isoDate(date)}>{isSameDay ? clock(zone, date) : time(zone, date)}</time>;
};

/** A table of a shipment's manifests. Each row shows how many pallets are loaded, and the total. */
export const Manifests = ({
  members,
  linkTo,
  firstPages,
}: {
  members: readonly LoadMember[];
  /** The link to a page of the summary. */
  linkTo(page: number): string;
  firstPages: ReadonlyMap<string, number>;
}) => {
  const { t } = useWords();
  return (
    <section aria-labelledby="manifests">
      <h2 id="manifests">{t('page.manifests', { count: members.length })}</h2>
      <table class="manifests">
        <caption class="hidden">{t('page.manifestsCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('kind.MANIFEST')}</th>
            <th scope="col">{t('page.status')}</th>
            <th scope="col">{t('page.loaded')}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member, index) => {
            const page = firstPages.get(member.manifestUuid)!;
            const link = `${linkTo(page)}#m${index + 1}`;
            return (
              <tr>
                <th scope="row">
                  {recordsOf(member) === 0 ? (
                    <GivenText>{member.manifestExternalId}</GivenText>
                  ) : (
                    <a href={link}>
                      <GivenText>{member.manifestExternalId}</GivenText>
                    </a>
                  )}
                </th>
                <td data-label={t('page.status')}>{t(`manifest.${member.manifestStatus}`)}</td>
                <td data-label={t('page.loaded')}>
                  <LoadedOf member={member} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};

const LoadedOf = ({ member }: { member: LoadMember }) => {
  const { t } = useWords();
  const { loadedAssetsCount: loaded, totalAssetsCount: total } = countsOf([member]);
  return <>{isCancelledMember(member) ? t('page.notCounted') : t('page.loadedOf', { loaded, total })}</>;
};

/** A table of the pallets of a manifest, or of its pallets on this page. */
export const Pallets = ({
  member,
  id,
  records,
  shipment,
  zone,
  beside,
}: {
  member: LoadMember;
  id: string;
  records: readonly SummaryRecord[];
  shipment: boolean;
  zone: string;
  /** When the load was completed. */
  beside: number;
}) => {
  const { t } = useWords();
  return (
    <>
      {shipment ? (
        <h3 id={id} tabindex={-1}>
          {t('kind.MANIFEST')} <GivenText>{member.manifestExternalId}</GivenText>
          {isCancelledMember(member) ? ` ${t('page.cancelled')}` : ''}
        </h3>
      ) : null}
      <table class="pallets">
        <caption>
          {t('page.palletCount', { count: records.length })}
          <span class="hidden">
            , {t('kind.MANIFEST')} <GivenText>{member.manifestExternalId}</GivenText>
          </span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('page.pallet')}</th>
            <th scope="col">{t('page.marker')}</th>
            <th scope="col">{t('page.status')}</th>
            <th scope="col">{t('page.loadedAt')}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr>
              <th scope="row">
                <Pallet of={record} />
              </th>
              <td data-label={t('page.marker')}>{record.markerCode ?? t('page.noMarker')}</td>
              <td data-label={t('page.status')}>
                <Status status={record.loadingStatus} />
                {record.damaged ? <span class="damaged"> {t('problem.DAMAGED')}</span> : null}
              </td>
              <td data-label={t('page.loadedAt')}>
                {record.loadingDate === null ? (
                  '–'
                ) : (
                  <Instant date={record.loadingDate} beside={beside} zone={zone} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
};

/** The corrected thing: a pallet, a fact or a photo. */
const Corrected = ({ correction }: { correction: Correction }) => {
  const words = useWords();
  const { t, labelled } = words;
  const name = correctionName(words, correction);
  if (name !== undefined) return <GivenText>{name}</GivenText>;
  const marker = labelled(t('page.marker'), correction.markerCode ?? t('page.noMarker'));
  return (
    <>
      <Pallet of={correction} />
      {correction.trackIdentifier === null ? `, ${marker}` : ''}
    </>
  );
};

/** The corrections since completion. Renders nothing without corrections. */
export const Corrections = ({
  summary: { corrections, correctionsCount, subject },
  zone,
}: {
  summary: Summary;
  zone: string;
}) => {
  const words = useWords();
  const { t, number, time } = words;
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="corrections">
      <h2 id="corrections">{t('page.corrections', { count: correctionsCount })}</h2>
      {correctionsCount > corrections.length ? (
        <p>{t('page.latest', { count: corrections.length })}</p>
      ) : null}
      <table class="cards corrections">
        <caption>{t('page.correctionsCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('page.revision')}</th>
            <th scope="col">{t('page.when')}</th>
            <th scope="col">{t('page.changed')}</th>
            <th scope="col">{t('kind.MANIFEST')}</th>
            <th scope="col">{t('page.before')}</th>
            <th scope="col">{t('page.after')}</th>
            <th scope="col">{t('page.by')}</th>
          </tr>
        </thead>
        <tbody>
          {corrections.map((correction) => {
            const [before, after] = valuesIn(words, correction, (date) => time(zone, Date.parse(date)));
            return (
              <tr>
                <th scope="row">{number(correction.number)}</th>
                <td data-label={t('page.when')}>
                  <Instant date={correction.date} beside={subject.closeDate} zone={zone} />
                </td>
                <td data-label={t('page.changed')}>
                  <Corrected correction={correction} />
                </td>
                <td data-label={t('kind.MANIFEST')}>
                  <GivenText>{correction.manifestExternalId ?? '–'}</GivenText>
                </td>
                <td data-label={t('page.before')}>
                  <GivenText>{before}</GivenText>
                </td>
                <td data-label={t('page.after')}>
                  <GivenText>{after}</GivenText>
                </td>
                <td data-label={t('page.by')}>{t(`actor.${correction.actorType}`)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};
