/** Width of a character as a multiple of the font's size, by code point; undefined if the font does not have it. */
export type Advances = ReadonlyMap<number, number>;

/** Scripts whose letters stand from left to right and do not join. */
const PLAIN =
  /^[[\p{L}\p{N}\p{P}\p{S}]&&[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]]$/v;

/**
 * A text as a document draws it, in pieces that no line is broken within: each character as itself, if the font has it
 * and it is read the same wherever it stands; else as `{U+XXXX}`, its code point. So are control and formatting
 * characters, combining marks, letters that join or run from right to left, and spaces that nobody could count (at the
 * ends, or after another). What is drawn is never another text than what was given: from the pieces it can be read
 * back, as a `{` that would look like such a notation is itself written as one.
 */
export function drawnPieces(text: string, advances: Advances): string[] {
  const characters = [...text];
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

/** Whether a text is drawn with code points in it. */
export const hasNotation = (text: string, advances: Advances): boolean =>
  drawnPieces(text, advances).some((piece) => piece.length > 2);

/** Width of a piece as a multiple of the font's size. */
function widthOf(piece: string, advances: Advances): number {
  let width = 0;
  for (const character of piece) width += advances.get(character.codePointAt(0)!) ?? 0;
  return width;
}

/**
 * Break a text into lines no wider than `width`, which is a multiple of the font's size; joined they are the whole
 * text. A line ends after a space if it has one, else where it is full.
 */
export function wrapped(text: string, advances: Advances, width: number): string[] {
  const lines: string[] = [];
  let [line, lineWidth] = ['', 0];
  /** Where the line could end, and the width of what follows. */
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
