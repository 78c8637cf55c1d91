import type { Words } from '../../../messages/words.ts';
import type { IconName } from '../../ui/parts/icons.tsx';
import { type DayState, type Departure, dayState } from './rules.ts';

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
