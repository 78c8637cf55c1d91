import PdfDocument, { registerStdFonts } from 'pdfkit';
import Helvetica from 'pdfkit/standard-fonts/Helvetica';

registerStdFonts(Helvetica);

/** What a PDF is about. */
export interface PdfInfo {
  /** Without `<` and `&`: pdfkit puts it into XML as it is. */
  title: string;
  /** What it is written in (BCP 47). */
  language: string;
  /** Epoch milliseconds; said to be when the document was made, so that the same data gives the same bytes. */
  date: number;
  /** Width and height of every page in points (1/72 inch). */
  size: [number, number];
  /** Whether its content is marked with what it is (ISO 32000-1, section 14.8); whoever draws has to mark all of it. */
  tagged?: true;
  /** Fonts to embed, by the names under which pages use them: subsets of these with the glyphs that are drawn. */
  fonts?: Readonly<Record<string, Uint8Array>>;
}

/**
 * A PDF in parts of about a page each, drawn as they are asked for: only the page at hand is in memory. The bytes
 * depend on what is drawn and on `info` alone: the file's id is a hash of `info`, and nothing tells the time.
 *
 * @param pages draws page after page; each is begun already when it is to be drawn.
 */
export async function* pdfParts(
  { title, language, date, size, tagged, fonts = {} }: PdfInfo,
  pages: Iterable<(document: PdfDocument) => void>,
): AsyncGenerator<Uint8Array> {
  const document = new PdfDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: true,
    ...(tagged ? { tagged } : {}),
    info: {
      Title: title,
      Producer: 'pdfkit',
      Creator: 'Warehouse Dispatch',
      CreationDate: new Date(date),
    },
  });
  for (const [name, bytes] of Object.entries(fonts)) document.registerFont(name, bytes);
  let written: Uint8Array[] = [];
  document.on('data', (bytes) => written.push(bytes));
  const ended = new Promise<void>((resolve) => document.on('end', resolve));
  const take = (): Uint8Array => {
    const part = Buffer.concat(written);
    written = [];
    return part;
  };
  for (const draw of pages) {
    document.addPage();
    draw(document);
    // pdfkit hands its bytes over in a microtask; what comes later is part of the next one.
    await Promise.resolve();
    yield take();
  }
  document.end();
  await ended;
  yield take();
}
