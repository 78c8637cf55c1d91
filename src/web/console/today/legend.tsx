import type { FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Icon } from '../../ui/parts/icons.tsx';
import { DAY_STATES, type Lane } from './rules.ts';
import type { Drawn } from './slot.tsx';
import { STATES } from './states.ts';

/** The legend of the slots, and how to move one. */
export const Legend: FC<{ mayMove: boolean }> = ({ mayMove }) => {
  const { t } = useWords();
  return (
    <ul class="legend" aria-hidden="true">
      {DAY_STATES.map((state) => (
        <li class={STATES[state].class}>
          <Icon name={STATES[state].icon} /> {t(`dayState.${state}`)}
        </li>
      ))}
      <li class="how">
        {t('day.ends')} {mayMove && t('day.how')}
      </li>
    </ul>
  );
};

/** Gates with two shipments at once, which a dispatcher has to resolve. */
export const Clashes: FC<{ lanes: readonly Lane[]; clashes: Drawn['clashes'] }> = ({ lanes, clashes }) => {
  const words = useWords();
  const at = lanes.flatMap(({ gate, lines }) => {
    const names = lines
      .flat()
      .filter(({ departure }) => clashes.has(departure.uuid))
      .map(({ departure }) => departure.externalIdentifier);
    return names.length === 0 ? [] : [{ gate: gate.name, names: words.list(names) }];
  });
  if (at.length === 0) return null;
  return (
    <div class="notice warn clashes">
      <p>
        <Icon name="warn" /> {words.t('day.clashTitle', { count: at.length })}
      </p>
      <ul>
        {at.map((clash) => (
          <li>{words.t('day.clash', clash)}</li>
        ))}
      </ul>
    </div>
  );
};
