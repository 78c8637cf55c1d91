import type { Child, FC } from 'hono/jsx';
import { useWords } from '../../../messages/context.ts';
import { Icon, type IconName } from './icons.tsx';

/** A large number with its name, and details below it. Its styles are in `figures.css`. */
export const FigureTile: FC<{
  name: string;
  value: string | number;
  /** The total that the value is a part of. */
  of?: number;
  icon?: IconName;
  class?: string;
  /** A second line of details. */
  more?: Child;
  children?: Child;
}> = ({ name, value, of, icon, class: tone = '', more, children }) => (
  <div class={`figure ${tone}`}>
    <h2>
      {icon && <Icon name={icon} />} {name}
    </h2>
    <p class="value">
      {value}
      {of !== undefined && <small> {useWords().t('day.of', { count: of })}</small>}
    </p>
    <p class="hint">{children}</p>
    {more && <p class="hint">{more}</p>}
  </div>
);
