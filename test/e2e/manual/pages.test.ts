import { expect, it } from 'vitest';
import { manualPath } from '../../../src/web/docs/guides.ts';
import { expectGoodPage, newPerson, signedIn } from '../pages/browser.ts';
import { LANGUAGES, readerOf } from './reader.ts';
import { warehouse, world } from './warehouse.ts';

const MANUALS = ['loader', 'dispatcher', 'office'] as const;
const cases = MANUALS.flatMap((manual) => LANGUAGES.map((language) => [manual, language] as const));

it.each(cases)(
  'the manual %s (%s) is a good page with pictures, and leads to the other language',
  async (manual, language) => {
    const page = await (await world.profile()).newPage();
    const path = manualPath(manual, language);
    await page.goto(path);
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    const pictures = page.locator('main img');
    const loads = await pictures.evaluateAll((all) =>
      Promise.all(
        all.map(async (picture) => {
          const answer = await fetch((picture as { src?: string }).src!);
          return `${answer.status} ${answer.headers.get('Content-Type')}`;
        }),
      ),
    );
    expect(loads.length).toBeGreaterThanOrEqual(6);
    expect(new Set(loads)).toEqual(new Set(['200 image/webp']));
    await expectGoodPage(page, `manual-${manual}-${language}`);
    // On paper there is the text without the navigation.
    await page.emulateMedia({ media: 'print' });
    expect(
      await page
        .locator('nav.guides, header.bar')
        .evaluateAll((all) => all.map((one) => one.checkVisibility())),
    ).toEqual([false, false]);
    await page.emulateMedia({ media: 'screen' });
    const other = language === 'en' ? 'de' : 'en';
    await page.getByRole('link', { name: other === 'de' ? 'Deutsch' : 'English', exact: true }).click();
    await page.waitForURL(`**${manualPath(manual, other)}`);
    await page.goto(path);
    const next = MANUALS[MANUALS.indexOf(manual) + 1];
    if (next)
      expect(await page.locator('a[rel="next"]').getAttribute('href')).toBe(manualPath(next, language));
  },
);

it('the menu leads each role to its own manual in the language of the page, and a gate to the manual for loaders', async () => {
  const { dock } = await warehouse('links', 'en');
  for (const [authority, manual] of [
    ['ADMINISTRATOR', 'office'],
    ['OPERATOR', 'dispatcher'],
    ['VIEWER', 'dispatcher'],
    ['FORKLIFT_OPERATOR', 'loader'],
  ] as const) {
    const person = await newPerson(world, dock, authority);
    for (const language of [...LANGUAGES, 'fr'] as const) {
      const locale = language === 'fr' ? 'fr-FR' : language;
      const page = await signedIn(world, person, { ...readerOf(manual, 'en').options(1280, 800), locale });
      await page.goto('/app/account');
      const menu = page.locator('#menu .manual-link');
      expect([authority, language, await menu.getAttribute('href')]).toEqual([
        authority,
        language,
        manualPath(manual, language),
      ]);
      await page.goto(dock.gatePath('G1'));
      const gate = page.locator('#more a[href$="manual/loader"]');
      expect(await gate.getAttribute('href')).toBe(manualPath('loader', language));
      await page.context().close();
    }
  }
});
