// pdfkit ships no types. Only the members that this service uses are declared.
declare module 'pdfkit' {
  interface PdfOptions {
    /** Width and height of every page in points. */
    size: [number, number];
    margin: number;
    autoFirstPage: boolean;
    pdfVersion: '1.7';
    lang: string;
    displayTitle: boolean;
    tagged?: boolean;
    /** The information dictionary; the file's id is a hash of it. */
    info: { Title: string; Producer: string; Creator: string; CreationDate: Date };
  }

  /**
   * A document that is written while it is drawn: a page is emitted when the next one begins. Lengths are in points,
   * from the left and the top of the page.
   */
  export default class PdfDocument {
    constructor(options: PdfOptions);
    on(event: 'data', listener: (bytes: Uint8Array) => void): this;
    on(event: 'end', listener: () => void): this;
    addPage(): this;
    /** Add operators of a content stream (ISO 32000-1, section 8.2) unchanged. */
    addContent(operators: string): this;
    /** Move the origin of all that is drawn on this page from now on. */
    translate(right: number, down: number): this;
    rect(left: number, top: number, width: number, height: number): this;
    lineWidth(width: number): this;
    strokeColor(colour: string): this;
    stroke(): this;
    font(name: string): this;
    fontSize(size: number): this;
    /** Width of a text in the current font and size. */
    widthOfString(text: string): number;
    /** With `features: []` pdfkit neither looks up nor caches a layout of the text. */
    text(text: string, left: number, top: number, options: { lineBreak: false; features?: [] }): this;
    /** Read the header of a JPEG. Throws texts and errors. */
    openImage(bytes: Uint8Array): OpenedImage;
    /** Draw a JPEG, scaled to fit a box. It is written at once. */
    image(image: OpenedImage, left: number, top: number, options: { fit: [number, number] }): this;
    /** An area that opens a URL. pdfkit writes a `String` as text, and a string as a name. */
    link(
      left: number,
      top: number,
      width: number,
      height: number,
      url: string,
      // biome-ignore lint/complexity/noBannedTypes: pdfkit tells texts from names by the object
      options: { structParent: StructureElement; Contents: String },
    ): this;
    fillColor(colour: string): this;
    registerFont(name: string, bytes: Uint8Array): this;
    /** An element of the document's structure. It is written after it was added to a parent and has ended. */
    struct(type: string, options?: { alt?: string; scope?: 'Column' | 'Row' }): StructureElement;
    /** Add an element to the root of the structure. */
    addStructure(element: StructureElement): this;
    /** Begin content that is part of an element of this type. */
    markStructureContent(type: string): StructureContent;
    /** Begin content outside the structure. */
    markContent(type: 'Artifact', options?: { type: 'Pagination' | 'Layout' }): this;
    endMarkedContent(): this;
    /** The catalog. pdfkit has no option for its viewer preferences. It writes a string as a name. */
    readonly _root: { data: { ViewerPreferences: { data: { PrintScaling?: 'None' } } } };
    end(): void;
  }

  /** An image that was read and not yet drawn, with its size in pixels. */
  export interface OpenedImage {
    readonly width: number;
    readonly height: number;
  }

  /** The content of a page that belongs to an element. */
  export interface StructureContent {
    readonly refs: unknown[];
  }

  export interface StructureElement {
    add(child: StructureElement | StructureContent): this;
    end(): void;
  }

  /** Metrics of a standard font. */
  interface StandardFont {
    name: string;
  }
  export function registerStdFonts(...fonts: StandardFont[]): void;
}

declare module 'fontkit' {
  /** A font. Only its metrics are used here, in units of `unitsPerEm`. */
  export interface Font {
    unitsPerEm: number;
    characterSet: number[];
    glyphForCodePoint(codePoint: number): { advanceWidth: number };
  }
  export function create(bytes: Uint8Array): Font;
}

declare module 'pdfkit/standard-fonts/Helvetica' {
  const font: { name: string };
  export default font;
}
