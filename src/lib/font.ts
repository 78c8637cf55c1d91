import { create } from 'fontkit';

/** A font to embed, with the widths by which lines are broken. */
export interface EmbeddableFont {
  /** The font file, of which a PDF embeds the glyphs that are drawn. */
  bytes: Uint8Array;
  /** Width of each character that the font has, by code point, in parts of the font's size. */
  advances: ReadonlyMap<number, number>;
}

/** Tables by which text is shaped: other glyphs for some, and some moved (OpenType 1.9, and its older `kern`). */
const SHAPING_TABLES: ReadonlySet<string> = new Set(['GSUB', 'GPOS', 'GDEF', 'kern']);
/** Where the list of tables begins in a font file, and how many bytes an entry has; its first four are the name. */
const [TABLES_START, TABLE_ENTRY_BYTES] = [12, 16];

/**
 * A TrueType font that draws each character as one glyph, at its own width, whatever stands beside it. So the width of
 * a text is the sum of its characters' widths, no two texts look the same for a ligature, and drawing takes a tenth of
 * the time. Its tables for shaping are there, but under names that nobody looks for.
 */
export function plainFont(file: Uint8Array): EmbeddableFont {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(4);
  for (let index = 0; index < count; index += 1) {
    const at = TABLES_START + index * TABLE_ENTRY_BYTES;
    if (SHAPING_TABLES.has(String.fromCharCode(...bytes.subarray(at, at + 4)))) bytes[at] = '_'.charCodeAt(0);
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
