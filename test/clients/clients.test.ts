import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_KEY } from '../e2e/client.ts';
import { ROOT, Service } from '../e2e/service.ts';

const HERE = import.meta.dirname;

let service: Service;
let home: string;
let document: string;
beforeAll(async () => {
  service = await Service.start();
  home = mkdtempSync(join(tmpdir(), 'dispatch-clients-'));
  document = join(home, 'openapi.json');
  writeFileSync(document, await (await fetch(`${service.origin}/openapi.json`)).text());
});
afterAll(async () => {
  await service.dispose();
  rmSync(home, { recursive: true });
});

/** Run a program of this folder or of the project. @returns its output. */
const run = (program: string, parameters: string[], of = HERE): string =>
  execFileSync(join(of, 'node_modules/.bin', program), parameters, {
    cwd: HERE,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
  });

const STRICT = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

/** Compile a folder. @returns the errors of the compiler, or an empty string. */
function compilerErrors(folder: string): string {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, include: ['.'] }));
  try {
    return run('tsc', ['-p', folder], ROOT);
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const GENERATORS: Record<string, (folder: string) => string> = {
  'openapi-typescript': (folder) =>
    run('openapi-typescript', [document, '--output', join(folder, 'api.d.ts')]),
  '@hey-api/openapi-ts': (folder) =>
    run('openapi-ts', ['-i', document, '-o', join(folder, 'generated'), '-c', '@hey-api/client-fetch']),
  orval: (folder) =>
    run('orval', ['--input', document, '--output', join(folder, 'api.ts'), '--client', 'fetch']),
};

describe('a client generated from /openapi.json', () => {
  it.each(Object.keys(GENERATORS))(
    'a client that %s generates from /openapi.json compiles under strict TypeScript',
    (name) => {
      const folder = mkdtempSync(join(home, 'client-'));
      GENERATORS[name]!(folder);
      expect(compilerErrors(folder)).toBe('');
      writeFileSync(join(folder, 'wrong.ts'), "export const wrong: number = 'text';");
      expect(compilerErrors(folder)).toContain('wrong.ts');
    },
  );

  it('a client generated from /openapi.json runs the dispatch day', () => {
    const folder = mkdtempSync(join(home, 'day-'));
    GENERATORS['@hey-api/openapi-ts']!(folder);
    cpSync(join(HERE, 'day.ts'), join(folder, 'day.ts'));
    expect(compilerErrors(folder)).toBe('');
    const program = join(folder, 'day.mjs');
    run('esbuild', [join(folder, 'day.ts'), '--bundle', '--format=esm', `--outfile=${program}`], ROOT);
    const output = execFileSync(process.execPath, [program, service.origin, OPERATOR_KEY, 'generated'], {
      encoding: 'utf8',
    });
    expect(JSON.parse(output)).toEqual({
      status: 'COMPLETED',
      loaded: 2,
      tracks: 2,
      events: ['PALLET-0', 'PALLET-1'],
    });
  });
});

describe('the document', () => {
  const lint = (file: string): string[] =>
    JSON.parse(execFileSync(process.execPath, ['lint.mjs', file], { cwd: HERE, encoding: 'utf8' }));

  it('Spectral finds no fault in the OpenAPI document, but finds a fault that was added', () => {
    expect(lint(document)).toEqual([]);
    const broken = join(home, 'broken.json');
    const text = readFileSync(document, 'utf8');
    writeFileSync(
      broken,
      text.replace('"type":"boolean","default":false', '"type":"boolean","default":"false"'),
    );
    expect(lint(broken)).not.toEqual([]);
  });
});
