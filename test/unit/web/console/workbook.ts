import { strToU8, Zip, ZipDeflate, type Zippable, zipSync } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A sheet: the XML of its rows. */
export interface Sheet {
  name: string;
  rows: string;
  state?: 'hidden' | 'veryHidden';
}

/** The parts of a workbook as spreadsheet programs write them. `shared` is the XML of its shared texts. */
export function partsOf(
  sheets: readonly Sheet[],
  shared = '',
  { styles = '', workbook = '' } = {},
): Record<string, string> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (...list: string[]) =>
    `<Relationships xmlns="${PACKAGE}">${list.join('')}</Relationships>`;
  const named = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8"?>
<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${workbook}<sheets>${named.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map((_, index) =>
        relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
      ),
      relation('rIdS', 'sharedStrings', '/xl/sharedStrings.xml'),
      relation('rIdF', 'styles', 'styles.xml'),
    ),
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared}</sst>`,
  };
}

/** A workbook as a file. */
export const workbook = (parts: Record<string, string>): Uint8Array =>
  zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])) satisfies Zippable,
  );

/** The same as programs write it that do not know the sizes of the parts beforehand. */
export function streamedWorkbook(parts: Record<string, string>): Uint8Array {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_, chunk) => chunks.push(chunk));
  for (const [name, text] of Object.entries(parts)) {
    const file = new ZipDeflate(name);
    zip.add(file);
    file.push(strToU8(text), true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

/** A workbook with one sheet. Each cell is a text; a number is written as it is stored. */
export function sheetOf(rows: readonly (readonly (string | { number: string })[])[]): Uint8Array {
  const cells = rows.map((row) =>
    row.map((cell) =>
      typeof cell === 'string'
        ? `<c t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`
        : `<c><v>${cell.number}</v></c>`,
    ),
  );
  return workbook(
    partsOf([{ name: 'List', rows: cells.map((row) => `<row>${row.join('')}</row>`).join('') }]),
  );
}
