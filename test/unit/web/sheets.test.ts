import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const WEB = resolve(import.meta.dirname, '../../../src/web');
const FILES = readdirSync(WEB, { recursive: true, encoding: 'utf8' });
const SHEETS = FILES.filter((file) => file.endsWith('.css'));

/** The classes of rules outside media queries. A rule is about the first class of its selector, if no id precedes it. */
function definedIn(css: string): Set<string> {
  const classes = new Set<string>();
  let depth = 0;
  for (const [, selectors, brace] of css.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]*)([{};])/g)) {
    if (brace === '{' && depth === 0)
      for (const selector of split(selectors!)) {
        const [first = ''] = /[.#][a-z][\w-]*/i.exec(selector) ?? [];
        if (first.startsWith('.') && !selector.trim().startsWith('@')) classes.add(first);
      }
    depth += brace === '{' ? 1 : brace === '}' ? -1 : 0;
  }
  return classes;
}

/** The selectors of a list, without parentheses and without exclusions such as `:not(.plate)`. */
function split(selectors: string): string[] {
  let plain = selectors.replace(/:not\((?:[^()]|\([^()]*\))*\)/g, '');
  while (plain.includes('('))
    plain = plain.replace(/\(([^()]*)\)/g, (_, inner: string) => ` ${inner.replaceAll(',', ' ')} `);
  return plain.split(',');
}

it('a class is defined in one style sheet only', () => {
  expect(SHEETS.length).toBeGreaterThan(10);
  const places = new Map<string, string[]>();
  for (const file of SHEETS)
    for (const name of definedIn(readFileSync(join(WEB, file), 'utf8')))
      places.set(name, [...(places.get(name) ?? []), file]);
  expect(places.size).toBeGreaterThan(200);
  expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

it.each([
  ['.a { color: red } .a .b { color: red }', ['.a']],
  ['@media print { .a { color: red } } p.b, [dir] .c { color: red }', ['.b', '.c']],
  ['#a .b { color: red } p:not(.c, .d:has(.e)) { color: red }', []],
  ['.a { & .b { color: red } } :is(.c, .d:has(b)) p { width: calc(1px * (2 + 3)) }', ['.a', '.c']],
])('finds the classes of %s', (css, classes) => {
  expect([...definedIn(css)]).toEqual(classes);
});

it('each page names style sheets that exist', () => {
  const named = FILES.filter((file) => /\.(tsx?|js)$/.test(file)).flatMap((file) =>
    [...readFileSync(join(WEB, file), 'utf8').matchAll(/['"/]([\w-]+\.css)['"]/g)].map(([, name]) => name!),
  );
  const sheets = SHEETS.map((file) => file.replace(/^.*\//, ''));
  expect(sheets.filter((sheet) => !named.includes(sheet))).toEqual([]);
  expect(named.filter((name) => ![...sheets, 'swagger-ui.css'].includes(name))).toEqual([]);
});
