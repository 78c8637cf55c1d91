import type { FC } from 'hono/jsx';
import { encodeQR } from 'qr';
import { darkRuns } from '../../../dispatch/marker/symbol.ts';
import { useWords } from '../../../messages/context.ts';

/** Width of the quiet zone around the symbol in modules (ISO/IEC 18004 section 6.3.8). */
const QUIET = 4;

/** Whether only this machine can open a link. */
export const isOnThisMachine = (link: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(link).hostname);

/** A link as a QR Code. If no other device can open the link, a text beside the code says so, and what to do. */
export const QrLink: FC<{ link: string; label: string }> = ({ link, label }) => (
  <div class="qr-link">
    <QrCode text={link} label={label} />
    {isOnThisMachine(link) && (
      <p class="notice warn" role="note">
        {useWords().t('qr.onThisMachine')}
      </p>
    )}
  </div>
);

/** A text as a QR Code, black on white in every theme, because cameras need it. */
const QrCode: FC<{ text: string; label: string }> = ({ text, label }) => {
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
