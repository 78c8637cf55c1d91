import { readFileSync } from 'node:fs';
import { type DocumentFonts, plainFont } from '../../../../src/core/lib/font.ts';

const font = (file: string) =>
  plainFont(new Uint8Array(readFileSync(`node_modules/@expo-google-fonts/noto-sans/${file}`)));

/** The fonts of documents, from the package. */
export const FONTS: DocumentFonts = {
  regular: font('400Regular/NotoSans_400Regular.ttf'),
  bold: font('700Bold/NotoSans_700Bold.ttf'),
};
