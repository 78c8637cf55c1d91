import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

const SRC = resolve(import.meta.dirname, '../../../src');
/** Functions that take any number of arguments. A list of about 120,000 overflows the stack as arguments. */
const TAKES_MANY = /\b(push|unshift|concat|splice|max|min|fromCharCode|fromCodePoint|hypot|of)$/;

interface Node {
  type: string;
  start: number;
  end: number;
  callee?: Node;
  arguments?: Node[];
}

/** The calls of a file that pass all items of a list as arguments. */
function spreadCalls(file: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, start, end, callee, arguments: given } = node as Node;
    if (type === 'CallExpression' && given!.some((argument) => argument.type === 'SpreadElement')) {
      if (TAKES_MANY.test(text.slice(callee!.start, callee!.end)))
        found.push(`${file}: ${text.slice(start, end)}`);
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : file.endsWith('.js') ? 'js' : 'ts' }));
  return found;
}

it('no list is passed as arguments', () => {
  const found = globSync('**/*.{ts,tsx,js}', { cwd: SRC, exclude: ['cli/**', '**/*.d.ts'] }).flatMap((file) =>
    spreadCalls(file, readFileSync(join(SRC, file), 'utf8')),
  );
  expect(found).toEqual([]);
});

it('the search finds a list that is passed as arguments', () => {
  const text =
    'const most = (list: number[]) => [f(...list), Math.max(0, f(1), ...list), all.push({ ...one }, [...two])];';
  expect(spreadCalls('a.ts', text)).toEqual(['a.ts: Math.max(0, f(1), ...list)']);
});
