import type { FC } from 'hono/jsx';
import { listed } from '../../../core/lib/text.ts';
import { clockIn } from '../../../core/lib/zone.ts';
import { useWords } from '../../../messages/context.ts';
import { whenIn } from '../../../messages/duration.ts';
import type { Words } from '../../../messages/words.ts';
import { LoadLine } from '../../ui/parts/badges.tsx';
import { Icon, type IconName } from '../../ui/parts/icons.tsx';
import { arrivedText } from '../board/arrival.tsx';
import { movable } from './move.ts';
import { type DayState, type Departure, dayState, isHere, lateBy, type TodayContext } from './rules.ts';

/** The icon and the style class of each state. */
export const STATES: Record<DayState, { icon: IconName; class: string }> = {
  PLANNED: { icon: 'plan', class: 'plan' },
  READY: { icon: 'ready', class: 'ready' },
  LOADING: { icon: 'load', class: 'go' },
  WRONG: { icon: 'stop', class: 'wrong' },
  ALL_LOADED: { icon: 'check', class: 'full' },
  COMPLETED: { icon: 'done', class: 'done' },
  SHORT: { icon: 'short', class: 'short' },
};

/** The progress of a shipment in a few words. */
export function progress({ t, number }: Words, departure: Departure): string {
  const { pallets: total, loaded, wrong } = departure;
  switch (dayState(departure)) {
    case 'WRONG':
      return t('day.wrong', { count: wrong });
    case 'ALL_LOADED':
      return t('dayState.ALL_LOADED');
    case 'SHORT':
      return t('day.missing', { count: total - loaded });
    case 'LOADING':
      return `${number(loaded)} / ${number(total)}`;
    default:
      return number(total);
  }
}

/** Facts about the day for the rows of gates. */
export interface Drawn extends TodayContext {
  clashes: ReadonlyMap<string, readonly Departure[]>;
  mayMove: boolean;
  /** The common beginning of the names of all shipments. */
  start: string;
}

/** The name of a shipment, without the beginning that all names have. */
const ShortName: FC<{ name: string; start: string }> = ({ name, start }) => (
  <span>
    {start !== '' && <span class="hidden">{start}</span>}
    {name.slice(start.length)}
  </span>
);

/**
 * A shipment at its gate, linked to its page. If the slot is short, its text is beside it.
 */
export const SlotLink: FC<{ departure: Departure; short: boolean; shown: Drawn }> = ({
  departure,
  short,
  shown: { zone, now, clashes, mayMove, start },
}) => {
  const words = useWords();
  const { t } = words;
  const state = dayState(departure);
  const { icon, class: tone } = STATES[state];
  const late = lateBy(departure, now);
  const clashing = clashes.get(departure.uuid) ?? [];
  const names = words.list(clashing.map(({ externalIdentifier }) => externalIdentifier));
  const said = { state: t(`dayState.${state}`), time: clockIn(zone, departure.departureDate) };
  const kinds = [tone, late > 0 && 'late', clashing.length > 0 && 'clash', short && 'brief'].filter(Boolean);
  return (
    <a
      href={`/app/shipment/${departure.uuid}`}
      class={`slot ${kinds.join(' ')}`}
      title={departure.externalIdentifier}
      {...movable(departure, mayMove)}
    >
      <b>
        <Icon name={icon} /> <ShortName name={departure.externalIdentifier} start={start} />
        {clashing.length > 0 && <Icon name="warn" />}
        {!short && isHere(departure) && <Icon name="truck" />}
      </b>
      <span>
        <span class="hidden">
          {late > 0
            ? t('day.departsLate', { ...said, late: whenIn(words, 'when.late', late) })
            : t('day.departs', said)}
          {clashing.length > 0 && `, ${t('day.clashes', { names })}`}
          {isHere(departure) && `, ${arrivedText(words, zone, departure.arrivalDate!)}`},{' '}
        </span>
        {slotText(words, departure)}
      </span>
      <LoadLine
        loaded={departure.loaded}
        total={departure.pallets}
        closed={departure.status === 'COMPLETED'}
      />
    </a>
  );
};

/** The second line of a slot: its progress and its carrier. */
const slotText = (words: Words, departure: Departure): string =>
  listed(progress(words, departure), departure.carrier);

/**
 * The text beside a short slot. The slot has the same text for screen readers, so this one is only seen. A script lets
 * the mouse use it like the slot (`data-slot`).
 */
export const BesideSlot: FC<{ departure: Departure; shown: Drawn }> = ({
  departure,
  shown: { clashes, start },
}) => (
  <span
    class={clashes.has(departure.uuid) ? 'beside clash' : 'beside'}
    aria-hidden="true"
    data-slot={departure.uuid}
  >
    <b>
      {departure.externalIdentifier.slice(start.length)} {isHere(departure) && <Icon name="truck" />}
    </b>
    <span>{slotText(useWords(), departure)}</span>
  </span>
);
