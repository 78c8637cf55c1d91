import type { FC } from 'hono/jsx';
import { encodeQR } from 'qr';
import { darkRuns } from '../../../dispatch/marker/symbol.ts';

/** Width of the quiet zone around the symbol in modules (ISO/IEC 18004 section 6.3.8). */
const QUIET = 4;

/** A text as a QR Code, black on white in every theme, because cameras need it. */
export const QrCode: FC<{ text: string; label: string }> = ({ text, label }) => {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  // One shape for each run of dark modules keeps the page small.
  const dark = rows.flatMap((row, y) =>
    darkRuns(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`),
  );
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
