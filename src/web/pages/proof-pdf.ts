import type PdfDocument from 'pdfkit';
import type { OpenedImage, StructureElement } from 'pdfkit';
import { encodeQR } from 'qr';
import { drawnPieces } from '../../core/lib/drawn-text.ts';
import type { DocumentFonts } from '../../core/lib/font.ts';
import { darkRuns } from '../../dispatch/marker/symbol.ts';
import { PAPERS } from '../../dispatch/printing-batch/layout.ts';
import type { Words } from '../../messages/words.ts';
import type { ProofLinks, Telling } from './proof-columns.ts';
import type { ProofData } from './proof-data.ts';
import {
  BODY_WIDTH,
  FOOT,
  isTable,
  LINE_HEIGHT,
  MARGIN,
  type Picture,
  type PlacedRow,
  paddingOf,
  pagesOf,
  type Role,
  SYMBOL,
  shiftOf,
} from './proof-layout.ts';
import { proofRows } from './proof-rows.ts';
import { drawStrokes } from './proof-signatures.ts';

/** The structure of the document, for screen readers (ISO 32000-1, section 14.7). */
class Structure {
  #document: PdfDocument | undefined;
  #root: StructureElement | undefined;
  #table: StructureElement | undefined;

  begin(document: PdfDocument): void {
    this.#document = document;
    this.#root = document.struct('Document');
    document.addStructure(this.#root);
  }

  /** Add an element at the end of the document, or a row at the end of the current table. */
  element(role: Role | 'Figure', options: { alt?: string } = {}): StructureElement {
    const document = this.#document!;
    if (role !== 'TR') this.#endTable();
    if (role === 'TH') {
      this.#table = document.struct('Table');
      this.#root!.add(this.#table);
    }
    const element = document.struct(role === 'TH' ? 'TR' : role, options);
    (this.#table ?? this.#root!).add(element);
    return element;
  }

  /** A new table cell. The caller adds it to its row. */
  cell(role: Role): StructureElement {
    return this.#document!.struct(cellType(role), role === 'TH' ? { scope: 'Column' } : {});
  }

  /** A new figure. The caller adds it to a cell. */
  figure(alt: string): StructureElement {
    return this.#document!.struct('Figure', { alt });
  }

  /** A new link. The caller adds it to a cell. */
  link(): StructureElement {
    return this.#document!.struct('Link');
  }

  #endTable(): void {
    this.#table?.end();
    this.#table = undefined;
  }

  end(): void {
    this.#endTable();
    this.#root!.end();
  }
}

/** The type of the cells of a row. */
const cellType = (role: Role): 'TH' | 'TD' => (role === 'TH' ? 'TH' : 'TD');

const RULE_COLOUR = '#b5bcc7';
const RULE_WIDTH = 0.5;
/** Width of the quiet zone of a QR Code in modules (ISO/IEC 18004, section 6.3.8). */
const QUIET_MODULES = 4;

/** Reads the JPEG to draw of a photo, by the place of the photo in the data. If it is undefined, the link is printed. */
export type PhotoAt = (index: number) => Promise<Uint8Array | undefined>;

/**
 * A proof of shipment as a tagged PDF, page by page. The bytes depend only on data, links, language, time zone,
 * paper, and which photos still exist.
 * @param digest SHA-256 of the data, printed on every page
 */
export async function proofPdf(
  data: ProofData,
  digest: string,
  links: ProofLinks,
  telling: Telling,
  fonts: DocumentFonts,
  photoAt: PhotoAt = async () => undefined,
): Promise<AsyncGenerator<Uint8Array>> {
  const { pdfParts } = await import('../../core/lib/pdf.ts');
  const { words, paper } = telling;
  const { width, height } = PAPERS[paper];
  const advances = { regular: fonts.regular.advances, bold: fonts.bold.advances };
  const pages = pagesOf(proofRows(data, digest, links, telling, advances), paper);
  const name = drawnPieces(data.externalIdentifier, advances.regular).join('');
  return pdfParts(
    {
      // pdfkit writes the title into XML without escaping it.
      title: words.labelled(
        words.t('proof.title'),
        `${words.t(`kind.${data.kind}`)} ${name.replaceAll('&', '{U+0026}').replaceAll('<', '{U+003C}')}`,
      ),
      language: words.language,
      date: Date.parse(data.closeDate),
      size: [width, height],
      tagged: true,
      fonts: { regular: fonts.regular.bytes, bold: fonts.bold.bytes },
    },
    drawings(pages, digest, links, telling, photoAt),
  );
}

function* drawings(
  pages: readonly PlacedRow[][],
  digest: string,
  links: ProofLinks,
  { words, paper }: Telling,
  photoAt: PhotoAt,
): Generator<(document: PdfDocument) => Promise<void>> {
  const structure = new Structure();
  const shift = shiftOf(paper);
  for (const [index, rows] of pages.entries()) {
    yield async (document) => {
      if (shift !== 0) document.translate(shift, 0);
      if (index === 0) {
        structure.begin(document);
        drawSymbol(document, structure, links.summary, words);
      }
      // One photo is in memory at a time.
      for (const row of rows) drawRow(document, structure, row, await imageOf(document, row, photoAt));
      drawFoot(
        document,
        PAPERS[paper].height - FOOT.bottom,
        `SHA-256 ${digest}`,
        words.t('page.pageOf', { page: index + 1, pages: pages.length }),
      );
      if (index === pages.length - 1) structure.end();
    };
  }
}

/** The photo of a row; undefined if it cannot be drawn. Nothing of it is in the document yet. */
async function imageOf(
  document: PdfDocument,
  { picture }: PlacedRow,
  photoAt: PhotoAt,
): Promise<OpenedImage | undefined> {
  const bytes = picture && 'photo' in picture.of ? await photoAt(picture.of.photo) : undefined;
  if (!bytes) return undefined;
  try {
    const image = document.openImage(bytes);
    if (image.width > 0 && image.height > 0) return image;
    throw new Error('It has no pixels.');
  } catch (error) {
    console.error(JSON.stringify({ photo: String(error) }));
    return undefined;
  }
}

function drawRow(
  document: PdfDocument,
  structure: Structure,
  row: PlacedRow,
  photo: OpenedImage | undefined,
): void {
  const { role, cells, top, height, repeated, picture } = row;
  const first = top + paddingOf(role);
  if (repeated) {
    artifact(document, 'Pagination', () => {
      for (const cell of cells) drawCell(document, cell, first);
    });
  } else {
    const element = structure.element(role);
    for (const [index, cell] of cells.entries()) {
      if (picture && index === cells.length - 1 && ('strokes' in picture.of || photo)) {
        drawPicture(document, structure, element, { picture, photo, top: first });
        continue;
      }
      const part = isTable(role) ? structure.cell(role) : element;
      part.add(document.markStructureContent(isTable(role) ? cellType(role) : role));
      drawCell(document, cell, first);
      document.endMarkedContent();
      if (part === element) continue;
      element.add(part);
      part.end();
    }
    element.end();
  }
  if (isTable(role)) drawRule(document, top + height);
}

/** Draw a picture as a figure in the last cell of its row. */
function drawPicture(
  document: PdfDocument,
  structure: Structure,
  row: StructureElement,
  { picture, photo, top }: { picture: Picture; photo: OpenedImage | undefined; top: number },
): void {
  const cell = structure.cell('TR');
  const figure = structure.figure(picture.alt);
  figure.add(document.markStructureContent('Figure'));
  const { left, width, height, of } = picture;
  if ('strokes' in of) drawStrokes(document, picture, of.strokes, top);
  else document.image(photo!, left, top, { fit: [width, height] });
  document.endMarkedContent();
  row.add(cell);
  const link = 'photo' in of ? structure.link() : undefined;
  if (link) cell.add(link);
  (link ?? cell).add(figure);
  figure.end();
  if (link && 'photo' in of) {
    const options = { structParent: link, Contents: new String(picture.alt) };
    document.link(left, top, width, height, of.link, options);
    link.end();
  }
  cell.end();
}

function drawCell(
  document: PdfDocument,
  { left, lines, font, size }: PlacedRow['cells'][number],
  top: number,
): void {
  document.font(font).fontSize(size);
  for (const [index, line] of lines.entries()) {
    document.text(line, left, top + index * size * LINE_HEIGHT, { lineBreak: false, features: [] });
  }
}

function drawRule(document: PdfDocument, top: number): void {
  artifact(document, 'Layout', () => {
    document.lineWidth(RULE_WIDTH).strokeColor(RULE_COLOUR).rect(MARGIN.side, top, BODY_WIDTH, 0).stroke();
  });
}

function drawFoot(document: PdfDocument, top: number, left: string, right: string): void {
  artifact(document, 'Pagination', () => {
    document.font('regular').fontSize(FOOT.size);
    document.text(left, MARGIN.side, top, { lineBreak: false, features: [] });
    const start = MARGIN.side + BODY_WIDTH - document.widthOfString(right);
    document.text(right, start, top, { lineBreak: false, features: [] });
  });
}

/** Draw something that is not part of the content. */
function artifact(document: PdfDocument, type: 'Pagination' | 'Layout', draw: () => void): void {
  document.markContent('Artifact', { type });
  draw();
  document.endMarkedContent();
}

/** Draw the URL of the summary as a QR Code, in one path. */
function drawSymbol(document: PdfDocument, structure: Structure, url: string, { t }: Words): void {
  const matrix = encodeQR(url, 'raw', { ecc: 'medium', border: QUIET_MODULES });
  const scale = SYMBOL.size / matrix.length;
  const element = structure.element('Figure', { alt: t('proof.symbol', { url }) });
  element.add(document.markStructureContent('Figure'));
  const rectangles = matrix.flatMap((row, y) =>
    darkRuns(row).map(({ start, length }) => `${start} ${y} ${length} 1 re`),
  );
  const origin = [scale, 0, 0, scale, SYMBOL.left, SYMBOL.top].map((length) => length.toFixed(4)).join(' ');
  document.addContent(['q', '0 g', `${origin} cm`, ...rectangles, 'f', 'Q'].join('\n'));
  document.font('regular').fontSize(FOOT.size);
  const caption = t('proof.summary');
  const left = SYMBOL.left + (SYMBOL.size - document.widthOfString(caption)) / 2;
  document.text(caption, left, SYMBOL.top + SYMBOL.size, { lineBreak: false, features: [] });
  document.endMarkedContent();
  element.end();
}
