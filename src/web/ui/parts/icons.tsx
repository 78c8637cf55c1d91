import type { FC } from 'hono/jsx';
import { SIGNS, type Sign } from '../../../core/lib/signs.ts';

/** An icon by its name. */
export type IconName = Sign;

/** An icon next to a word with the same meaning. */
export const Icon: FC<{ name: IconName; class?: string }> = ({ name, class: className }) => (
  <svg class={className ? `icon ${className}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={SIGNS[name]} />
  </svg>
);
