import { readFileSync } from 'node:fs';
import { plainFont } from '../../../../src/core/lib/font.ts';
import type { ProofFonts } from '../../../../src/web/pages/proof-pdf.ts';

const font = (file: string) =>
  plainFont(new Uint8Array(readFileSync(`node_modules/@expo-google-fonts/noto-sans/${file}`)));

/** The fonts of documents, from the package. */
export const FONTS: ProofFonts = {
  regular: font('400Regular/NotoSans_400Regular.ttf'),
  bold: font('700Bold/NotoSans_700Bold.ttf'),
};
