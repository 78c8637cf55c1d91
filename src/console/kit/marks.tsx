import type { FC } from 'hono/jsx';
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
  const groups = /^(\d{4})(\d{4})(\d{4})(\d{2})(\d{4})$/.exec(id)?.slice(1);
  return groups === undefined ? (
    <span class="sscc">{id}</span>
  ) : (
    <span class="sscc">{groups.map((group, index) => (index === 4 ? <b>{group}</b> : <i>{group}</i>))}</span>
  );
};

/** Something that is loaded as one: a manifest. */
export interface Part {
  name: string;
  loaded: number;
  total: number;
}

/** Over so many pallets, cells have no gaps. */
const CELLS_MAXIMUM = 60;
const CELL = 0.86;
const BETWEEN = 0.55;

/** One cell a pallet, a wider gap between manifests: green once a manifest is complete, blue while it fills. */
export const LoadBar: FC<{ parts: readonly Part[] }> = ({ parts }) => {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const loaded = parts.reduce((sum, part) => sum + part.loaded, 0);
  if (total === 0) return null;
  const width = total > CELLS_MAXIMUM ? 1 : CELL;
  const drawn = { full: '', on: '', off: '' };
  let at = 0;
  for (const part of parts) {
    const filled = part.loaded === part.total ? 'full' : 'on';
    drawn[filled] += cells(at, part.loaded, width);
    drawn.off += cells(at + part.loaded, part.total - part.loaded, width);
    at += part.total + (total > CELLS_MAXIMUM ? 0 : BETWEEN);
  }
  const end = at - (total > CELLS_MAXIMUM ? 0 : BETWEEN) - (1 - width);
  return (
    <svg
      class="load"
      viewBox={`0 0 ${end.toFixed(2)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={useWords().t('gate.loadedOf', { loaded, total })}
    >
      {Object.entries(drawn).map(([name, path]) => path && <path class={name} d={path} />)}
    </svg>
  );
};

const cells = (from: number, count: number, width: number): string =>
  count === 0
    ? ''
    : width === 1
      ? `M${from.toFixed(2)} 0h${count}v1h-${count}z`
      : Array.from(
          { length: count },
          (_, index) => `M${(from + index).toFixed(2)} 0h${width}v1h-${width}z`,
        ).join('');

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
