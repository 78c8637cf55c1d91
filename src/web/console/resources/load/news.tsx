import type { Child, FC } from 'hono/jsx';
import { clockIn } from '../../../../core/lib/zone.ts';
import { useWords } from '../../../../messages/context.ts';
import { whenIn } from '../../../../messages/duration.ts';
import { LoadBar, PalletId } from '../../../ui/parts/badges.tsx';
import { Icon } from '../../../ui/parts/icons.tsx';
import { DepartureClock } from '../../../ui/parts/roles.tsx';
import { useZone } from '../../../ui/parts/view.ts';
import { upTo, At as When, whereTo, wrongName, wrongWords } from '../../board/board-parts.tsx';
import { paceOf } from '../../board/pace.ts';
import { progressOf, wrongCount } from '../../board/rules.ts';
import { NEWS_LIMITS, type NewsPart, type NewsRead } from './news-store.ts';
import type { ShownPallet } from './pallet-store.ts';
import { PalletFlags, PalletName, RemoveRecord } from './pallets.tsx';

/** The numbers of pallets by status, over manifests that are not cancelled. */
export function standingOf(parts: readonly Pick<NewsPart, 'status' | 'counts'>[]) {
  const sum = (of: (part: Pick<NewsPart, 'counts'>) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const planned = (of: (part: Pick<NewsPart, 'counts'>) => number) =>
    parts.reduce((total, part) => total + (part.status === 'CANCELLED' ? 0 : of(part)), 0);
  const [loaded, total] = [
    planned(({ counts }) => progressOf(counts).loaded),
    planned(({ counts }) => progressOf(counts).total),
  ];
  const offloaded = planned(({ counts }) => counts.OFFLOADED ?? 0);
  const missing = total - loaded;
  return {
    loaded,
    total,
    missing,
    /** Offloaded pallets have left. Only the other missing pallets were left behind. */
    stayed: missing - offloaded,
    offloaded,
    wrong: sum(({ counts }) => wrongCount(counts)),
    /** The unknown markers among the wrong pallets. */
    unknown: sum(({ counts }) => counts.UNKNOWN_LOADING ?? 0),
  };
}

/**
 * Pallets that need attention, shown above all others: pallets that were left behind or taken off
 * again, and flagged pallets.
 */
const Problems: FC<{ news: NewsRead; completed: boolean; total: number }> = ({ news, completed, total }) => {
  const { t } = useWords();
  const stayed = upTo(news.stayed, NEWS_LIMITS.stayed);
  const flagged = upTo(news.flagged, NEWS_LIMITS.flagged);
  const unseen = total > NEWS_LIMITS.considered;
  const hint = unseen && <p class="hint">{t('load.flagsBelow', { count: NEWS_LIMITS.considered })}</p>;
  if (stayed.shown.length + flagged.shown.length === 0) return hint || null;
  return (
    <section class="card attention" aria-labelledby="problems-title">
      <h2 id="problems-title">
        <Icon name="warn" /> {t('load.problems')}
      </h2>
      <Named
        title={t(completed ? 'load.stayed' : 'load.takenOff')}
        pallets={stayed.shown}
        more={stayed.more ? `?loadingStatus=${completed ? 'NOT_LOADED,UNLOADED' : 'UNLOADED'}#pallets` : null}
      />
      <Named
        title={t('load.flagged')}
        pallets={flagged.shown}
        more={flagged.more ? '?pageNumber=1#pallets' : null}
      />
      {hint}
    </section>
  );
};

const Named: FC<{ title: string; pallets: readonly ShownPallet[]; more: string | null }> = ({
  title,
  pallets,
  more,
}) => {
  const { t } = useWords();
  if (pallets.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {pallets.map((pallet) => (
          <li>
            <PalletName of={pallet} />
            <span>{pallet.manifestExternalId}</span>
            <PalletFlags of={pallet} />
          </li>
        ))}
        {more !== null && (
          <li>
            <a href={more}>{t('load.andMore')}</a>
          </li>
        )}
      </ul>
    </>
  );
};

/** The news of a load, at the top of its page. */
interface NewsProps {
  news: NewsRead;
  status: string;
  name: string;
  /** Planned departure (epoch milliseconds). */
  departureDate: number | null;
  /** Whether the user can report here that a wrong pallet was taken off. */
  mark: boolean;
}

/**
 * The news: first wrong pallets, then progress compared with the planned departure, then other
 * problems.
 */
export const News: FC<NewsProps> = (props) => {
  const { t, number } = useWords();
  const { news, status } = props;
  const standing = standingOf(news.parts);
  const { loaded, total } = standing;
  if (total === 0 && news.wrong.length === 0) return null;
  return (
    <>
      <Wrong {...props} count={standing.wrong} />
      <section class="card news" aria-label={t('gate.progress')}>
        <p class="count">
          <b>{number(loaded)}</b> {t('load.ofLoaded', { total })}
        </p>
        <p class="say">
          <Say {...props} />
        </p>
        <LoadBar
          parts={news.parts
            .filter((part) => part.status !== 'CANCELLED')
            .map(({ externalIdentifier, counts }) => ({ name: externalIdentifier, ...progressOf(counts) }))}
        />
      </section>
      <Problems news={news} completed={status === 'COMPLETED'} total={total} />
    </>
  );
};

const Say: FC<NewsProps> = ({ news, status, departureDate }) => {
  const zone = useZone();
  const words = useWords();
  const { t } = words;
  const { loaded, total, missing, stayed, offloaded } = standingOf(news.parts);
  if (status === 'COMPLETED') {
    return (
      <>
        <b class={stayed > 0 ? 'short' : ''}>
          {stayed > 0 ? t('load.stayedCount', { count: stayed }) : t('load.allLeft')}
        </b>
        {offloaded > 0 && <small>{t('load.offloadedCount', { count: offloaded })}</small>}
      </>
    );
  }
  if (status === 'CANCELLED') return <b>{t('manifest.CANCELLED')}</b>;
  const now = Date.now();
  const pace = status === 'IN_PROGRESS' ? paceOf(news.loadedLast, missing, now) : undefined;
  return (
    <>
      {departureDate !== null && (
        <b>
          <DepartureClock at={departureDate} zone={zone} />
        </b>
      )}
      <small>
        {total > 0 && loaded === total ? t('load.canComplete') : t('load.toLoad', { count: missing })}
        {pace &&
          ` ${t('load.pace', {
            time: clockIn(zone, pace.readyDate),
            when: whenIn(words, 'when.in', pace.readyDate - now),
          })}`}
      </small>
    </>
  );
};

const Wrong: FC<NewsProps & { count: number }> = ({ news, name, status, mark, count }): Child => {
  const words = useWords();
  const zone = useZone();
  const { t } = words;
  const { shown, more } = upTo(news.wrong, NEWS_LIMITS.wrong);
  if (shown.length === 0) return null;
  return (
    <section class="hazard" aria-labelledby="wrong-title">
      <h2 id="wrong-title">
        <Icon name="stop" /> {t(status === 'COMPLETED' ? 'load.wrongAboard' : 'load.wrongTakeOff', { count })}
      </h2>
      <ul>
        {shown.map((wrong) => (
          <li id={`w-${wrong.recordUuid}`} data-announce={wrongWords(words, wrong, { gate: name, zone })}>
            <PalletId id={wrongName(words, wrong)} />
            <span>{whereTo(words, wrong, zone)}</span>
            <span>
              <When date={wrong.date} />
            </span>
            {mark && (
              <RemoveRecord
                asks={status === 'COMPLETED'}
                record={wrong.recordUuid}
                label={t('load.isOffOf', { pallet: wrongName(words, wrong) })}
              >
                {t('gate.isOff')}
              </RemoveRecord>
            )}
          </li>
        ))}
      </ul>
      {more && (
        <p>
          <a href="?loadingStatus=WRONGLY_LOADED,UNKNOWN_LOADING#pallets">{t('load.andMore')}</a>
        </p>
      )}
    </section>
  );
};
