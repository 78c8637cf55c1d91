import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { analyse } from 'scslre';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');
/** Programs and the build of the documentation. They read only our own texts. */
const OWN = /^(?:cli|web\/docs)\//;
/** Patterns that are slow for long texts, and why their texts are short. */
const SHORT: Readonly<Record<string, string>> = {
  'dispatch/label/code128.ts': 'A WMS id has at most 255 characters.',
};

/** Whether a pattern can look back over a long run, so that its time grows faster than the text. */
const isSlow = (source: string, flags: string): boolean => analyse({ source, flags }).reports.length > 0;

interface Node {
  regex?: { pattern: string; flags: string };
}

/** The patterns of a file. */
function patternsIn(file: string): { pattern: string; flags: string }[] {
  const lang = file.endsWith('x') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js';
  const found: { pattern: string; flags: string }[] = [];
  JSON.stringify(parseAst(readFileSync(`${SRC}/${file}`, 'utf8'), { lang }), (_, node: Node | null) => {
    if (node?.regex) found.push(node.regex);
    return typeof node === 'bigint' ? undefined : node;
  });
  return found;
}

it('no pattern can look back over a long run of a text that somebody else wrote', () => {
  const files = globSync('**/*.{ts,tsx,js}', { cwd: SRC }).filter((file) => !OWN.test(file));
  const slow = files.flatMap((file) =>
    patternsIn(file)
      .filter(({ pattern, flags }) => isSlow(pattern, flags))
      .map(({ pattern }) => ({ file, pattern })),
  );
  expect(slow.filter(({ file }) => !(file in SHORT))).toEqual([]);
  expect([...new Set(slow.map(({ file }) => file))].toSorted()).toEqual(Object.keys(SHORT));
});

it('no composed pattern of dates and of GS1 elements can look back over a long run', async () => {
  const composed: RegExp[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string, string?]) {
      const pattern = new target(...args);
      composed.push(pattern);
      return pattern;
    },
  });
  try {
    for (const file of ['pallet/gs1-elements.ts', 'pallet/typed-date.ts', 'web/console/pallet-list/rows.ts'])
      await import(/* @vite-ignore */ `${SRC}/${file}?composed`);
  } finally {
    globalThis.RegExp = Original;
  }
  expect(composed.length).toBeGreaterThan(50);
  // A date has at most 100 characters (`DATE_TEXT_MAXIMUM`).
  const isOfDates = ({ source }: RegExp) => source.includes('(?<time>');
  expect(composed.filter((one) => !isOfDates(one) && isSlow(one.source, one.flags))).toEqual([]);
});

it('a slow pattern is found', () => {
  expect(isSlow('\\s*(?:UTC|Z)$', 'i')).toBe(true);
  expect(isSlow('(?:a|b)+$', '')).toBe(true);
  expect(isSlow('^\\s*a$', '')).toBe(false);
});
