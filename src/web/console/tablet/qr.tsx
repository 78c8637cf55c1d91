import type { FC } from 'hono/jsx';
import { encodeQR } from 'qr';

/** Width of the quiet zone around the symbol in modules (ISO/IEC 18004 section 6.3.8). */
const QUIET = 4;

/** A text as a QR Code, black on white in every theme, because cameras need it. */
export const QrCode: FC<{ text: string; label: string }> = ({ text, label }) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  const dark = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}h-${rows.length}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  );
};

/** The start and width of each run of dark modules. One shape for each run keeps the page small. */
function runsOf(row: boolean[]): [start: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    if (isDark && row[x - 1]) runs.at(-1)![1] += 1;
    else if (isDark) runs.push([x, 1]);
  }
  return runs;
}
