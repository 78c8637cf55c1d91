import { describe, expect, it } from 'vitest';
import { PAGES } from '../../../../src/web/ui/page/page.tsx';
import '../../../../src/app.ts';
import { DESK_LANGUAGES } from '../../../../src/messages/languages.ts';
import { isOperatorRight } from '../../../../src/web/ui/parts/rights.ts';
import { wordsIn } from '../../../messages.ts';
import { look, signIn } from '../../delivery/live/listener.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';

describe('every page', () => {
  it("every page is translated into the desk's languages, except operator pages, files and redirects", () => {
    const declared = PAGES.filter(
      ({ path, right }) =>
        !path.startsWith('/operator') &&
        !isOperatorRight(right) &&
        !/\.(pdf|zpl|csv|xlsx)$|\/logout$/.test(path),
    );
    expect(declared.length).toBeGreaterThan(45);
    const lacking = declared.filter(
      ({ right, languages = right === 'guest' ? [] : DESK_LANGUAGES }) =>
        !DESK_LANGUAGES.every((language) => languages.includes(language)),
    );
    expect(lacking.map(({ path }) => path)).toEqual([]);
  });
});

describe('a viewer whose language the desk does not have', () => {
  it.each([
    ['fr', '/app/shipment', 'fr'],
    ['fr', '/app/board', 'fr'],
    ['de', '/app/shipment', 'de'],
  ] as const)('sees menu and content of a page in one language: %s, %s', async (asked, path, shown) => {
    const { cookie } = await signIn(await newDock({ dispatchStrategy: 'SHIPMENT' }), 'ADMINISTRATOR');
    const html = await (await look(path, `${cookie}; language=${asked}`)).text();
    expect(/<html lang="(\w+)"/.exec(html)?.[1]).toBe(shown);
    expect(html).toContain(wordsIn(shown).t('kit.skip'));
    expect(html).not.toMatch(/<main[^>]* lang=/);
  });
});
