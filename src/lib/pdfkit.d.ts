// pdfkit ships no types. Only what this service uses is declared.
declare module 'pdfkit' {
  interface PdfOptions {
    /** Width and height of every page in points. */
    size: [number, number];
    margin: number;
    autoFirstPage: boolean;
    pdfVersion: '1.7';
    lang: string;
    displayTitle: boolean;
    /** The information dictionary; the file's id is a hash of it. */
    info: { Title: string; Producer: string; Creator: string; CreationDate: Date };
  }

  /**
   * A document that is written as it is drawn: a page goes out when the next one begins. Lengths are in points, from
   * the left and the top of the page.
   */
  export default class PdfDocument {
    constructor(options: PdfOptions);
    on(event: 'data', listener: (bytes: Uint8Array) => void): this;
    on(event: 'end', listener: () => void): this;
    addPage(): this;
    /** Operators of a content stream (ISO 32000-1, section 8.2), as they are. */
    addContent(operators: string): this;
    rect(left: number, top: number, width: number, height: number): this;
    lineWidth(width: number): this;
    strokeColor(colour: string): this;
    stroke(): this;
    font(name: string): this;
    fontSize(size: number): this;
    /** Width of a text in the current font and size. */
    widthOfString(text: string): number;
    text(text: string, left: number, top: number, options: { lineBreak: false }): this;
    end(): void;
  }

  /** Metrics of a standard font. */
  interface StandardFont {
    name: string;
  }
  export function registerStdFonts(...fonts: StandardFont[]): void;
}

declare module 'pdfkit/standard-fonts/Helvetica' {
  const font: { name: string };
  export default font;
}
