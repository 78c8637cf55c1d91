import type { FC } from 'hono/jsx';
import { useWords } from '../../../../messages/context.ts';
import { Icon } from '../../../ui/parts/icons.tsx';
import { upTo } from '../../board/parts.tsx';
import { NEWS_LIMITS, type NewsRead } from './news-store.ts';
import type { ShownPallet } from './pallet-store.ts';
import { PalletFlags, PalletName } from './pallets.tsx';

/**
 * Pallets that need attention, shown above all others: pallets that were left behind or taken off
 * again, and flagged pallets.
 */
export const Problems: FC<{ news: NewsRead; completed: boolean; total: number }> = ({
  news,
  completed,
  total,
}) => {
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
