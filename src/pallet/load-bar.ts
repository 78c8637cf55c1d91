/** One segment of the bar: a manifest with its pallets. */
export interface BarPart {
  name: string;
  loaded: number;
  total: number;
}

/** Above this number of pallets, cells are drawn without gaps. */
export const CELLS_MAXIMUM = 60;
const CELL = 0.86;
const BETWEEN = 0.55;

/** The drawing of a load bar: SVG paths in a box of this width and height 1. */
interface LoadBarDrawing {
  width: number;
  /** Loaded pallets of complete parts. */
  full: string;
  /** Loaded pallets of incomplete parts. */
  on: string;
  /** Pallets that are not loaded. */
  off: string;
}

/** Draw one cell for each pallet, with a wider gap between parts. */
export function drawLoadBar(parts: readonly BarPart[]): LoadBarDrawing {
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const width = total > CELLS_MAXIMUM ? 1 : CELL;
  const between = total > CELLS_MAXIMUM ? 0 : BETWEEN;
  const drawn = { full: '', on: '', off: '' };
  let at = 0;
  for (const part of parts) {
    drawn[part.loaded === part.total ? 'full' : 'on'] += cells(at, part.loaded, width);
    drawn.off += cells(at + part.loaded, part.total - part.loaded, width);
    at += part.total + between;
  }
  return { ...drawn, width: at - between - (1 - width) };
}

const cells = (from: number, count: number, width: number): string =>
  count === 0
    ? ''
    : width === 1
      ? `M${from.toFixed(2)} 0h${count}v1h-${count}z`
      : Array.from(
          { length: count },
          (_, index) => `M${(from + index).toFixed(2)} 0h${width}v1h-${width}z`,
        ).join('');
