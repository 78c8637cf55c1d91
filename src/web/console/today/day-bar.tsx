import type { FC } from 'hono/jsx';
import { dayAfter } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../../ui/parts/icons.tsx';
import { LiveStatus } from '../board/parts.tsx';

/** The address of a day's page. */
export const addressOf = (day: string): string => `/app/today?day=${day}`;

/** The choice of the day, and the other buttons of its page. Days are written as 2026-11-22. */
export const DayBar: FC<{ day: string; today: string; mayMove: boolean }> = ({ day, today, mayMove }) => {
  const { t } = useWords();
  return (
    <div class="days actions">
      <LiveStatus again={addressOf(day)} plain />
      <a class="button quiet" href={addressOf(dayAfter(day, -1))} rel="prev" aria-label={t('day.before')}>
        <Icon name="back" />
      </a>
      <form method="get" action="/app/today" id="pick-day">
        <input type="date" name="day" value={day} aria-label={t('day.day')} required />
        <noscript>
          <button type="submit" class="button quiet">
            {t('day.show')}
          </button>
        </noscript>
      </form>
      <a class="button quiet" href={addressOf(dayAfter(day, 1))} rel="next" aria-label={t('day.after')}>
        <Icon name="next" />
      </a>
      {day !== today && (
        <a class="button quiet" href="/app/today">
          {t('day.today')}
        </a>
      )}
      <a class="button quiet wide" href="/app/board?screen=wall">
        <Icon name="board" /> {t('board.wall')}
      </a>
      {mayMove && (
        <a class="button" href="/app/shipment/new" aria-label={t('make.shipment')}>
          <Icon name="plus" /> <span class="wide">{t('make.shipment')}</span>
        </a>
      )}
    </div>
  );
};
