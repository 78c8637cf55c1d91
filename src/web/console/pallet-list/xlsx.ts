import { type Budget, declareReader, OverBudget } from '../../../core/lib/reader.ts';
import { NO_VALUE } from './cell.ts';
import { COLUMNS_MAXIMUM } from './rows.ts';
import { UnreadableError } from './unreadable.ts';
import { columnOf, lineOf, NumberFormats, ownText, TextOfCell } from './xlsx-cell.ts';
import { type XmlHandlers, XmlReader } from './xml.ts';
import { Archive } from './zip.ts';

/**
 * Texts of a workbook. A text that is cut out of a piece of XML keeps the whole piece in memory. So after each piece, its
 * texts are joined, which copies them.
 */

/** The highest number of a row with cells. */
const ROWS_MAXIMUM = 60_000;

/** The texts that cells refer to by number. */
class SharedTexts {
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
class SheetLines {
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
  all(): string[] {
    this.#endRow();
    this.settle();
    return this.#pieces.join('').slice(0, -1).split('\n');
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

/** A sheet of a workbook as text: rows in lines, cells separated by tabs. */
export interface SheetText {
  text: string;
  /** The name of the sheet. */
  name: string;
  /** The numbers of the lines of hidden rows. */
  hidden: number[];
  /** Whether a filter may have hidden them. */
  isFiltered: boolean;
}

/** The visible sheets of a workbook that were read, in their order, and the number of all visible ones. */
export interface BookText {
  sheets: SheetText[];
  visible: number;
}

/** The most sheets that are read. */
export const SHEETS_MAXIMUM = 20;

/** A merged cell: its first row and column, and its last row. */
interface Merged {
  row: number;
  column: number;
  last: number;
}

/**
 * The work for a workbook. `bytes`: of its parts after unpacking. `elements`: rows, cells, shared texts, styles, sheets and
 * relations. `characters`: of the texts of its cells, as they are written and as they are read, and one for each column.
 * Each reference to a shared text counts, and each empty cell before a text.
 */
export const XLSX = declareReader('xlsx', {
  bytes: 10 * 1024 * 1024,
  elements: 250_000,
  characters: 5 * 1024 * 1024,
});
type XlsxBudget = Budget<keyof typeof XLSX.limits>;

/**
 * Read the visible sheets of a workbook (ECMA-376). The parts are unpacked and parsed in chunks, and the budget is charged
 * before the work, so that a small file costs little. Numbers with leading zeros and dates are read as the sheet shows them.
 * If the first sheets use up the budget, the others are not read.
 * @throws `UnreadableError`
 */
export async function bookText(bytes: Uint8Array): Promise<BookText> {
  try {
    return await new Workbook(bytes).read();
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(error instanceof OverBudget ? 'large' : 'broken');
  }
}

/** The names of the parts that are read. */
const RELATIONS: ReadonlySet<string> = new Set(['officeDocument', 'sharedStrings', 'styles']);
/** The prefix of the names of sheets. */
const SHEET = 'sheet:';

const isTooLarge = (error: unknown): boolean =>
  error instanceof OverBudget || (error instanceof UnreadableError && error.reason === 'large');

/** Files in the workbooks of OpenDocument and of Numbers. */
const OTHERS = ['content.xml', 'Index/Document.iwa', 'Index.zip'];

class Workbook {
  readonly #archive: Archive;
  readonly #budget: XlsxBudget = XLSX.budget();

  constructor(bytes: Uint8Array) {
    this.#archive = new Archive(bytes);
  }

  async read(): Promise<BookText> {
    if (OTHERS.some((name) => this.#archive.has(name))) throw new UnreadableError('other');
    const root = await this.#targets('', ({ type }) => type);
    const workbook = root.get('officeDocument') ?? 'xl/workbook.xml';
    const { listed, visible, is1904 } = await this.#sheetsOf(workbook);
    const ids = new Set(listed.map(({ id }) => id));
    const parts = await this.#targets(workbook, ({ id, type }) => (ids.has(id) ? SHEET + id : type));
    const shared = await this.#sharedTexts(parts.get('sharedStrings'));
    const formats = await this.#formats(parts.get('styles'), is1904);
    const sheets: SheetText[] = [];
    for (const { id, name } of listed) {
      const part = parts.get(SHEET + id);
      if (part === undefined) throw new UnreadableError('broken');
      try {
        sheets.push({ name, ...(await this.#rows(part, shared, formats)) });
      } catch (error) {
        // The sheets before it may be the list.
        if (sheets.length > 0 && isTooLarge(error)) break;
        throw error;
      }
    }
    return { sheets, visible };
  }

  /** The parts that a part refers to, by name: the first of each name that is wanted. */
  async #targets(
    part: string,
    nameOf: (relation: { id: string | undefined; type: string }) => string,
  ): Promise<Map<string, string>> {
    const slash = part.lastIndexOf('/') + 1;
    const targets = new Map<string, string>();
    await this.#parse(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`, {
      open: (tag, attribute) => {
        if (tag !== 'Relationship') return;
        this.#budget.charge('elements');
        const type = attribute('Type') ?? '';
        const name = nameOf({ id: attribute('Id'), type: type.slice(type.lastIndexOf('/') + 1) });
        if (!(RELATIONS.has(name) || name.startsWith(SHEET)) || targets.has(name)) return;
        const { pathname } = new URL(attribute('Target') ?? '', `file:///${part}`);
        targets.set(name, decodeURIComponent(pathname).slice(1));
      },
    });
    return targets;
  }

  /** The first visible sheets, the number of all visible ones, and whether days count from 1904. */
  async #sheetsOf(workbook: string) {
    const listed: { id: string | undefined; name: string }[] = [];
    let [visible, is1904] = [0, false];
    await this.#parse(workbook, {
      open: (name, attribute) => {
        if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '');
        if (name !== 'sheet' || /^(?:veryH|h)idden$/.test(attribute('state') ?? '')) return;
        this.#budget.charge('elements');
        if (listed.length < SHEETS_MAXIMUM)
          listed.push({ id: attribute('id'), name: attribute('name') ?? '' });
        visible += 1;
      },
    });
    if (visible === 0) throw new UnreadableError('broken');
    return { listed, visible, is1904 };
  }

  /** The texts that cells refer to by number. */
  async #sharedTexts(part: string | undefined): Promise<SharedTexts> {
    const shared = new SharedTexts();
    const cell = new TextOfCell(this.#budget);
    if (part === undefined) return shared;
    await this.#parse(
      part,
      {
        open: (name) => {
          if (name === 'si') this.#budget.charge('elements');
          else cell.open(name);
        },
        text: (text) => cell.add(text),
        close: (name) => {
          if (name === 'si') shared.add(lineOf(cell.take()));
          else cell.close(name);
        },
      },
      () => shared.settle(),
    );
    return shared;
  }

  /** How cells show numbers. */
  async #formats(part: string | undefined, is1904: boolean): Promise<NumberFormats> {
    const formats = new NumberFormats(is1904);
    if (part === undefined) return formats;
    await this.#parse(part, {
      open: (name, attribute) => {
        if (name === 'xf' || name === 'numFmt') this.#budget.charge('elements');
        formats.open(name, attribute);
      },
      close: (name) => formats.close(name),
    });
    return formats;
  }

  /** The rows of a sheet. A row has the number of its line, so rows that the file leaves out become blank lines. */
  async #rows(part: string, shared: SharedTexts, formats: NumberFormats): Promise<Omit<SheetText, 'name'>> {
    const budget = this.#budget;
    const hidden: number[] = [];
    const merged: Merged[] = [];
    let [isFiltered, isHidden, isFormula, hasValue] = [false, false, false, false];
    const sheet = new SheetLines();
    const cell = new TextOfCell(budget);
    let [row, column, filled] = [0, 0, 0];
    let [type, style] = ['n', 0];
    await this.#parse(
      part,
      {
        open(name, attribute) {
          if (name === 'c') {
            budget.charge('elements');
            const next = columnOf(attribute('r')) ?? column + 1;
            // Columns of a row increase. Otherwise a row could have any number of cells.
            if (next <= column) throw new UnreadableError('broken');
            column = next;
            type = attribute('t') ?? 'n';
            style = Number(attribute('s') ?? 0);
            cell.take();
            [isFormula, hasValue] = [false, false];
          } else if (name === 'row') {
            budget.charge('elements');
            row = Number(attribute('r') ?? row + 1);
            column = 0;
            filled = 0;
            isHidden = /^(?:1|true)$/.test(attribute('hidden') ?? '');
          } else if (name === 'mergeCell') {
            budget.charge('elements');
            const cells = mergedIn(attribute('ref') ?? '');
            if (cells) merged.push(cells);
          } else if (name === 'autoFilter' || name === 'tablePart') isFiltered = true;
          else {
            isFormula ||= name === 'f';
            hasValue ||= name === 'v' || name === 'is';
            cell.open(name);
          }
        },
        text: (text) => cell.add(text),
        close(name) {
          if (name === 'c') {
            if (column > COLUMNS_MAXIMUM) return;
            const stored = cell.take();
            const value =
              isFormula && !hasValue
                ? NO_VALUE
                : type === 's'
                  ? shared.at(Number(stored))
                  : lineOf(ownText(type, stored, formats.at(style)));
            if (value === '') return;
            if (isHidden && hidden.at(-1) !== row) hidden.push(row);
            budget.charge('characters', value.length + column - filled);
            filled = column;
            sheet.add(row, column, value);
          } else if (name !== 'row') cell.close(name);
        },
      },
      () => sheet.settle(),
    );
    const lines = sheet.all();
    fillMerged(lines, merged, budget);
    return { text: lines.join('\n'), hidden, isFiltered };
  }

  /** Parse a part while it is unpacked. `settle` is called after each piece. */
  async #parse(part: string, handlers: XmlHandlers, settle?: () => void): Promise<void> {
    const reader = new XmlReader(handlers);
    const decoder = new TextDecoder();
    for await (const chunk of this.#archive.unpacked(part)) {
      this.#budget.charge('bytes', chunk.length);
      reader.write(decoder.decode(chunk, { stream: true }));
      settle?.();
    }
    reader.write(decoder.decode());
    reader.end();
  }
}

/** The merged cell of a reference such as `A2:B4`, if it has several rows. */
function mergedIn(reference: string): Merged | undefined {
  const found = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(reference);
  if (!found) return undefined;
  const [column, row, last] = [columnOf(found[1])!, Number(found[2]), Number(found[3])];
  return row >= 1 && last > row && column <= COLUMNS_MAXIMUM ? { row, column, last } : undefined;
}

/**
 * Write the value of each merged cell into all its rows that have other cells. Each is charged before it is written. A row
 * with a quoted tab stays as it is.
 */
function fillMerged(lines: string[], merged: readonly Merged[], budget: XlsxBudget): void {
  const rows = new Map<number, string[]>();
  const cellsAt = (at: number): string[] => {
    const line = lines[at] ?? '';
    const cells = rows.get(at) ?? (/(?:^|\t)"/.test(line) || line === '' ? [] : line.split('\t'));
    rows.set(at, cells);
    return cells;
  };
  for (const { row, column, last } of merged) {
    const value = cellsAt(row - 1)[column - 1] ?? '';
    if (value === '') continue;
    for (let at = row; at < Math.min(last, lines.length); at += 1) {
      budget.charge('characters', value.length + column);
      const cells = cellsAt(at);
      if (cells.length === 0) continue;
      while (cells.length < column) cells.push('');
      cells[column - 1] ||= value;
    }
  }
  for (const [at, cells] of rows) if (cells.length > 0) lines[at] = cells.join('\t');
}
