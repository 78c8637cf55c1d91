import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Locator, Page } from 'playwright-core';

/** Delay of each style sheet and script, in milliseconds, to find tests and pages that fail on a slow network. */
const SLOW_ASSETS_MS = Number(process.env['SLOW_ASSETS'] ?? 0);
/** How many times slower the scripts of pages run, to find tests and pages that fail on a slow machine. */
const SLOW_CPU = Number(process.env['SLOW_CPU'] ?? 1);

/** Actions on an element and reads of it. They wait for the element. */
const OF_ELEMENT = [
  ...['blur', 'check', 'clear', 'click', 'dblclick', 'dispatchEvent', 'dragTo', 'fill', 'focus', 'hover'],
  ...['press', 'pressSequentially', 'scrollIntoViewIfNeeded', 'selectOption', 'selectText', 'setChecked'],
  ...['setInputFiles', 'tap', 'uncheck', 'boundingBox', 'evaluate', 'getAttribute', 'innerHTML', 'innerText'],
  ...['inputValue', 'isChecked', 'isDisabled', 'isEditable', 'isEnabled', 'screenshot', 'textContent'],
];
/** Reads of the elements that are there now. */
const OF_ELEMENTS = [
  ...['all', 'allInnerTexts', 'allTextContents', 'count', 'evaluateAll', 'isHidden', 'isVisible'],
];

/** Methods of a page's keyboard. Keys go to the element that has the focus. */
const OF_KEYBOARD = ['down', 'insertText', 'press', 'type'];
const OF_PAGE = ['evaluate', 'screenshot'];

type Method = (this: object, ...given: unknown[]) => Promise<unknown>;

/** Replaces methods of the class of an object. */
function wrap(one: object, names: readonly string[], around: (own: Method) => Method): void {
  const prototype = Object.getPrototypeOf(one);
  for (const name of names) prototype[name] = around(prototype[name]);
}

/** Calls the method after the page is ready. */
const whenReady =
  (pageOf: (target: never) => Page) =>
  (own: Method): Method =>
    async function (...given) {
      await pageOf(this as never).waitForLoadState();
      return own.apply(this, given);
    };

let areWrapped = false;

/**
 * Makes all actions and reads of tests wait until the page has its styles and scripts. After a click that opens a page,
 * a slow machine shows the page before it has them.
 */
function waitForReadiness(page: Page): void {
  if (areWrapped) return;
  areWrapped = true;
  const locator = page.locator('html');
  const { waitFor } = locator;
  const pageOf = (target: Locator) => target.page();
  wrap(locator, OF_ELEMENTS, whenReady(pageOf));
  wrap(locator, OF_ELEMENT, (own) => {
    const act = whenReady(pageOf)(own);
    return async function (...given) {
      // The element may be on a page that is still opening.
      const { timeout } = (given.find((one) => Object(one).timeout !== undefined) ?? {}) as {
        timeout?: number;
      };
      await waitFor.call(this as Locator, {
        state: 'attached',
        ...(timeout === undefined ? {} : { timeout }),
      });
      return act.apply(this, given);
    };
  });
  wrap(
    locator,
    ['waitFor'],
    (own) =>
      async function (...given) {
        await own.apply(this, given);
        await (this as Locator).page().waitForLoadState();
      },
  );
  wrap(
    page,
    OF_PAGE,
    whenReady((target: Page) => target),
  );
  wrap(
    page.keyboard,
    OF_KEYBOARD,
    whenReady((target: { _page: Page }) => target._page),
  );
}

/** Prepares a browser profile: its tests see only pages that are ready, and the environment may slow the pages down. */
export async function prepare(profile: BrowserContext): Promise<void> {
  profile.on('page', async (page) => {
    waitForReadiness(page);
    if (SLOW_CPU > 1) {
      const session = await profile.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
    }
  });
  if (SLOW_ASSETS_MS === 0) return;
  await profile.route(/\/assets\/.*\.(css|js)$/, async (route) => {
    await sleep(SLOW_ASSETS_MS);
    // The page may be closed by now.
    await route.continue().catch(() => undefined);
  });
}
