import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const MINUTE_MS = 60_000;
/** What the page says of whose it is. */
let page: Record<string, string>;
let stored: Map<string, string>;

/** The script as a page loads it. */
async function loaded() {
  vi.resetModules();
  const script = '../../../../src/web/console/assets/modules/whose.js';
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

it('a turn lasts for 15 minutes after the last work, also where the page is loaded as it was kept long before', async () => {
  const first = await loaded();
  for (let minutes = 0; minutes < 60; minutes += 5) {
    expect(first.isAsking()).toBe(false);
    first.note();
    vi.advanceTimersByTime(5 * MINUTE_MS);
  }
  const again = await loaded();
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(again.isAsking()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(again.isAsking()).toBe(true);
});

it('a turn that the service has just shown is open, whatever the clock of the device says', async () => {
  page['used'] = String(Date.now() - 40 * MINUTE_MS);
  const { isAsking, noteTurn } = await loaded();
  noteTurn();
  expect(isAsking()).toBe(false);
  vi.advanceTimersByTime(16 * MINUTE_MS);
  noteTurn();
  expect(isAsking()).toBe(true);
});

it('what one did is not the work of another, nor of a page of before', async () => {
  const { isAsking, note } = await loaded();
  vi.advanceTimersByTime(20 * MINUTE_MS);
  note();
  page['turn'] = 'ben';
  expect(isAsking()).toBe(true);
});

it('asks where nobody has said it, and nowhere where it is not asked', async () => {
  const { isAsking } = await loaded();
  page = { asking: 'true' };
  expect(isAsking()).toBe(true);
  page = {};
  vi.advanceTimersByTime(60 * MINUTE_MS);
  expect(isAsking()).toBe(false);
});

it.each([
  ['stores nothing', undefined],
  ['is full', JSON.stringify({ turn: 'ana', at: 1 })],
])('knows it as long as the page is open where a browser %s', async (_, stale) => {
  const nothing = () => {
    throw new Error('storage is off');
  };
  vi.stubGlobal('localStorage', { getItem: stale ? () => stale : nothing, setItem: nothing });
  const { isAsking, note } = await loaded();
  vi.advanceTimersByTime(14 * MINUTE_MS);
  note();
  vi.advanceTimersByTime(14 * MINUTE_MS);
  expect(isAsking()).toBe(false);
});
