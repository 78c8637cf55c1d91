/** Tables whose columns are aligned by blanks, as terminals, reports and some host systems write them. */

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\u00a0';
/** Lines of terminals and reports are shorter. */
const LENGTH_MAXIMUM = 2_000;
/** A line with columns: blanks between two texts, of at least two characters or one. */
const TABLE_LINES = { 2: /\S[ \u00a0]{2,}\S/, 1: /\S[ \u00a0]\S/ };
/** A line below the headings that marks the columns: `----- --------`. */
const RULE = /^[ \u00a0]*[-=_]+(?:[ \u00a0]+[-=_]+)+[ \u00a0]*$/;
/** The ways to find columns, the most certain one first. */
export const WAYS = [
  { width: 2, tolerance: 0 },
  { width: 2, tolerance: 0.1 },
  { width: 1, tolerance: 0 },
] as const;
/** `width`: the blanks between two columns. `tolerance`: the share of lines with a cell that is wider than its column. */
export type Way = (typeof WAYS)[number];

/** The blanks between the columns, as positions in a line. */
export type Gaps = readonly (readonly [start: number, end: number])[];

/** The blanks between the columns of lines. Below a rule, one blank is enough. Undefined if the lines are not aligned. */
export function gapsOf(lines: readonly string[], { width, tolerance }: Way): Gaps | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const table = filled.filter((line) => TABLE_LINES[width].test(line) || RULE.test(line));
  if (table.length < 2 || table.length < filled.length / 2) return undefined;
  const widthMinimum = table.some((line) => RULE.test(line)) ? 1 : width;
  const length = table.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  if (length > LENGTH_MAXIMUM) return undefined;
  const texts = new Uint32Array(length);
  for (const line of table)
    for (let at = 0; at < Math.min(line.length, length); at += 1) if (!isBlank(line, at)) texts[at]! += 1;
  const isGap = (at: number) => texts[at]! <= table.length * tolerance;
  const gaps: [number, number][] = [];
  for (let start = 0; start < length; start += 1) {
    if (!isGap(start)) continue;
    let end = start + 1;
    while (end < length && isGap(end)) end += 1;
    if (start > 0 && end < length && end - start >= widthMinimum) gaps.push([start, end]);
    start = end;
  }
  return gaps.length > 0 ? gaps : undefined;
}

/**
 * The cells of a line. Undefined for a line with text between the columns, such as a title, or a cell that is wider than its
 * column.
 */
export function alignedCells(line: string, gaps: Gaps): string[] | undefined {
  if (gaps.some(([start, end]) => line.slice(start, end).trim() !== '')) return undefined;
  const starts = [0, ...gaps.map(([, end]) => end)];
  return starts.map((start, column) => line.slice(start, gaps[column]?.[0]).trim());
}
