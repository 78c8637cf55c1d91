import type { FC } from 'hono/jsx';
import { isoDate } from '../../../core/lib/time.ts';
import { useWords } from '../../../messages/context.ts';
import type { Words } from '../../../messages/words.ts';
import { ActionButton } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/parts/icons.tsx';
import { useZone } from '../../ui/parts/view.ts';
import type { GateActions } from './actions.ts';
import { clockOrTime } from './board-parts.tsx';
import { type BoardLoad, loadValue, type Rights } from './rules.ts';

/** `arrived 14:05`, in the time zone of the site, with the day if it is not today. */
export const arrivedText = (words: Words, zone: string, at: number): string =>
  words.t('gate.arrived', { time: clockOrTime(words, zone, at) });

/** The mark of a load after the arrival of its truck. */
export const Arrived: FC<{ at: number | null }> = ({ at }) => {
  const words = useWords();
  const zone = useZone();
  return at === null ? null : (
    <time class="arrived" datetime={isoDate(at)}>
      <Icon name="truck" /> {arrivedText(words, zone, at)}
    </time>
  );
};

/** At a gate: the arrival of the truck of a shipment, or the button that records it. */
export const TruckAtGate: FC<{ thing: BoardLoad | undefined; rights: Rights }> = ({ thing, rights }) => {
  const { t, labelled } = useWords();
  if (thing?.kind !== 'shipment') return null;
  if (thing.arrivalDate !== null) return <Arrived at={thing.arrivalDate} />;
  return rights.load ? (
    <ActionButton<GateActions>
      action="arrive"
      values={{ thing: loadValue(thing) }}
      quiet
      label={labelled(t('gate.truckHere'), thing.externalIdentifier)}
    >
      {t('gate.truckHere')}
    </ActionButton>
  ) : null;
};
