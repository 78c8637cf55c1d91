import { strToU8, Zip, ZipDeflate } from 'fflate';
import { type Plain, sheetText, type TableFile } from './csv.ts';
import { DAY_MS } from './time.ts';
import { isTwiceIn, zonedIn } from './zone.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Styles of cells, by their number in `cellXfs`. A cell of the format Text keeps its text when it is edited. */
const [TEXT, DATE] = [1, 2];
const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  '<cellXfs count="3"><xf xfId="0"/><xf xfId="0" numFmtId="49" applyNumberFormat="1"/>' +
  '<xf xfId="0" numFmtId="164" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/** The width of each column, in characters. A date needs 19. */
const WIDTH = 22;
/** 1 January 1970 as a day of a spreadsheet. */
const EPOCH_DAY = 25_569;
/** Spreadsheets do not count days before 1 March 1900 as calendars do. */
const FIRST_DATE = Date.parse('1900-03-01');
/** The most characters of a cell. */
const CHARACTERS_MAXIMUM = 32_767;

/**
 * A workbook (ECMA-376) with one sheet, written row by row. Its first row stays in sight. Texts are cells of the format
 * Text, and numbers are numbers. Instants are dates with the local time of the zone. A local time that occurs twice is a
 * text with its offset.
 */
export class XlsxFile implements TableFile {
  readonly #zone: string;
  readonly #sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 1 });
  readonly #zip: Zip;
  #written: Uint8Array[] = [];
  #row = 0;

  constructor(name: string, zone: string) {
    this.#zone = zone;
    this.#zip = new Zip((error, bytes) => {
      if (error) throw error;
      this.#written.push(bytes);
    });
    for (const [part, xml] of Object.entries(partsOf(name))) {
      const file = new ZipDeflate(part);
      this.#zip.add(file);
      file.push(strToU8(xml), true);
    }
    this.#zip.add(this.#sheet);
  }

  head(labels: readonly string[]): Uint8Array {
    this.#push(
      `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
        `<cols><col min="1" max="${labels.length}" width="${WIDTH}" customWidth="1"/></cols><sheetData>`,
    );
    return this.rows([labels]);
  }

  rows(rows: readonly (readonly Plain[])[]): Uint8Array {
    this.#push(rows.map((values) => this.#line(values)).join(''));
    return this.#take();
  }

  end(): Uint8Array {
    this.#push('</sheetData></worksheet>', true);
    this.#zip.end();
    return this.#take();
  }

  #push(xml: string, isLast = false): void {
    this.#sheet.push(strToU8(xml), isLast);
  }

  #take(): Uint8Array {
    const bytes = Buffer.concat(this.#written);
    this.#written = [];
    return bytes;
  }

  #line(values: readonly Plain[]): string {
    this.#row += 1;
    const cells = values.map((value, column) => this.#cell(value, `${columnName(column)}${this.#row}`));
    return `<row r="${this.#row}">${cells.join('')}</row>`;
  }

  #cell(value: Plain, at: string): string {
    if (value === null || value === '') return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'string') return textCell(sheetText(value), at);
    const instant = value.getTime();
    const zoned = zonedIn(this.#zone, instant);
    const local = Date.parse(`${zoned.slice(0, 19)}Z`);
    if (local < FIRST_DATE || isTwiceIn(this.#zone, instant)) return textCell(zoned, at);
    return `<c r="${at}" s="${DATE}"><v>${local / DAY_MS + EPOCH_DAY}</v></c>`;
  }
}

function textCell(text: string, at: string): string {
  const whole = text.length > CHARACTERS_MAXIMUM ? `${text.slice(0, CHARACTERS_MAXIMUM - 1)}…` : text;
  return `<c r="${at}" s="${TEXT}" t="inlineStr"><is><t xml:space="preserve">${escaped(whole)}</t></is></c>`;
}

/** The name of a column, counted from 0: `A` to `ZZ`. */
const columnName = (column: number): string =>
  (column < 26 ? '' : String.fromCharCode(64 + Math.floor(column / 26))) +
  String.fromCharCode(65 + (column % 26));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Characters that XML does not have or changes, and texts that look like their escapes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the point
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/g;

/** Text in XML. ECMA-376 (22.9.2.19) escapes characters that XML does not have as `_x0001_`. */
const escaped = (text: string): string =>
  text
    .replace(UNWRITABLE, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>]/g, (sign) => ENTITIES[sign]!);

/** The parts of a workbook besides its sheet. `name` is the name of the sheet. */
const partsOf = (name: string): Record<string, string> => ({
  '[Content_Types].xml':
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
  'xl/workbook.xml':
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews><workbookView/></bookViews>` +
    `<sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations([
    ['worksheet', 'worksheets/sheet1.xml'],
    ['styles', 'styles.xml'],
  ]),
  'xl/styles.xml': STYLES,
});

const relations = (targets: readonly (readonly [string, string])[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
