import { COLUMNS_MAXIMUM } from './rows.ts';
import { columnOf, textOf, UnreadableError } from './xlsx-cell.ts';
import { type NumberFormat, numberFormats } from './xlsx-format.ts';

/** The first sheet of a workbook as text: rows in lines, cells separated by tabs. */
export interface SheetText {
  text: string;
  /** The name of the sheet. */
  name: string;
  /** The number of visible sheets in the workbook. */
  sheets: number;
}

/** The most bytes of a workbook's parts after unpacking. */
export const UNPACKED_BYTES_MAXIMUM = 32 * 1024 * 1024;
/** The most characters of the sheet's text, and of the texts that cells share. */
const CHARACTERS_MAXIMUM = 5 * 1024 * 1024;
/** The highest number of a row with cells. */
const ROWS_MAXIMUM = 60_000;
/** Compressed bytes that are unpacked at a time. They grow to 16 MB at most before their size is checked. */
const CHUNK_BYTES = 16 * 1024;

type Library = typeof import('./xlsx-library.ts');
type Attributes = Record<string, string>;

/** The handlers of an XML document. Names are without their namespace prefix. */
interface Handlers {
  open?(name: string, attributes: () => Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Read the first visible sheet of a workbook (ECMA-376). The parts are unpacked and parsed in chunks, so that a small
 * file cannot fill the memory. Numbers with leading zeros and dates are read as the sheet shows them.
 * @throws UnreadableError
 */
export async function sheetText(bytes: Uint8Array): Promise<SheetText> {
  const archive = new Archive(bytes, await import('./xlsx-library.ts'));
  try {
    return read(archive);
  } catch (error) {
    throw error instanceof UnreadableError ? error : new UnreadableError('broken');
  }
}

function read(archive: Archive): SheetText {
  const root = relationsOf(archive, '');
  const workbook = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const parts = relationsOf(archive, workbook);
  const sheets: Attributes[] = [];
  let is1904 = false;
  archive.parse(workbook, {
    open(name, attributes) {
      if (name === 'sheet') sheets.push(attributes());
      else if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes()['date1904'] ?? '');
    },
  });
  const visible = sheets.filter(({ state }) => state !== 'hidden' && state !== 'veryHidden');
  const [sheet] = visible;
  const id = sheet && Object.entries(sheet).find(([name]) => /^\w+:id$/.test(name))?.[1];
  const part = parts.find((relation) => relation.id === id);
  if (!sheet || !part) throw new UnreadableError('broken');
  const strings = parts.find(({ type }) => type === 'sharedStrings');
  const shared = strings ? sharedStrings(archive, strings.target) : [];
  const styles = numberFormats(is1904);
  const stylesPart = parts.find(({ type }) => type === 'styles');
  if (stylesPart) archive.parse(stylesPart.target, styles);
  const text = rowsText(archive, part.target, shared, styles.formats);
  return { text, name: sheet['name'] ?? '', sheets: visible.length };
}

/** The parts that a part refers to. */
function relationsOf(archive: Archive, part: string): { id: string; type: string; target: string }[] {
  const [, folder = '', file = ''] = /^(.*\/)?([^/]*)$/.exec(part) ?? [];
  const relations: { id: string; type: string; target: string }[] = [];
  archive.parse(`${folder}_rels/${file}.rels`, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type = '', Target = '' } = attributes();
      const { pathname } = new URL(Target, `file:///${folder}`);
      relations.push({ id, type: Type.replace(/^.*\//, ''), target: decodeURIComponent(pathname).slice(1) });
    },
  });
  return relations;
}

/** The texts that cells refer to by number. Phonetic guides (`rPh`) are left out. */
function sharedStrings(archive: Archive, part: string): string[] {
  const strings: string[] = [];
  const text = new TextOfCell();
  let total = 0;
  archive.parse(part, {
    open: (name) => text.open(name),
    text: (piece) => text.add(piece),
    close(name) {
      if (name === 'si') {
        strings.push(text.take());
        total += strings.at(-1)!.length;
        if (total > CHARACTERS_MAXIMUM) throw new UnreadableError('large');
      } else text.close(name);
    },
  });
  return strings;
}

/** The rows of a sheet. A row has the number of its line, so rows that the file leaves out become blank lines. */
function rowsText(
  archive: Archive,
  part: string,
  shared: readonly string[],
  formats: readonly NumberFormat[],
): string {
  const lines: string[] = [];
  const text = new TextOfCell();
  let [row, column, total] = [0, 0, 0];
  let cells: string[] = [];
  let [type, style] = ['', 0];
  archive.parse(part, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes()['r'] ?? row + 1);
        [cells, column] = [[], 0];
      } else if (name === 'c') {
        const { r: reference, t = 'n', s = '0' } = attributes();
        column = reference ? columnOf(reference) : column + 1;
        [type, style] = [t, Number(s)];
        text.take();
      } else text.open(name);
    },
    text: (piece) => text.add(piece),
    close(name) {
      if (name === 'c' && column <= COLUMNS_MAXIMUM) {
        const value = textOf(type, text.take(), shared, formats[style]);
        while (value !== '' && cells.length < column - 1) cells.push('');
        if (value !== '') cells.push(value);
      } else if (name === 'row' && cells.length > 0) {
        if (!(row > lines.length && row <= ROWS_MAXIMUM)) throw new UnreadableError('large');
        while (lines.length < row - 1) lines.push('');
        lines.push(cells.join('\t'));
        total += lines.at(-1)!.length;
        if (total > CHARACTERS_MAXIMUM) throw new UnreadableError('large');
      } else text.close(name);
    },
  });
  return lines.join('\n');
}

/** Collects the text of a cell: of `v`, or of all `t` outside of phonetic guides. */
class TextOfCell {
  #text = '';
  #isOpen = false;
  #isGuide = false;
  open(name: string): void {
    if (name === 'rPh') this.#isGuide = true;
    this.#isOpen = (name === 't' && !this.#isGuide) || name === 'v';
  }
  add(piece: string): void {
    if (this.#isOpen) this.#text += piece;
  }
  close(name: string): void {
    if (name === 'rPh') this.#isGuide = false;
    this.#isOpen = false;
  }
  take(): string {
    const text = this.#text;
    [this.#text, this.#isOpen, this.#isGuide] = ['', false, false];
    return text;
  }
}

/** The parts of a workbook. All parts together may unpack to `UNPACKED_BYTES_MAXIMUM`. */
class Archive {
  readonly #bytes: Uint8Array;
  readonly #library: Library;
  #unpacked = 0;

  constructor(bytes: Uint8Array, library: Library) {
    this.#bytes = bytes;
    this.#library = library;
  }

  /** Parse a part while it is unpacked. */
  parse(part: string, handlers: Handlers): void {
    const { Unzip, UnzipInflate } = this.#library;
    const write = this.#parser(handlers);
    const decoder = new TextDecoder();
    let [isFound, isWhole] = [false, false];
    const unzip = new Unzip((file) => {
      if (isFound || file.name.replace(/^\//, '') !== part) return;
      isFound = true;
      file.ondata = (error, chunk, isLast) => {
        if (error) throw error;
        this.#unpacked += chunk.length;
        if (this.#unpacked > UNPACKED_BYTES_MAXIMUM) throw new UnreadableError('large');
        write(decoder.decode(chunk, { stream: !isLast }), isLast);
        isWhole = isLast;
      };
      file.start();
    });
    unzip.register(UnzipInflate);
    for (let at = 0; at < this.#bytes.length; at += CHUNK_BYTES) {
      unzip.push(this.#bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= this.#bytes.length);
    }
    if (!isWhole) throw new UnreadableError('broken');
  }

  /** A function that parses a document piece by piece. */
  #parser({ open, text, close }: Handlers): (piece: string, isLast: boolean) => void {
    const parser = new this.#library.Parser();
    parser.on('error', (error) => {
      throw error;
    });
    if (open) {
      parser.on('openTag', (name, attributes, decode) => {
        open(local(name), () => decodedIn(attributes(), decode));
      });
    }
    if (close) parser.on('closeTag', (name) => close(local(name)));
    if (text) {
      parser.on('text', (piece, decode) => text(decode(piece)));
      parser.on('cdata', text);
    }
    return (piece, isLast) => {
      parser.write(piece);
      if (isLast) parser.end();
    };
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const decodedIn = (attributes: Attributes, decode: (text: string) => string): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, decode(value)]));
