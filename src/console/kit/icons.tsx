import type { FC } from 'hono/jsx';
import { SIGNS, type Sign } from '../../lib/signs.ts';

/** A sign by its name. */
export type IconName = Sign;

/** A sign, beside a word that says the same. */
export const Icon: FC<{ name: IconName; class?: string }> = ({ name, class: className }) => (
  <svg class={className ? `icon ${className}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path d={SIGNS[name]} />
  </svg>
);
