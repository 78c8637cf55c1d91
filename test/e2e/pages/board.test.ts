import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectGoodPage, newPerson, type Person, shot, signedIn, startWorld, type World } from './browser.ts';
import { type Dock, newDock } from './dock.ts';

let world: World;
let dock: Dock;
let admin: Person;

beforeAll(async () => {
  world = await startWorld();
  dock = await newDock(world, 'north', { G1: 'Gate 1', G2: 'Gate 2', G3: 'Gate 3' });
  admin = await newPerson(world, dock, 'ADMINISTRATOR');
});
afterAll(() => world.end());

const gatePath = (gate: string): string => `/app/gate/${dock.gates[gate]}`;
/** Wait until a page is told of changes. */
const live = (page: Page) => page.locator('body[data-feed="live"] #feed', { hasText: 'Live' }).waitFor();

/** Whether the page was ever loaded anew: a mark that a reload would wipe away. */
async function mark(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate('globalThis.marked = true');
  return () => page.evaluate('globalThis.marked === true');
}

/** Milliseconds in which the page has to show what happened. */
const SOON = { timeout: 2_000 };

describe('a shift at a gate', () => {
  it('assigns, starts, sees scans as they come, clears a wrong pallet and completes', async () => {
    await dock.couple('P-1', 'P-2', 'P-3', 'X-9');
    await dock.manifest('M-100', ['P-1', 'P-2', 'P-3']);
    await dock.manifest('M-200', ['X-9'], { gateExternalId: 'G2' });
    const page = await signedIn(world, admin);
    await page.goto(gatePath('G1'));
    await live(page);
    const untouched = await mark(page);
    await page.getByRole('button', { name: 'Bring here: M-100' }).click();
    await page.getByRole('button', { name: 'Start: M-100' }).click();
    await page.getByText('0 / 3').waitFor(SOON);
    await dock.scan('G1', 'P-1', 'P-2');
    await page.getByText('2 / 3').waitFor(SOON);
    await dock.scan('G1', 'X-9');
    const wrong = page.getByRole('heading', { name: 'Wrong pallet' });
    await wrong.waitFor(SOON);
    expect(await page.locator('#wrong').textContent()).toContain('It belongs to M-200 at Gate 2.');
    expect(await page.locator('#announcer').textContent()).toBe(
      'Wrong pallet at Gate 1: X-9. It belongs to M-200 at Gate 2.',
    );
    expect(await page.title()).toBe('✖ WRONG PALLET · Gate 1 · north');
    await expectGoodPage(page, 'gate-wrong');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'It is off the truck: X-9' }).click();
    await wrong.waitFor({ state: 'detached', ...SOON });
    await dock.scan('G1', 'P-3');
    await page.getByText('All loaded', { exact: false }).first().waitFor(SOON);
    await expectGoodPage(page, 'gate-ready');
    await page.getByRole('button', { name: 'Complete: M-100' }).click();
    await page.getByText('Nothing is being loaded here.').waitFor(SOON);
    expect(await untouched()).toBe(true);
    expect((await dock.must('GET', '/manifest/M-100')).manifestStatus).toBe('COMPLETED');
    const { content } = await dock.must(
      'GET',
      '/audit-log?entityExternalId=M-100&action=MANIFEST_STATUS_CHANGED',
    );
    expect(content[0].actor).toMatchObject({
      actorType: 'USER',
      uuid: admin.uuid,
      displayName: 'Robin Field',
    });
    await shot(page, 'gate-done');
  });
});

describe('the board', () => {
  it('shows', async () => {
    const page = await signedIn(world, admin);
    await dock.couple('Q-1', 'Q-2');
    await dock.manifest('M-300', ['Q-1', 'Q-2'], { gateExternalId: 'G3' });
    await dock.must('POST', '/manifest/M-300/status/IN_PROGRESS');
    await dock.manifest('M-400', ['Q-7']);
    await page.goto('/app/board');
    await live(page);
    await dock.scan('G3', 'Q-1', 'X-9', 4711);
    await page.getByText('X-9').first().waitFor(SOON);
    await expectGoodPage(page, 'board');
  });
});
