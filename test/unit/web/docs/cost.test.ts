import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import {
  ARCHIVED_ROWS_WRITTEN,
  billOf,
  costTable,
  PALLET_MAXIMUM,
  PRICES_DATE,
  photoTable,
  rowsTable,
  USAGE,
} from '../../../bench/bill.ts';

const guide = readFileSync(resolve(import.meta.dirname, '../../../../src/web/docs/guides/cost.md'), 'utf8');
const INCLUDED_ROWS = 50_000_000;

it('the guide shows the bill that is computed from measured rows and the price list, with its date', () => {
  expect(guide).toContain(costTable());
  expect(guide).toContain(rowsTable());
  expect(guide).toContain(photoTable());
  expect(guide).toContain(PRICES_DATE);
  expect(guide).toContain(`writes ${ARCHIVED_ROWS_WRITTEN} rows`);
});

it('the guide says how many pallets the included rows cover, rounded down to ten thousand', () => {
  for (const { rowsWritten } of Object.values(USAGE)) {
    const pallets = Math.floor(INCLUDED_ROWS / rowsWritten / 10_000) * 10_000;
    expect(guide).toContain(pallets.toLocaleString('en'));
  }
});

it('a bill adds up, and each unit has its price', () => {
  const nothing = Object.fromEntries(
    Object.keys(USAGE.withWebhook).map((unit) => [unit, 0]),
  ) as unknown as typeof USAGE.withWebhook;
  const sumOf = (usage: Partial<Record<keyof typeof USAGE.withWebhook, number>>) =>
    billOf({ ...nothing, ...usage }).at(-1)!.dollars;
  expect(sumOf({})).toBe(0);
  expect(sumOf({ rowsWritten: PALLET_MAXIMUM })).toBeCloseTo(PALLET_MAXIMUM);
  expect(sumOf({ rowsRead: 1_000, messages: 1 })).toBeCloseTo(1 + 1.2);
  expect(sumOf({ objectSeconds: 1 })).toBeCloseTo(1.6);
  const lines = billOf(USAGE.withWebhook);
  expect(lines.slice(0, -1).reduce((sum, { dollars }) => sum + dollars, 0)).toBeCloseTo(
    lines.at(-1)!.dollars,
  );
});
