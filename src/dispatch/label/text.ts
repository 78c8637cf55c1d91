import { type Advances, drawnPieces, wrapped } from '../../core/lib/drawn-text.ts';

const ELLIPSIS = '…';

/** A text with its size. */
export interface Fitted {
  text: string;
  size: number;
}

export function widthOf(text: string, advances: Advances): number {
  let width = 0;
  for (const character of text) width += advances.get(character.codePointAt(0)!) ?? 0;
  return width;
}

/** Fit a text into a line: shrink it down to a size, then cut it and end it with an ellipsis. */
export function fitted(
  text: string,
  advances: Advances,
  width: number,
  [most, least]: [number, number],
): Fitted {
  const pieces = drawnPieces(text, advances);
  const whole = pieces.join('');
  const size = Math.min(most, width / Math.max(widthOf(whole, advances), Number.EPSILON));
  if (size >= least) return { text: whole, size };
  return { text: shortened(pieces, advances, width / least), size: least };
}

/** The longest beginning of a text that fits into a width with an ellipsis. `width` is in units of the font size. */
function shortened(pieces: readonly string[], advances: Advances, width: number): string {
  let [text, used] = ['', widthOf(ELLIPSIS, advances)];
  for (const piece of pieces) {
    used += widthOf(piece, advances);
    if (used > width) break;
    text += piece;
  }
  return text.trimEnd() + ELLIPSIS;
}

/**
 * Fit a text into lines of a box, as large as possible. If it is too long at the smallest size, the last line ends with
 * an ellipsis. `line` is the height of a line as a multiple of the size.
 */
export function fittedLines(
  text: string,
  advances: Advances,
  { width, height, line }: { width: number; height: number; line: number },
  [most, least]: [number, number],
): { lines: string[]; size: number } {
  for (let size = most; ; size = Math.max(least, size * 0.85)) {
    const lines = wrapped(text, advances, width / size);
    const room = Math.floor(height / (line * size));
    if (lines.length <= room) return { lines, size };
    if (size > least) continue;
    const last = shortened([...lines[room - 1]!, ...ELLIPSIS], advances, width / size);
    return { lines: [...lines.slice(0, room - 1), last], size };
  }
}
