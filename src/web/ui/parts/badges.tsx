import type { FC } from 'hono/jsx';
import type { GateReference } from '../../../dispatch/gate/rules.ts';
import { useWords } from '../../../messages/context.ts';
import { ssccGroups } from '../../../pallet/gs1.ts';
import { type BarPart, CELLS_MAXIMUM, drawLoadBar } from '../../../pallet/load-bar.ts';

/** The plate of a gate, as painted on the door: its number, or the beginning of its id. */
function plateOf({ name, externalIdentifier }: Omit<GateReference, 'uuid'>): string {
  const number = /(\d{1,3})\D*$/.exec(name)?.[1] ?? /(\d{1,3})\D*$/.exec(externalIdentifier)?.[1];
  return number === undefined
    ? [...externalIdentifier].slice(0, 3).join('').toUpperCase()
    : number.padStart(2, '0');
}

/** The plate of a gate. It looks the same on every page. */
export const Plate: FC<{ gate: Omit<GateReference, 'uuid'> }> = ({ gate }) => (
  <span class="plate" aria-hidden="true">
    {plateOf(gate)}
  </span>
);

/** The last four characters of an id. They are enough to distinguish the pallets of one sender. */
export const lastFour = (name: string): string => [...name].slice(-4).join('');

/**
 * A pallet's id. An SSCC is shown in groups. The groups are separated by margins, so that a copy
 * has exactly the 18 digits. Other ids are shown unchanged.
 */
export const PalletId: FC<{ id: string }> = ({ id }) => {
  const groups = ssccGroups(id);
  return groups === undefined ? (
    <span class="sscc">{id}</span>
  ) : (
    <span class="sscc">{groups.map((group, index) => (index === 4 ? <b>{group}</b> : <i>{group}</i>))}</span>
  );
};

const SSCC = /(?<!\d)(\d{18})(?!\d)/;

/** A text in which SSCCs look as elsewhere on the page. */
export const WithPallets: FC<{ text: string }> = ({ text }) => (
  <>{text.split(SSCC).map((part, index) => (index % 2 === 0 ? part : <PalletId id={part} />))}</>
);

/**
 * The load bar: a cell for each pallet, with wider gaps between manifests. A complete manifest is
 * green, others are blue.
 */
export const LoadBar: FC<{ parts: readonly BarPart[] }> = ({ parts }) => {
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
 * The load bar of a row in a list. It must be cheap to draw, so the cells are dashes of a line.
 * Missing pallets of a closed load have the class `short`.
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

/** The pallets of a row, and whether it is closed. */
interface Counted {
  loaded: number;
  total: number;
  closed: boolean;
}

/** The progress of a row: its load bar and the numbers. */
export const Loaded: FC<Counted> = (of) => {
  const { number } = useWords();
  return (
    <div class="loaded">
      <LoadLine {...of} />
      <span>
        <b>{number(of.loaded)}</b> / {number(of.total)}
      </span>
    </div>
  );
};
