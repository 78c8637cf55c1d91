import PdfDocument, { registerStdFonts } from 'pdfkit';
import Helvetica from 'pdfkit/standard-fonts/Helvetica';

registerStdFonts(Helvetica);

/** Metadata and format of a PDF. */
export interface PdfInfo {
  /** Without `<` and `&`, because pdfkit writes it into XML unescaped. */
  title: string;
  /** Its language (BCP 47). */
  language: string;
  /**
   * Creation date in epoch milliseconds. A parameter instead of the clock, so that the same data gives the same bytes.
   */
  date: number;
  /** Width and height of every page in points (1/72 inch). */
  size: [number, number];
  /** Whether it is a tagged PDF (ISO 32000-1, section 14.8). If so, all drawn content must be tagged. */
  tagged?: true;
  /** Whether viewers print it at 100 % unless the user chooses otherwise (ISO 32000-1, section 12.2). */
  unscaled?: true;
  /** Fonts to embed, by the names that pages use. Only the glyphs that are drawn are embedded. */
  fonts?: Readonly<Record<string, Uint8Array>>;
}

/**
 * Generate a PDF in pieces of about one page, as they are read. Only the current page is in memory. The bytes depend
 * only on the drawn content and on `info`; the file's id is a hash of `info`. @param pages one function per page. The
 * page is started before its function is called.
 */
export async function* pdfParts(
  { title, language, date, size, tagged, unscaled, fonts = {} }: PdfInfo,
  pages: Iterable<(document: PdfDocument) => void | Promise<void>>,
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
  if (unscaled) document._root.data.ViewerPreferences.data.PrintScaling = 'None';
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
    await draw(document);
    // pdfkit emits bytes in a microtask. Later bytes belong to the next piece.
    await Promise.resolve();
    yield take();
  }
  document.end();
  await ended;
  yield take();
}
