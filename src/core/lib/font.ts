import { create } from 'fontkit';

/** A font to embed, and the character widths that line breaking needs. */
export interface EmbeddableFont {
  /** The font file. A PDF embeds only the glyphs that are drawn. */
  bytes: Uint8Array;
  /** The width of each character of the font by code point, in fractions of the font size. */
  advances: ReadonlyMap<number, number>;
}

/** The fonts of a document, by the names that its pages use. */
export type DocumentFonts = Record<'regular' | 'bold', EmbeddableFont>;

/** Tables for shaping: replacing and moving glyphs (OpenType 1.9, and its older `kern`). */
const SHAPING_TABLES: ReadonlySet<string> = new Set(['GSUB', 'GPOS', 'GDEF', 'kern']);
/** Offset of the table list in a font file, and bytes of an entry; an entry begins with the four bytes of its name. */
const [TABLES_START, TABLE_ENTRY_BYTES] = [12, 16];

/**
 * Disable shaping in a TrueType font: each character becomes one glyph with its own width. The width of a text is then
 * the sum of its characters' widths. Different texts never look the same because of a ligature, and drawing takes a
 * tenth of the time. The shaping tables are renamed, not removed.
 */
export function plainFont(file: Uint8Array): EmbeddableFont {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(4);
  for (let index = 0; index < count; index += 1) {
    const at = TABLES_START + index * TABLE_ENTRY_BYTES;
    if (SHAPING_TABLES.has(new TextDecoder().decode(bytes.subarray(at, at + 4))))
      bytes[at] = '_'.charCodeAt(0);
  }
  const font = create(bytes);
  const advances = new Map(
    font.characterSet.map((codePoint) => [
      codePoint,
      font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm,
    ]),
  );
  return { bytes, advances };
}
