import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, '.github');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The texts of `.github` by their path. */
const texts = new Map(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(md|yml)$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
);

describe('SECURITY.md', () => {
  const rows = texts
    .get('SECURITY.md')!
    .split('\n')
    .filter((line) => /^\| (API|V)\d/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name, holds, shownBy]) => [name!, holds!, shownBy!] as const);

  it('SECURITY.md lists each API Security risk and each ASVS chapter once, in order', () => {
    expect(rows.map(([name]) => name.split(' ')[0])).toEqual([
      ...Array.from({ length: 10 }, (_, at) => `API${at + 1}`),
      ...Array.from({ length: 17 }, (_, at) => `V${at + 1}`),
    ]);
  });

  it.each(rows)('SECURITY.md names existing tests for %s', (_, holds, shownBy) => {
    const tests = [...shownBy.matchAll(/`([^`]+)`/g)].map(([, path]) => path!);
    if (holds !== 'Not used') expect(tests).not.toEqual([]);
    for (const path of tests) {
      expect(path).toMatch(/^test\/.+\.test\.ts$/);
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });
});

describe('the pages for newcomers and the workflow', () => {
  it('the documents and the workflow name scripts that package.json has', () => {
    const named = [...texts].flatMap(([, text]) =>
      [...text.matchAll(/(?:^|`|run: )npm (?:run )?([a-z][a-z:0-9]*)/gm)].map(([, script]) => script!),
    );
    const ofNpm = new Set(['ci', 'pack']);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((script) => !ofNpm.has(script) && !scripts[script])).toEqual([]);
  });

  it('the workflow pins its actions to commits', () => {
    const used = [...texts.get('workflows/ci.yml')!.matchAll(/uses: (.+)/g)].map(([, action]) => action!);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
