import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DESK_LANGUAGES, LANGUAGES, type Language } from '../../../src/messages/languages.ts';
import { wordsIn } from '../../messages.ts';
import { accessibilityFaults, WITHOUT_CONTRAST } from './accessibility.ts';
import { crowdedTabs, newPerson, PASSWORD, shot, signedIn } from './browser.ts';
import { atDock, newDock, SOON, smallTargets } from './dock.ts';
import { withEachFont } from './fonts.ts';
import { isKept } from './wifi.ts';

const PHONE = { width: 360, height: 740 };
const SSCC = ['395212349000000093', '395212349000000109', '395212349000000116'] as const;

const { world, dock, admin } = await atDock(
  'sprachen',
  { G1: 'Dock 01', G2: 'Dock 02', G3: 'Dock 03' },
  { timeZone: 'Europe/Warsaw' },
);

/** Returns `the page` if it is too wide, and all elements that reach beyond its right edge. */
const overflow = (page: Page): Promise<unknown> =>
  page.evaluate(`[
    ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
    ...[...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.closest('.hidden, .skip, svg, .tape'))
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 120)),
  ]`);

const fits = async (page: Page, name: string): Promise<void> => {
  for (const size of [PHONE, { width: 1024, height: 768 }]) {
    await page.setViewportSize(size);
    await withEachFont(page, async (font) => {
      const here = [name, size.width, font];
      expect([...here, await overflow(page), await crowdedTabs(page)]).toEqual([...here, [], []]);
    });
    await shot(page, `lang-${name}-${size.width}`);
  }
  await page.setViewportSize(PHONE);
};

const choose = async (page: Page, language: Language, path: string): Promise<void> => {
  await page.goto(`/language?to=${language}&next=${encodeURIComponent(path)}`);
  expect(await page.evaluate('document.documentElement.lang')).toBe(language);
};

describe('a shift in Polish, on a phone', () => {
  it('a shift in Polish on a phone is in Polish everywhere: gate, answers, queued actions and the last question', async () => {
    const { t } = wordsIn('pl');
    await dock.couple(SSCC[0], SSCC[1], 'X-1');
    await dock.manifest('PL-1', [...SSCC], { gateExternalId: 'G1' });
    const context = await world.profile({ viewport: PHONE, locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto('/app/login');
    // The browser's header decides the language until the user chooses one.
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await page.getByRole('link', { name: 'Polski' }).click();
    await page.getByLabel(t('signIn.organization')).fill(admin.organization);
    await page.getByLabel(t('signIn.email')).fill(admin.email);
    await page.getByLabel(t('signIn.password')).fill('not this one');
    await page.getByRole('button', { name: t('signIn.title') }).click();
    await page.getByText(t('signIn.failed')).waitFor(SOON);
    await page.getByLabel(t('signIn.password')).fill(PASSWORD);
    await page.getByRole('button', { name: t('signIn.title') }).click();
    await page.waitForURL(/\/app$/);
    await page.goto(dock.gatePath('G1'));
    await page.locator('body[data-feed="live"] #feed', { hasText: t('live.live') }).waitFor(SOON);
    await page.getByRole('button', { name: `${t('gate.start')}: PL-1` }).click();
    await page.getByText('0 / 3').waitFor(SOON);
    const scan = async (text: string) => {
      await page.locator('#scan').fill(text);
      await page.keyboard.press('Enter');
    };
    await scan(SSCC[0]);
    await page.locator('#answer.ok', { hasText: t('scan.LOADED') }).waitFor(SOON);
    await scan('nobody');
    await page.locator('#answer.bad', { hasText: t('gate.notCalled', { name: 'nobody' }) }).waitFor(SOON);
    await page.locator('.todo', { hasText: t('gate.countToLoad', { count: 2 }) }).waitFor(SOON);
    await fits(page, 'gate-pl');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await isKept(page);
    await context.setOffline(true);
    for (const text of [SSCC[1], SSCC[2]]) await scan(text);
    await page.locator('#offline', { hasText: t('tablet.waits', { count: 2 }) }).waitFor(SOON);
    await fits(page, 'gate-offline-pl');
    // The page stored for offline use keeps its language.
    await page.reload();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pl');
    await page.locator('#offline', { hasText: t('tablet.waits', { count: 2 }) }).waitFor(SOON);
    await context.setOffline(false);
    await page.getByText('3 / 3').waitFor(SOON);
    await dock.scan('G1', 'X-1');
    await page.locator('#wrong', { hasText: t('gate.takeOff') }).waitFor(SOON);
    await fits(page, 'gate-wrong-pl');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: `${t('gate.isOff')}: X-1` }).click();
    await page.getByRole('link', { name: `${t('gate.complete')}: PL-1` }).click();
    await fits(page, 'gate-finish-pl');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('close.yes'), exact: true })
      .click();
    await page.getByText(t('gate.nothingLoading')).waitFor(SOON);
  });
});

it('the text below a page explains shipments where they exist, in every language of the gate board', async () => {
  const shipping = await newDock(world, 'versand', {}, { dispatchStrategy: 'SHIPMENT' });
  const person = await newPerson(world, shipping, 'ADMINISTRATOR');
  const page = await signedIn(world, person, { viewport: PHONE });
  for (const language of DESK_LANGUAGES) {
    await choose(page, language, '/app/board');
    await page.getByText(wordsIn(language).t('menu.shipments'), { exact: true }).last().waitFor(SOON);
    expect([language, await crowdedTabs(page)]).toEqual([language, []]);
    await shot(page, `tabs-${language}`);
  }
});

it('pages fit a phone if their text runs from right to left, and names keep their own direction', async () => {
  await dock.manifest('RTL', ['395212349000000130', 'R-2'], { gateExternalId: 'G3' });
  await dock.must('POST', '/manifest/RTL/status/IN_PROGRESS');
  const page = await signedIn(world, admin, { viewport: PHONE });
  const beyond = `[...document.querySelectorAll('body *')]
    .filter((element) => element.checkVisibility() && !element.closest('.hidden, .skip, svg, .tape'))
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return left < -0.5 || right > innerWidth + 0.5;
    })
    .map((element) => element.outerHTML.slice(0, 120))`;
  const turned = async (path: string) => {
    await page.goto(path);
    await page.evaluate("document.documentElement.dir = 'rtl'");
    expect([path, await page.evaluate(beyond)]).toEqual([path, []]);
    const bidi = "getComputedStyle(document.querySelector('main :is(a, b, span)')).unicodeBidi";
    expect([path, await page.evaluate(bidi)]).toEqual([path, 'isolate']);
    await shot(page, `rtl-${path.replace(/\W+/g, '-')}`);
  };
  for (const path of ['/app/login', dock.gatePath('G3'), `${dock.gatePath('G3')}/scan`]) await turned(path);
  await dock.must('POST', '/manifest/RTL/status/COMPLETED');
  await turned(new URL((await dock.must('GET', '/manifest/RTL')).shipmentSummaryUrl).pathname);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const { t } = wordsIn(language);
  const rules = language === 'en' ? {} : WITHOUT_CONTRAST;

  it('no page is wider than a phone: sign-in, gate, menu, question, camera, board, public page', async () => {
    await dock.manifest(`F-${language}`, ['395212349000000123', 'F-2'], { gateExternalId: 'G2' });
    await dock.must('POST', `/manifest/F-${language}/status/IN_PROGRESS`);
    const stranger = await (await world.profile({ viewport: PHONE })).newPage();
    for (const path of ['/app/login', '/app/login/oidc?organization=nobody']) {
      await choose(stranger, language, path);
      await fits(stranger, `${path.slice(5)}-${language}`);
      expect(await accessibilityFaults(stranger, rules)).toEqual([]);
    }
    await stranger.getByRole('alert').getByText(t('company.none')).waitFor(SOON);

    const page = await signedIn(world, admin, { viewport: PHONE });
    await choose(page, language, dock.gatePath('G2'));
    await page.locator('#feed', { hasText: t('live.live') }).waitFor(SOON);
    await fits(page, `gate-${language}`);
    expect(await smallTargets(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: t('gate.more'), exact: true }).click();
    await fits(page, `gate-more-${language}`);
    await page.getByRole('button', { name: t('kit.close'), exact: true }).click();
    await page
      .getByRole('link', { name: t('text.labelled', { label: t('gate.complete'), value: `F-${language}` }) })
      .click();
    await page.getByRole('dialog').getByText(t('close.no')).waitFor(SOON);
    await fits(page, `question-${language}`);
    expect(await accessibilityFaults(page, rules)).toEqual([]);
    await page.goto(`${dock.gatePath('G2')}/scan`);
    await fits(page, `scan-${language}`);
    for (const path of ['/app/board', '/app/password']) {
      await page.goto(path);
      await fits(page, `${path.slice(5)}-${language}`);
    }
    await dock.must('POST', `/manifest/F-${language}/status/COMPLETED`);
    const { shipmentSummaryUrl } = await dock.must('GET', `/manifest/F-${language}`);
    await choose(stranger, language, new URL(shipmentSummaryUrl).pathname);
    await fits(stranger, `summary-${language}`);
    expect(await accessibilityFaults(stranger, rules)).toEqual([]);
    for (const { context } of [{ context: page.context() }, { context: stranger.context() }])
      await context.close();
  });
});
