import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { clockIn } from '../../../src/core/lib/zone.ts';
import { operator } from '../client.ts';
import { expectGoodPage, newPerson, type Person, shot, signedIn, startWorld } from './browser.ts';
import { type Dock, live, newDock, SOON } from './dock.ts';

const world = await startWorld();
const HOUR_MS = 3_600_000;

/** A notification that a page has shown. */
interface Shown {
  text: string;
  tag: string;
}

/** Replaces the notifications of the browser, which has no screen, by a list. `answer`: the user's answer. */
const replace = (context: BrowserContext, permission: string, answer = 'granted') =>
  context.addInitScript(`window.shown = []; window.asked = 0;
    window.Notification = class extends EventTarget {
      static permission = ${JSON.stringify(permission)};
      static async requestPermission() {
        window.asked += 1;
        return (this.permission = ${JSON.stringify(answer)});
      }
      constructor(text, { tag }) {
        super();
        window.shown.push({ text, tag });
        window.last = this;
      }
      close() {}
    };`);

const shownOn = (page: Page) => page.evaluate<Shown[]>('window.shown');
const button = (page: Page) => page.locator('#notify');

async function board(page: Page) {
  await page.goto('/app/board');
  await live(page);
}

describe('notifications on the board', () => {
  let dock: Dock;
  let person: Person;
  beforeAll(async () => {
    dock = await newDock(world, 'notices', { G1: 'Gate 1', G2: 'Gate 2' }, { dispatchStrategy: 'SHIPMENT' });
    await dock.couple('A', 'B', 'X', 'Y', 'Z');
    for (const [number, pallet] of ['A', 'B'].entries()) {
      const [gate, load] = [`G${number + 1}`, `S${number + 1}`];
      await dock.must('POST', '/manifest', { externalIdentifier: `M${number}`, assets: [pallet] });
      const manifests = [{ manifestExternalId: `M${number}` }];
      await dock.must('POST', '/shipment', { identifier: load, manifests, gateIdentifier: gate });
      await dock.must('POST', `/shipment/${load}/status/IN_PROGRESS`);
    }
    person = await newPerson(world, dock, 'ADMINISTRATOR');
  });
  const set = (body: object) =>
    operator(world.service, 200, { method: 'PUT', path: `/organization/${dock.uuid}`, json: body });

  it('the board asks for permission after a click, shows a new problem once, and opens its load', async () => {
    const page = await signedIn(world, person);
    await replace(page.context(), 'default');
    await board(page);
    expect(await button(page).textContent()).toBe('Notifications: off');
    expect(await page.evaluate('window.asked')).toBe(0);
    await expectGoodPage(page, 'board-notices');
    await button(page).click();
    await page.getByText('Notifications: on').waitFor();
    expect(await page.evaluate('window.asked')).toBe(1);
    const other = await page.context().newPage();
    await board(other);
    await other.evaluate("Notification.permission = 'granted'; dispatchEvent(new Event('storage'))");
    await other.getByText('Notifications: on').waitFor();
    await dock.scan('G1', 'X');
    for (const tab of [page, other]) await expect.poll(() => shownOn(tab), SOON).toHaveLength(1);
    const [one, two] = [await shownOn(page), await shownOn(other)];
    expect(one).toEqual(two);
    expect(one[0]!.text).toContain('X');
    expect(one[0]!.tag).toMatch(/^[wa]-/);
    await page.evaluate("window.last.dispatchEvent(new Event('click'))");
    await page.waitForURL(/\/app\/shipment\/[0-9a-f-]+$/);
  });

  it('quiet hours hold notifications, and afterwards one notification shows how many problems are left', async () => {
    const time = (ms: number) => clockIn('UTC', Date.now() + ms);
    await set({ quietFrom: time(-HOUR_MS), quietTo: time(HOUR_MS) });
    const page = await signedIn(world, person);
    await replace(page.context(), 'granted');
    await board(page);
    await button(page).click();
    await page.getByText('Notifications: on').waitFor();
    await dock.scan('G2', 'Y');
    await page.locator('#live [data-announce*="Y"]').first().waitFor(SOON);
    await dock.scan('G1', 'Z');
    await page.locator('#live [data-announce*="Z"]').first().waitFor(SOON);
    expect(await shownOn(page)).toEqual([]);
    // An update of the page brings the quiet hours back.
    const left = async () => {
      await page.evaluate("document.getElementById('live').dataset.quiet = '1 2'");
      return (await shownOn(page)).map(({ text }) => text);
    };
    await expect.poll(left, { timeout: 30_000 }).toEqual([expect.stringContaining('2 problems')]);
    await set({ quietFrom: null, quietTo: null });
  });

  it.each([
    ['denied', 'Notifications: blocked'],
    [null, 'Notifications: not possible'],
  ])('the board says why there are no notifications if the permission is %s', async (permission, text) => {
    const page = await signedIn(world, person);
    if (permission === null) await page.context().addInitScript('delete window.Notification');
    else await replace(page.context(), permission);
    await board(page);
    expect(await button(page).textContent()).toBe(text);
    await button(page).click({ force: true });
    expect(await button(page).getAttribute('aria-pressed')).toBe('false');
    await shot(page, `board-notices-${permission}`);
  });
});
