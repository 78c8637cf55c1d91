/**
 * Width of a character as a multiple of the font's size, by code point. Undefined if the font does
 * not have it.
 */
export type Advances = ReadonlyMap<number, number>;

/** Scripts whose letters run from left to right and do not join. */
const PLAIN =
  /^[[\p{L}\p{N}\p{P}\p{S}]&&[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]]$/v;

/**
 * A text as a document draws it, in pieces. A line is never broken within a piece. The text is drawn in NFC, so that `e`
 * with a combining accent is one glyph, like `é`. A character is drawn as itself if the font has it and it looks the same
 * in every position. Otherwise it is drawn as its code point, `{U+XXXX}`. This applies to control and formatting
 * characters, other combining marks, and letters that join or run from right to left. It also applies to spaces that a
 * reader could not count: at the ends, or after another space.
 * The text in NFC can always be read back from the pieces. A `{` that looks like the beginning of such a notation is
 * written as its own code point.
 */
export function drawnPieces(text: string, advances: Advances): string[] {
  const characters = [...text.normalize('NFC')];
  return characters.map((character, index) => {
    const codePoint = character.codePointAt(0)!;
    if (character === ' ') {
      const countable = index > 0 && index < characters.length - 1 && characters[index - 1] !== ' ';
      return countable ? ' ' : notation(codePoint);
    }
    const imitates = character === '{' && characters[index + 1] === 'U' && characters[index + 2] === '+';
    return advances.has(codePoint) && PLAIN.test(character) && !imitates ? character : notation(codePoint);
  });
}

const notation = (codePoint: number): string =>
  `{U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}}`;

/** Whether a text is drawn with code points. */
export const hasNotation = (text: string, advances: Advances): boolean =>
  drawnPieces(text, advances).some((piece) => piece.length > 2);

/** Width of a piece as a multiple of the font's size. */
function widthOf(piece: string, advances: Advances): number {
  let width = 0;
  for (const character of piece) width += advances.get(character.codePointAt(0)!) ?? 0;
  return width;
}

/**
 * Break a text into lines no wider than `width`, a multiple of the font's size. Joined, the lines
 * are the whole text. A line ends after a space if it has one. Otherwise it ends where it is full.
 */
export function wrapped(text: string, advances: Advances, width: number): string[] {
  const lines: string[] = [];
  let [line, lineWidth] = ['', 0];
  /** Where the line could end, and the width of the text after that. */
  let [breakAt, afterBreak] = [0, 0];
  for (const piece of drawnPieces(text, advances)) {
    const pieceWidth = widthOf(piece, advances);
    while (line !== '' && piece !== ' ' && lineWidth + pieceWidth > width) {
      const end = breakAt > 0 ? breakAt : line.length;
      lines.push(line.slice(0, end));
      line = line.slice(end);
      lineWidth = breakAt > 0 ? afterBreak : 0;
      [breakAt, afterBreak] = [0, 0];
    }
    line += piece;
    lineWidth += pieceWidth;
    if (piece === ' ') [breakAt, afterBreak] = [line.length, 0];
    else afterBreak += pieceWidth;
  }
  return [...lines, line];
}
