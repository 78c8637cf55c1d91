import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { distanceIn } from '../../../messages/duration.ts';
import type { Words } from '../../../messages/words.ts';
import { FigureTile } from '../../ui/parts/figure.tsx';
import { type Departure, dayState, lateBy, type TodayContext } from './rules.ts';

/** The main figures for a dispatcher. */
export const Figures: FC<{ departures: readonly Departure[]; shown: TodayContext }> = ({
  departures,
  shown: { zone, now },
}) => {
  const words = useWords();
  const { t } = words;
  const late = departures.filter((departure) => lateBy(departure, now) > 0);
  const wrong = departures.filter((departure) => dayState(departure) === 'WRONG');
  const left = departures.filter(({ status }) => status === 'COMPLETED');
  const next = departures.find(({ status, departureDate }) => status !== 'COMPLETED' && departureDate >= now);
  const short = left.filter((departure) => dayState(departure) === 'SHORT').length;
  const sum = (of: readonly Departure[], what: (departure: Departure) => number) =>
    of.reduce((total, departure) => total + what(departure), 0);
  return (
    <section class="figures" aria-label={t('day.now')}>
      <FigureTile
        name={t('day.trucksLate')}
        icon="clock"
        class={late.length > 0 ? 'late' : ''}
        value={late.length}
      >
        {named(words, late, (departure) =>
          t('day.lateBy', {
            name: departure.externalIdentifier,
            distance: distanceIn(words, lateBy(departure, now)),
          }),
        )}
      </FigureTile>
      <FigureTile
        name={t('day.wrongPallets')}
        icon="stop"
        class={wrong.length > 0 ? 'wrong' : ''}
        value={sum(wrong, (departure) => departure.wrong)}
      >
        {named(words, wrong, ({ externalIdentifier: name, gate }) =>
          gate ? t('day.wrongAt', { name, gate: gate.name }) : name,
        )}
      </FigureTile>
      <FigureTile
        name={t('day.leavesNext')}
        icon="load"
        value={next ? clockIn(zone, next.departureDate) : '–'}
      >
        {next &&
          listed(
            next.externalIdentifier,
            next.carrier,
            t('day.toLoad', { count: next.pallets - next.loaded }),
          )}
      </FigureTile>
      <FigureTile name={t('day.left')} icon="done" value={left.length} of={departures.length}>
        {t('day.pallets', { count: sum(left, ({ loaded }) => loaded) })}
        {short > 0 && `, ${t('day.short', { count: short })}`}
      </FigureTile>
    </section>
  );
};

/** A text about the first items, and the number of the others. */
function named(
  { t }: Words,
  departures: readonly Departure[],
  say: (departure: Departure) => string,
): string {
  const names = departures.slice(0, 2).map(say).join(', ');
  return departures.length > 2 ? t('day.andMore', { names, count: departures.length - 2 }) : names;
}
