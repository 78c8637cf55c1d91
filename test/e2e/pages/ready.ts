import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, FileChooser, Locator, Page } from 'playwright-core';

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

/** Methods of a page's keyboard and mouse, and of a page. */
const OF_KEYBOARD = ['down', 'insertText', 'press', 'type'];
const OF_MOUSE = ['click', 'down', 'move', 'up'];
const OF_PAGE = ['content', 'evaluate', 'screenshot', 'title'];

type Method = (this: object, ...given: unknown[]) => Promise<unknown>;

/** Replaces methods of the class of an object. */
function wrap(one: object, names: readonly string[], around: (own: Method) => Method): void {
  const prototype = Object.getPrototypeOf(one);
  for (const name of names) prototype[name] = around(prototype[name]);
}

const pageOf = (target: object): Page =>
  '_page' in target
    ? (target._page as Page)
    : 'page' in target
      ? (target as Locator).page()
      : (target as Page);

/** Calls a method when the page is ready. */
const whenReady = (own: Method): Method =>
  async function (...given) {
    await pageOf(this).waitForLoadState();
    return own.apply(this, given);
  };

/** Calls a method, then waits until the page is ready. */
const thenReady = (own: Method): Method =>
  async function (...given) {
    await own.apply(this, given);
    await pageOf(this).waitForLoadState();
  };

/** Calls a method when an element is there and its page is ready. The page may still be opening. */
const whenThere = (waitFor: Method) => (own: Method) => {
  const act = whenReady(own);
  const method: Method = async function (...given) {
    const options = given.find((one) => Object(one).timeout !== undefined) as { timeout: number } | undefined;
    await waitFor.call(this, { state: 'attached', timeout: options?.timeout });
    return act.apply(this, given);
  };
  return method;
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
  wrap(locator, OF_ELEMENT, whenThere(locator.waitFor as Method));
  wrap(locator, OF_ELEMENTS, whenReady);
  wrap(locator, ['waitFor'], thenReady);
  wrap(page, OF_PAGE, whenReady);
  wrap(page.keyboard, OF_KEYBOARD, whenReady);
  wrap(page.mouse, OF_MOUSE, whenReady);
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU });
}

/** Prepares a browser profile: its tests see only pages that are ready, and the environment may slow the pages down. */
export async function prepare(profile: BrowserContext): Promise<void> {
  profile.on('page', (page) => {
    waitForReadiness(page);
    // A tab that closes at once cannot be slowed down.
    if (SLOW_CPU > 1) slowDown(page).catch(() => undefined);
  });
  if (SLOW_ASSETS_MS === 0) return;
  await profile.route(/\/assets\/.*\.(css|js)$/, async (route) => {
    await sleep(SLOW_ASSETS_MS);
    // The page may be closed by now.
    await route.continue().catch(() => undefined);
  });
}

/** Presses a control that opens the dialog for a file. @returns the dialog */
export async function fileDialog(page: Page, press: () => Promise<void>): Promise<FileChooser> {
  const pressed = async () => {
    // A key can overtake the order to catch the dialog. An answer of the page shows that it has the order.
    await page.evaluate('undefined');
    await press();
  };
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), pressed()]);
  return dialog;
}
