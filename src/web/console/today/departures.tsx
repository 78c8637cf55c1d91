import type { FC } from 'hono/jsx';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { whenIn } from '../../../messages/duration.ts';
import { Plate } from '../../ui/parts/badges.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { arrivedText } from '../board/arrival.tsx';
import { type Departure, dayState, isHere, lateBy, type TodayContext } from './rules.ts';
import { progress, STATES } from './states.ts';

/**
 * The shipments that have not left, by departure, so late ones come first. Phones show it above the grid, which is too
 * wide for them.
 */
export const OpenList: FC<{ departures: readonly Departure[]; shown: TodayContext }> = ({
  departures,
  shown: { zone, now },
}) => {
  const words = useWords();
  const { t } = words;
  if (departures.length === 0) return null;
  return (
    <ol class="open-list" aria-label={t('day.open')}>
      {departures.map((departure) => {
        const late = lateBy(departure, now);
        const { icon, class: tone } = STATES[dayState(departure)];
        return (
          <li>
            <a href={`/app/shipment/${departure.uuid}`}>
              {departure.gate ? (
                <Plate gate={departure.gate} />
              ) : (
                <span class="plate none" aria-hidden="true">
                  ?
                </span>
              )}
              <b>{departure.externalIdentifier}</b>
              <span class={late > 0 ? 'late' : undefined}>
                <b>{clockIn(zone, departure.departureDate)}</b> {late > 0 && whenIn(words, 'when.late', late)}
              </span>
              <span class="hint">{departure.carrier}</span>
              <span class={tone}>
                <Icon name={icon} /> {progress(words, departure)}
                {isHere(departure) && (
                  <>
                    {' '}
                    <Icon name="truck" />
                    <span class="hidden">{arrivedText(words, zone, departure.arrivalDate!)}</span>
                  </>
                )}
              </span>
            </a>
          </li>
        );
      })}
    </ol>
  );
};
