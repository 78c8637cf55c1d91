import type { FC } from 'hono/jsx';
import { ssccGroups } from '../../lib/gs1.ts';
import { CELLS_MAXIMUM, drawLoadBar, type Part } from '../../lib/load-bar.ts';
import { useWords } from '../../messages/context.ts';
import type { GateReference } from '../../site/rules.ts';

/** A gate as it is painted on the door: its number, else the beginning of its id. */
export function plateOf({ name, externalIdentifier }: Omit<GateReference, 'uuid'>): string {
  const number = /(\d{1,3})\D*$/.exec(name)?.[1] ?? /(\d{1,3})\D*$/.exec(externalIdentifier)?.[1];
  return number === undefined
    ? [...externalIdentifier].slice(0, 3).join('').toUpperCase()
    : number.padStart(2, '0');
}

/** The same object on every page. */
export const Plate: FC<{ gate: Omit<GateReference, 'uuid'> }> = ({ gate }) => (
  <span class="plate" aria-hidden="true">
    {plateOf(gate)}
  </span>
);

/** Digits that tell pallets of one sender apart: the last four. */
export const lastFour = (name: string): string => [...name].slice(-4).join('');

/** A pallet's id: an SSCC in its groups, which are margins, so that a copy has 18 digits; any other as it is. */
export const PalletId: FC<{ id: string }> = ({ id }) => {
  const groups = ssccGroups(id);
  return groups === undefined ? (
    <span class="sscc">{id}</span>
  ) : (
    <span class="sscc">{groups.map((group, index) => (index === 4 ? <b>{group}</b> : <i>{group}</i>))}</span>
  );
};

/** One cell a pallet, a wider gap between manifests: green once a manifest is complete, blue while it fills. */
export const LoadBar: FC<{ parts: readonly Part[] }> = ({ parts }) => {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const loaded = parts.reduce((sum, part) => sum + part.loaded, 0);
  const { t } = useWords();
  if (total === 0) return null;
  const { width, ...paths } = drawLoadBar(parts);
  return (
    <svg
      class="load"
      viewBox={`0 0 ${width.toFixed(2)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('gate.loadedOf', { loaded, total })}
    >
      {Object.entries(paths).map(([name, path]) => path && <path class={name} d={path} />)}
    </svg>
  );
};

/**
 * The load bar of a row, which has to be light: lines whose dashes are the cells. What closed without some of its pallets
 * is short.
 */
export const LoadLine: FC<Counted> = ({ loaded, total, closed }) => {
  const whole = loaded === total;
  if (total === 0) return null;
  return (
    <svg
      class={total > CELLS_MAXIMUM ? 'load line solid' : 'load line'}
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {loaded > 0 && <path class={whole || closed ? 'full' : 'on'} d={`M0 .5h${loaded}`} />}
      {!whole && <path class={closed ? 'short' : 'off'} d={`M${loaded} .5h${total - loaded}`} />}
    </svg>
  );
};

/** Pallets of a row, and whether it is closed. */
interface Counted {
  loaded: number;
  total: number;
  closed: boolean;
}

/** How far a row is: its load bar and the numbers. */
export const Loaded: FC<Counted> = (of) => (
  <div class="loaded">
    <LoadLine {...of} />
    <span>
      <b>{of.loaded}</b> / {of.total}
    </span>
  </div>
);
