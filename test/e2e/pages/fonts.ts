import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The fonts of the browser. They replace the fonts of the machine, so that every machine measures the same. */
export const FONTS_FILE = join(import.meta.dirname, '../../fonts/fonts.conf');

/** Fonts of three widths. The last one is the widest. Pages have it unless a test sets another one. */
const FONTS = ['Arimo', 'Noto Sans', 'DejaVu Sans'] as const;

const setFont = (font: string): string => `document.documentElement.style.setProperty('--font', '"${font}"')`;

/** A script that runs an expression in each font. It returns the results by font. */
export const inEachFont = (expression: string): string =>
  `({ ${FONTS.map((font) => `'${font}': (${setFont(font)}, ${expression})`)} })`;

/** The results of `inEachFont` if an expression finds nothing. */
export const NONE_IN_EACH_FONT = Object.fromEntries(FONTS.map((font) => [font, 0]));

/** Runs a check of a page in each font. */
export async function withEachFont(page: Page, check: (font: string) => Promise<unknown>): Promise<void> {
  for (const font of FONTS) {
    await page.evaluate(setFont(font));
    await check(font);
  }
}
