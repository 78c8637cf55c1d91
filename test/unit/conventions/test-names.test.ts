import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import nlp from 'compromise/two';
import { expect, it } from 'vitest';
import { Passed } from './passed.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The beginning of a name that lacks its subject. */
const NO_SUBJECT = /^(is|are|has|of|by|for)\b/i;
/** A placeholder that the test runner replaces. */
const PLACEHOLDER = /%[sijdf]|\$\{[^}]*\}|\$[a-zA-Z.]+/g;
/** Verbs that the tagger takes for nouns in our sentences. */
const VERB =
  /\b(asks|becomes|changes|deletes|describes|end|find|gets|group|leads|leaves|link|names|offers|raises|rotates|shows|skips|walk|work|works)\b/;

/** The names of the tests in a file. */
function namesIn(text: string): string[] {
  const calls = text.matchAll(
    /^\s*(?:it|test)(?:\.\w+\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm,
  );
  return [...calls].map(([, , name]) => name!.replaceAll('\\', '')).filter((name) => /[a-z]/i.test(name));
}

/** Why a name is not a sentence; undefined for a good one. */
function faultOf(name: string): string | undefined {
  if (NO_SUBJECT.test(name)) return 'lacks a subject';
  if (VERB.test(name)) return undefined;
  return nlp(name.replaceAll(PLACEHOLDER, 'something')).has('#Verb') ? undefined : 'lacks a verb';
}

it('every test has a name that is a full sentence', async () => {
  const files = globSync('test/**/*.test.ts', {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  });
  const names = files.flatMap((file) =>
    namesIn(readFileSync(resolve(ROOT, file), 'utf8')).map((name) => ({ file, name })),
  );
  expect(names.length).toBeGreaterThan(1500);
  const passed = new Passed('test-names.json', [import.meta.filename]);
  const wrong = names.map(({ file, name }) =>
    passed.faultsOf(name, () => {
      const fault = faultOf(name);
      return fault ? [`${file}: "${name}" ${fault}`] : [];
    }),
  );
  expect((await Promise.all(wrong)).flat()).toEqual([]);
  passed.save();
});

it.each([
  ['is refused with 400', 'lacks a subject'],
  ['of another pallet adds one record', 'lacks a subject'],
  ['every page of the desk', 'lacks a verb'],
  ['a wrong pallet raises one alert', undefined],
])('the check of test names judges "%s"', (name, fault) => {
  expect(faultOf(name)).toBe(fault);
});
