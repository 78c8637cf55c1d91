import { UnreadableError } from './unreadable.ts';

/**
 * Texts of a workbook. A text that is cut out of a piece of XML keeps the whole piece in memory. So after each piece, its
 * texts are joined, which copies them.
 */

/** The highest number of a row with cells. */
const ROWS_MAXIMUM = 60_000;

/** The texts that cells refer to by number. */
export class SharedTexts {
  readonly #ends: number[] = [];
  #open: string[] = [];
  #all = '';

  add(text: string): void {
    this.#open.push(text);
    this.#ends.push((this.#ends.at(-1) ?? 0) + text.length);
  }

  /** The piece of XML ends. */
  settle(): void {
    this.#all += copied(this.#open, '');
    this.#open = [];
  }

  /** The text with a number. @throws `UnreadableError` without one */
  at(index: number): string {
    const end = this.#ends[index];
    if (end === undefined) throw new UnreadableError('broken');
    return this.#all.slice(this.#ends[index - 1] ?? 0, end);
  }
}

/** The lines of a sheet. */
export class SheetLines {
  readonly #pieces: string[] = [];
  #lines: string[] = [];
  #cells: string[] = [];
  /** The number of the row of `#cells`, and of the lines before it. */
  #row = 0;
  #count = 0;

  /** Add a cell behind the cells before it. Rows that are left out become blank lines. @throws `UnreadableError` for a row that is above, or too far below */
  add(row: number, column: number, value: string): void {
    if (row !== this.#row) {
      if (!Number.isInteger(row) || row < this.#row) throw new UnreadableError('broken');
      if (row > ROWS_MAXIMUM) throw new UnreadableError('large');
      this.#endRow();
      this.#row = row;
    }
    while (this.#cells.length < column - 1) this.#cells.push('');
    this.#cells.push(value);
  }

  /** The piece of XML ends. */
  settle(): void {
    if (this.#lines.length > 0) this.#pieces.push(copied(this.#lines, '\n'));
    this.#lines = [];
    this.#cells = this.#cells.map((cell) => copied([cell], ''));
  }

  /** All lines. */
  text(): string {
    this.#endRow();
    this.settle();
    return this.#pieces.join('').slice(0, -1);
  }

  #endRow(): void {
    if (this.#row === 0) return;
    for (; this.#count < this.#row - 1; this.#count += 1) this.#lines.push('');
    this.#lines.push(this.#cells.join('\t'));
    this.#count += 1;
    this.#cells = [];
  }
}

/** The joined texts as a copy. `join` would return a single text without copying it. */
const copied = (texts: readonly string[], end: string): string => [...texts, ''].join(end);
