import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { guideWords } from '../../../src/cli/guide-messages.ts';
import type { Key } from '../../../src/messages/messages.ts';
import { ROOT } from '../service.ts';

/** Whether the walk writes its pictures: `npm run manual:shots`. */
const WRITES = process.env['MANUAL_SHOTS'] === 'true';
const PICTURES = join(ROOT, 'src/web/docs/assets/manual');
const GUIDES = join(ROOT, 'src/web/docs/guides');
/** The most bytes of a picture. */
export const PICTURE_BYTES = 60 * 1024;
/** Qualities of WebP, best first. A picture has the first quality that fits. */
const QUALITIES = [50, 35];

/** The address of the service and of a reader in pictures. Tests have another one on every run. */
const SHOWN = { origin: 'https://dispatch.example.com', address: '203.0.113.7' };
/** Returns the texts of a page that contain the address of the test's service, or advice about it. */
const LOCAL_TEXTS = `[document.body.innerText, ...[...document.querySelectorAll('input')].map(({ value }) => value)]
  .flatMap((text) => text.match(/\\S*(?:127\\.0\\.0\\.1|localhost|HOST=)\\S*/g) ?? [])`;

/**
 * Replaces the addresses in the texts and inputs of a page, and hides notes that only this computer can open a link. Without
 * addresses, it restores the page's own.
 */
function showHost(shown: typeof SHOWN | undefined): void {
  // biome-ignore lint/suspicious/noExplicitAny: the tests are compiled without the types of browsers
  const { document, location, NodeFilter, ...scope } = globalThis as any;
  for (const [node, key, text] of scope.originals ?? []) node[key] = text;
  const originals: [Record<string, string>, string, string | boolean][] = [];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  (globalThis as any).originals = originals;
  if (!shown) return;
  const replace = (node: Record<string, string>, key: string) => {
    const text = node[key]!;
    const next = text.replaceAll(location.origin, shown.origin).replaceAll(location.hostname, shown.address);
    if (next === text) return;
    originals.push([node, key, text]);
    node[key] = next;
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) replace(text, 'data');
  for (const input of document.querySelectorAll('input')) replace(input, 'value');
  for (const note of document.querySelectorAll('.qr-link [role="note"]')) {
    originals.push([note, 'hidden', false]);
    note.hidden = true;
  }
}

export const LANGUAGES = ['en', 'de'] as const;
export type ManualLanguage = (typeof LANGUAGES)[number];

/** The Markdown of a manual. */
export const manualText = (manual: string, language: ManualLanguage): string =>
  readFileSync(join(GUIDES, language === 'en' ? 'manual' : 'de/manual', `${manual}.md`), 'utf8');

/** The pictures of a manual in its order, each with its alternative text. */
export const picturesOf = (text: string): { alt: string; file: string }[] =>
  [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt, file]) => ({ alt: alt!, file: file! }));

/** A person who follows a manual in one language, and takes its pictures. */
export interface Reader {
  language: ManualLanguage;
  /** A message of the pages in this language. */
  t(key: Key, values?: Record<string, string | number>): string;
  /** Options for a browser profile in this language. */
  options(width: number, height: number): BrowserContextOptions;
  /** Takes the next picture of the manual. */
  picture(page: Page, name: string): Promise<void>;
  /** Checks that the walk took exactly the pictures of the manual, in its order. */
  expectAllPictures(): void;
}

/** A reader of a manual. */
export function readerOf(manual: string, language: ManualLanguage): Reader {
  const taken: string[] = [];
  const words = guideWords(language);
  return {
    language,
    t: words.t as Reader['t'],
    options: (width, height) => ({
      viewport: { width, height },
      locale: language === 'en' ? 'en-GB' : 'de-DE',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    }),
    async picture(page, name) {
      taken.push(`${manual}-${name}.webp`);
      await page.waitForLoadState();
      await page.evaluate(showHost, SHOWN);
      expect(await page.evaluate(LOCAL_TEXTS)).toEqual([]);
      if (WRITES) {
        const path = join(PICTURES, language, `${manual}-${name}.webp`);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, await webp(page));
      }
      await page.evaluate(showHost, undefined);
    },
    expectAllPictures() {
      const shown = picturesOf(manualText(manual, language)).map(({ file }) => file.split('/').at(-1));
      expect(taken).toEqual(shown);
    },
  };
}

/** The window of a page as WebP. Playwright itself writes no WebP. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  for (const quality of QUALITIES) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
    const file = Buffer.from(data, 'base64');
    if (file.length <= PICTURE_BYTES) {
      await session.detach();
      return file;
    }
  }
  throw new Error('The picture is too large. Use a smaller window.');
}
