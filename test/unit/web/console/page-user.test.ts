import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const MINUTE_MS = 60_000;
/** The data attributes of the page that name its user. */
let page: Record<string, string>;
let stored: Map<string, string>;

/** Load the script as a page does. */
async function loaded() {
  vi.resetModules();
  const script = '../../../../src/web/console/assets/modules/page-user.js';
  return import(script);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(1_800_000_000_000);
  page = { turn: 'ana', used: String(Date.now()), quiet: String(15 * MINUTE_MS) };
  stored = new Map();
  vi.stubGlobal('document', { getElementById: () => ({ dataset: page }) });
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("a worker's turn lasts 15 minutes after the last action, also in a page kept from before", async () => {
  const first = await loaded();
  for (let minutes = 0; minutes < 60; minutes += 5) {
    expect(first.needsWorker()).toBe(false);
    first.noteActivity();
    vi.advanceTimersByTime(5 * MINUTE_MS);
  }
  const again = await loaded();
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(again.needsWorker()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(again.needsWorker()).toBe(true);
});

it("a worker's turn that the service has just shown is open, even if the clock of the device is wrong", async () => {
  page['used'] = String(Date.now() - 40 * MINUTE_MS);
  const { needsWorker, noteNewTurn } = await loaded();
  noteNewTurn();
  expect(needsWorker()).toBe(false);
  vi.advanceTimersByTime(16 * MINUTE_MS);
  noteNewTurn();
  expect(needsWorker()).toBe(true);
});

it("one worker's actions do not extend the turn of another or of a former page", async () => {
  const { needsWorker, noteActivity } = await loaded();
  vi.advanceTimersByTime(20 * MINUTE_MS);
  noteActivity();
  page['turn'] = 'ben';
  expect(needsWorker()).toBe(true);
});

it('a tablet asks for the worker only if no user is signed in', async () => {
  const { needsWorker } = await loaded();
  page = { asking: 'true' };
  expect(needsWorker()).toBe(true);
  page = {};
  vi.advanceTimersByTime(60 * MINUTE_MS);
  expect(needsWorker()).toBe(false);
});

it.each([
  ['stores nothing', undefined],
  ['is full', JSON.stringify({ turn: 'ana', at: 1 })],
])('a tablet knows its worker while the page is open if the browser %s', async (_, stale) => {
  const nothing = () => {
    throw new Error('storage is off');
  };
  vi.stubGlobal('localStorage', { getItem: stale ? () => stale : nothing, setItem: nothing });
  const { needsWorker, noteActivity } = await loaded();
  vi.advanceTimersByTime(14 * MINUTE_MS);
  noteActivity();
  vi.advanceTimersByTime(14 * MINUTE_MS);
  expect(needsWorker()).toBe(false);
});
