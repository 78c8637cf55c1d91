import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vite';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');

interface Fn {
  returnType?: { start: number; end: number } | null;
}
interface Statement {
  type: string;
  declaration?:
    | (Fn & { type: string; id?: { name: string }; declarations?: { id: { name: string }; init?: Fn }[] })
    | null;
}

/** The exported functions of a text, with the types that they declare to return. */
function exportedIn(text: string): [name: string, returns: string][] {
  const body = parseAst(text, { lang: 'ts' }).body as unknown as Statement[];
  return body.flatMap(({ type, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return [];
    const functions: [string, Fn][] = declaration.declarations
      ? declaration.declarations.flatMap(({ id, init }): [string, Fn][] => (init ? [[id.name, init]] : []))
      : declaration.type === 'FunctionDeclaration'
        ? [[declaration.id!.name, declaration]]
        : [];
    return functions.map(([name, { returnType }]): [string, string] => [
      name,
      returnType ? text.slice(returnType.start, returnType.end).replace(/^:\s*/, '') : '',
    ]);
  });
}

/** The functions that are not named for what they return: a part of a change, or a refusal. */
const misnamedIn = (text: string): string[] =>
  exportedIn(text)
    .filter(([name, returns]) => {
      if (/^ChangePart\b|^\(ChangePart \|/.test(returns)) return !/Changes?$/.test(name);
      if (/^Refusal(?: \| undefined)?$/.test(returns)) return !/^refuse[A-Z]/.test(name);
      return /^[a-z]+(?:ed|ing)$/.test(name);
    })
    .map(([name]) => name);

it('an exported function that returns a part of a change ends in Change, and one that refuses starts with refuse', () => {
  const files = globSync('{delivery,dispatch,log,pallet,retention}/**/*.ts', { cwd: SRC });
  const misnamed = files.flatMap((file) =>
    misnamedIn(readFileSync(join(SRC, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(misnamed).toEqual([]);
  expect(files.length).toBeGreaterThan(200);
});

it('the check of names finds a part of a change, a refusal and a bare participle', () => {
  const text = `export const raise = (): ChangePart => part;
export function closed(): Refusal | undefined {}
export const touching = () => 1;
export const alertChange = (): ChangePart => part;
export function refuseGate(): Refusal {}
const settled = (): ChangePart => part;`;
  expect(misnamedIn(text)).toEqual(['raise', 'closed', 'touching']);
});
