import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');
/** The only file that may remove loading records, so that no command can lose a pallet that is aboard. */
const ONLY = 'dispatch/load/shared/place-changes.ts';

/** The archive takes the records of loads that were closed long ago. Nothing is aboard them. */
const ARCHIVE = /^retention\//;

/** Whether a text removes loading records. Moves and erasures walk over all tables without naming them. */
const removes = (text: string): boolean =>
  /\bremove\(\s*assetLoading\b/.test(text) || /\bDELETE\s+FROM\s+asset_loading\b/i.test(text);

it('only the rule of where a pallet is removes loading records', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SRC }).filter(
    (file) => !ARCHIVE.test(file) && removes(readFileSync(join(SRC, file), 'utf8')),
  );
  expect(files).toEqual([ONLY]);
});

it.each([
  'scope.remove(assetLoading, x)',
  'scope.remove(\n  assetLoading,\n',
  'DELETE FROM asset_loading WHERE',
])('the search finds a statement that removes loading records: %s', (text) =>
  expect(removes(text)).toBe(true),
);
