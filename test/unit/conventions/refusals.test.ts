import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../../src/core/lib/problem.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** A refusal whose detail is a plain text, without a value in it. */
const PLAIN = /\b(?:refusal|refuse)\(\s*'(\w+)',\s*'/g;

/** Codes whose details name nothing, and why. */
const UNNAMED: Partial<Record<ProblemCode, string>> = {
  notFound: 'the address of a page may contain the token of a link',
  inviteNotFound: 'a link is a secret',
  tabletLinkUsed: 'a link is a secret',
  workerNotFound: 'a badge or PIN is a secret',
  workerCodeInUse: 'a badge or PIN is a secret',
  tabletNotFound: 'the browser is no tablet, so that it has no name',
};

/** Other codes whose details name the resource. */
const NAMED: readonly ProblemCode[] = ['transitionNotAllowed', 'gateRequired'];

/** The codes of refusals that should name a resource, but have a plain text. */
const vagueIn = (text: string): string[] =>
  [...text.matchAll(PLAIN)]
    .map(([, code]) => code as ProblemCode)
    .filter((code) => NAMED.includes(code) || ([404, 409].includes(PROBLEMS[code][0]) && !(code in UNNAMED)));

it('every refusal with status 404 or 409, and of a status change, names the resource', () => {
  const vague = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) =>
    vagueIn(readFileSync(resolve(ROOT, file), 'utf8')).map((code) => `${file}: ${code}`),
  );
  expect(vague).toEqual([]);
});

it('the check finds a refusal that names nothing', () => {
  expect(vagueIn(`refusal('gateInUse', 'The gate is in use.')`)).toEqual(['gateInUse']);
  expect(vagueIn(`refusal('gateRequired', 'Assign a gate.')`)).toEqual(['gateRequired']);
  expect(vagueIn('refuse(\n  "gateInUse"')).toEqual([]);
  expect(vagueIn(`refuse(\n  'slugInUse',\n  'In use.',\n)`)).toEqual(['slugInUse']);
  expect(vagueIn(`refusal('inviteNotFound', 'The link is not valid.')`)).toEqual([]);
});
