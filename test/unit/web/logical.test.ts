import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const WEB = resolve(import.meta.dirname, '../../../src/web');

/** Declarations that stay on one side in every direction of writing: two edges that are rotated to draw a sign. */
const DRAWN = ['console/assets/desk.css', 'pages/assets/public.css'].map(
  (file) => `${file}: border-width: 0 2px 2px 0`,
);

const SIDES =
  /(?<![\w-])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?<![\w-])(?:text-align|float|clear|transform-origin|caption-side)\s*:[^;]*\b(?:left|right)\b/g;
const SHORTHAND = /(?<![\w-])(margin|padding|inset|border-(?:width|style|color))\s*:([^;}]*)/g;

/** The values of a shorthand. Spaces within parentheses do not separate values. */
const valuesOf = (text: string): string[] =>
  text.trim().match(/(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()])+/g) ?? [];

/** The declarations of a style sheet that name the left or the right side. */
function physicalIn(css: string): string[] {
  const plain = css.replace(/\/\*.*?\*\//gs, '');
  const shorthands = [...plain.matchAll(SHORTHAND)].filter(([, , text]) => {
    const [, right, , left] = valuesOf(text!);
    return left !== undefined && left !== right;
  });
  return [...plain.matchAll(SIDES), ...shorthands].map(([text]) => text.trim());
}

it('style sheets name the start and the end of a line, not left and right', () => {
  const sheets = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(10);
  const found = sheets.flatMap((file) =>
    physicalIn(readFileSync(join(WEB, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found.filter((one) => !DRAWN.includes(one))).toEqual([]);
});

it.each([
  'a { margin-left: 0 }',
  'a { border-right-color: red }',
  'a { left: 0 }',
  'a { text-align: right }',
  'a { padding: 1px 2px 3px calc(1px + (2px * 3)) }',
])('finds the side in %s', (css) => {
  expect(physicalIn(css)).toHaveLength(1);
});

it.each(['a { padding: 1px 2px 3px 2px; margin-inline-start: 0; inset: 0 }', '/* left: 0 */'])(
  'finds no side in %s',
  (css) => {
    expect(physicalIn(css)).toEqual([]);
  },
);
