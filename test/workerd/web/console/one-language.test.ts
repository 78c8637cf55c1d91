import { describe, expect, it } from 'vitest';
import '../../../../src/app.ts';
import { DESK_LANGUAGES, LANGUAGES } from '../../../../src/messages/languages.ts';
import type { Key } from '../../../../src/messages/messages.ts';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import { MESSAGES } from '../../../messages.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';

const KEYS = Object.keys(MESSAGES.en) as Key[];

/** Names: of a device’s token, and of keys of the keyboard. */
const NAMES = ['Device', 'Enter', 'Ctrl'];

/** The English texts that a page in another language must not show. Texts that the language has itself do not count. */
function foreignTo(language: (typeof LANGUAGES)[number]): Set<string> {
  const own = new Set(KEYS.map((key) => MESSAGES[language][key]));
  return new Set(
    KEYS.map((key) => MESSAGES.en[key]).filter(
      (text) => !text.includes('{') && !own.has(text) && !NAMES.includes(text),
    ),
  );
}

/** The texts of a page and of its attributes, without the parts that declare to be English. */
function textsOf(html: string): string[] {
  const rest = html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<(\w+)\b[^>]* lang="en"[^>]*>.*?<\/\1>/gs, '');
  const texts = [
    ...rest.matchAll(/>([^<]+)</g),
    ...rest.matchAll(/ (?:aria-label|placeholder|title|alt)="([^"]+)"/g),
  ];
  return texts.map(([, text]) => text!.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
}

/** The names of the sort orders that a page offers. */
const sortNamesOf = (html: string): string[] => {
  const choice = /<select [^>]*name="sort\.sortBy".*?<\/select>/s.exec(html)?.[0] ?? '';
  return [...choice.matchAll(/<option[^>]*>([^<]+)</g)].map(([, name]) => name!);
};

/** The pages with an address that is always the same. */
const PATHS = [
  ...new Set(
    PAGES.filter(
      ({ path, right }) =>
        !path.startsWith('/operator') &&
        !isOperatorRight(right) &&
        !/[:{]|\.(pdf|zpl|csv|xlsx)$|\/logout$/.test(path),
    ).map(({ path }) => path),
  ),
];

async function newDay() {
  const dock = await newDock({ dispatchStrategy: 'SHIPMENT' });
  await dock.manifest('M-1', 'P-1', 'P-2');
  await dock.shipment('S-1', ['M-1']);
  const { body: shipment } = await dock.must('GET', '/shipment/S-1');
  const { body: manifest } = await dock.must('GET', '/manifest/M-1');
  const { cookie } = await signIn(dock, 'ADMINISTRATOR');
  return { cookie, paths: [...PATHS, `/app/shipment/${shipment.uuid}`, `/app/manifest/${manifest.uuid}`] };
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('pages in %s', (language) => {
  it('a page does not mix its language with English texts', async () => {
    const { cookie, paths } = await newDay();
    const foreign = foreignTo(language);
    expect(foreign.size).toBeGreaterThan(200);
    const mixed: string[] = [];
    const texts = new Set(KEYS.map((key) => MESSAGES[language][key]));
    let [pages, sorts] = [0, 0];
    for (const path of paths) {
      const answer = await look(path, `${cookie}; language=${language}`);
      const html = await answer.text();
      if (/<html lang="(\w+)"/.exec(html)?.[1] !== language) continue;
      pages += 1;
      const names = sortNamesOf(html);
      sorts += names.length;
      mixed.push(...names.filter((name) => !texts.has(name)).map((name) => `${path}: ${name}`));
      mixed.push(
        ...textsOf(html)
          .filter((text) => foreign.has(text))
          .map((text) => `${path}: ${text}`),
      );
    }
    expect(pages).toBeGreaterThan(1);
    if (DESK_LANGUAGES.some((tag) => tag === language)) expect(sorts).toBeGreaterThan(30);
    expect(mixed).toEqual([]);
  });
});
