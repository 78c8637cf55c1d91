import { type Budget, declareReader, OverBudget } from '../../../core/lib/reader.ts';
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

/** The first sheet of a workbook as text: rows in lines, cells separated by tabs. */
interface SheetText {
  text: string;
  /** The name of the sheet. */
  name: string;
  /** The number of visible sheets in the workbook. */
  sheets: number;
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
 * Read the first visible sheet of a workbook (ECMA-376). The parts are unpacked and parsed in chunks, and the budget is charged
 * before the work, so that a small file costs little. Numbers with leading zeros and dates are read as the sheet shows them.
 * @throws `UnreadableError`
 */
export async function sheetText(bytes: Uint8Array): Promise<SheetText> {
  try {
    return await new Workbook(bytes).read();
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    throw new UnreadableError(error instanceof OverBudget ? 'large' : 'broken');
  }
}

/** The names of the parts that are read. */
const RELATIONS: ReadonlySet<string> = new Set(['officeDocument', 'sheet', 'sharedStrings', 'styles']);

class Workbook {
  readonly #archive: Archive;
  readonly #budget: XlsxBudget = XLSX.budget();

  constructor(bytes: Uint8Array) {
    this.#archive = new Archive(bytes);
  }

  async read(): Promise<SheetText> {
    const root = await this.#targets('', ({ type }) => type);
    const workbook = root.get('officeDocument') ?? 'xl/workbook.xml';
    const { sheet, visible, is1904 } = await this.#sheetsOf(workbook);
    const parts = await this.#targets(workbook, ({ id, type }) => (id === sheet.id ? 'sheet' : type));
    const part = parts.get('sheet');
    if (part === undefined) throw new UnreadableError('broken');
    const shared = await this.#sharedTexts(parts.get('sharedStrings'));
    const formats = await this.#formats(parts.get('styles'), is1904);
    return { text: await this.#rows(part, shared, formats), name: sheet.name, sheets: visible };
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
        if (!RELATIONS.has(name) || targets.has(name)) return;
        const { pathname } = new URL(attribute('Target') ?? '', `file:///${part}`);
        targets.set(name, decodeURIComponent(pathname).slice(1));
      },
    });
    return targets;
  }

  /** The first visible sheet, the number of visible sheets, and whether days count from 1904. */
  async #sheetsOf(workbook: string) {
    let first: { id: string | undefined; name: string } | undefined;
    let [visible, is1904] = [0, false];
    await this.#parse(workbook, {
      open: (name, attribute) => {
        if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '');
        if (name !== 'sheet' || /^(?:veryH|h)idden$/.test(attribute('state') ?? '')) return;
        this.#budget.charge('elements');
        first ??= { id: attribute('id'), name: attribute('name') ?? '' };
        visible += 1;
      },
    });
    if (!first) throw new UnreadableError('broken');
    return { sheet: first, visible, is1904 };
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
  async #rows(part: string, shared: SharedTexts, formats: NumberFormats): Promise<string> {
    const budget = this.#budget;
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
          } else if (name === 'row') {
            budget.charge('elements');
            row = Number(attribute('r') ?? row + 1);
            column = 0;
            filled = 0;
          } else cell.open(name);
        },
        text: (text) => cell.add(text),
        close(name) {
          if (name === 'c') {
            if (column > COLUMNS_MAXIMUM) return;
            const stored = cell.take();
            const value =
              type === 's' ? shared.at(Number(stored)) : lineOf(ownText(type, stored, formats.at(style)));
            if (value === '') return;
            budget.charge('characters', value.length + column - filled);
            filled = column;
            sheet.add(row, column, value);
          } else if (name !== 'row') cell.close(name);
        },
      },
      () => sheet.settle(),
    );
    return sheet.text();
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
