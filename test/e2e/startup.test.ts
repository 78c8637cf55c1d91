import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { GOLDEN_PDF as GOLDEN_SHEETS } from '../unit/dispatch/printing-batch/sheets.ts';
import { GOLDEN_PDF as GOLDEN_PROOF } from '../unit/web/pages/proofs.ts';
import { ROOT } from './service.ts';
import { bundle } from './shared.ts';

/** The most bytes of the script after compression. The platform accepts 10 MiB, but parses every byte at each start. */
const GZIP_BYTES_MAXIMUM = 900 * 1024;
/**
 * The most CPU time of a start, as a multiple of the start of `startup/reference.ts`, so that it holds on any machine. It
 * is 200 ms where the reference takes 36 ms. There `wrangler check startup` shows 116 to 155 ms.
 */
const START_MAXIMUM = 5.5;
/** Starts of each script, in turns. The fastest one counts, because other processes only make a start slower. */
const PAIRS = 8;

/** Libraries that only some requests need: for PDFs, workbooks, fonts and passkeys. */
const LATE_LIBRARIES = ['pdfkit', 'fflate', 'fontkit', '@simplewebauthn/server', 'asn1js'];
/** The modules of the service that import them or contain much data, relative to `src`. */
const LATE_MODULES = ['access/passkey/library.ts', 'core/lib/font.ts', 'core/lib/pdf.ts', 'core/lib/xlsx.ts'];

interface Meta {
  inputs: Record<string, { imports: { path: string; kind: string; external?: true }[] }>;
  outputs: Record<string, { inputs: Record<string, unknown> }>;
}

/** All modules of the bundle, and the modules that run before the first request. */
async function modules(): Promise<{ all: string[]; early: Set<string> }> {
  const { inputs, outputs } = JSON.parse(
    readFileSync(join(await bundle(), 'bundle-meta.json'), 'utf8'),
  ) as Meta;
  const early = new Set(['src/worker.ts']);
  for (const module of early) {
    for (const { path, kind, external } of inputs[module]!.imports) {
      if (kind !== 'dynamic-import' && !external) early.add(path);
    }
  }
  return { all: Object.values(outputs).flatMap((output) => Object.keys(output.inputs)), early };
}

const isLate = (module: string): boolean =>
  LATE_LIBRARIES.some((name) => module.includes(`node_modules/${name}/`)) ||
  LATE_MODULES.includes(module.replace(/^src\//, ''));

it('no module for PDFs, workbooks, fonts or passkeys runs before the first request', async () => {
  const { all, early } = await modules();
  expect([...early].filter(isLate)).toEqual([]);
  // The bundle contains all of them, so a renamed one is noticed.
  expect(all.filter(isLate).length).toBeGreaterThanOrEqual(LATE_LIBRARIES.length + LATE_MODULES.length);
  for (const name of LATE_LIBRARIES) expect(all.join('\n')).toContain(`node_modules/${name}/`);
  for (const module of LATE_MODULES) expect(all).toContain(`src/${module}`);
});

it('the script is at most 900 KiB after compression', async () => {
  const script = readFileSync(join(await bundle(), 'worker.js'));
  expect(gzipSync(script).byteLength).toBeLessThanOrEqual(GZIP_BYTES_MAXIMUM);
});

it('the script contains the messages of zod in English only', async () => {
  const { all } = await modules();
  expect(all.filter((module) => module.includes('node_modules/zod/v4/locales/'))).toEqual([
    'node_modules/zod/v4/locales/en.js',
  ]);
});

it('the script contains the messages of the service in English only', async () => {
  const { all } = await modules();
  const languages = all.flatMap((module) => /^src\/messages\/(\w\w)\//.exec(module)?.[1] ?? []);
  expect([...new Set(languages)]).toEqual(['en']);
});

const run = promisify(execFile);

/** A directory for scripts of this file. Node loads them as modules because of their names. */
const home = mkdtempSync(join(tmpdir(), 'dispatch-startup-'));
afterAll(() => rmSync(home, { recursive: true }));

/** The script of the service. */
async function serviceScript(): Promise<string> {
  const script = join(home, 'service.mjs');
  copyFileSync(join(await bundle(), 'worker.js'), script);
  return script;
}

/** A module of `startup`, bundled with its libraries. */
async function scriptOf(name: string): Promise<string> {
  const script = join(home, `${name}.mjs`);
  const build = [`test/e2e/startup/${name}.ts`, '--bundle', '--format=esm', '--minify'];
  await run(join(ROOT, 'node_modules/.bin/esbuild'), [...build, `--outfile=${script}`], { cwd: ROOT });
  return script;
}

/** The packages that wrangler.toml replaces in the script, as options of the bundler. */
const replaced = (): string[] =>
  [
    ...readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').matchAll(/^"(@?\w[^"]*)" = "(\.\/src\/[^"]+)"$/gm),
  ].map(([, name, path]) => `--alias:${name}=${path}`);

it('the replacement of libraries in the script changes no byte of a document', async () => {
  const program = join(home, 'documents.mjs');
  const build = [
    'test/e2e/startup/documents.ts',
    '--bundle',
    '--format=esm',
    '--external:node:*',
    ...replaced(),
  ];
  expect(build).toContain('--alias:linebreak=./src/core/lib/no-pdf-extras.ts');
  await run(join(ROOT, 'node_modules/.bin/esbuild'), [...build, `--outfile=${program}`], { cwd: ROOT });
  const { stdout } = await run(process.execPath, [program], { cwd: ROOT });
  expect(JSON.parse(stdout)).toEqual({ proof: GOLDEN_PROOF, sheet: GOLDEN_SHEETS.A4 });
});

/** Runs a program of `startup` for a script, which is compiled again. Returns the JSON that it prints. */
async function printed(program: 'measure' | 'count', script: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [`test/e2e/startup/${program}.ts`, script], {
    cwd: ROOT,
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return JSON.parse(stdout);
}

it('the start makes no contract of a route and no object of Intl', async () => {
  expect(await printed('count', await scriptOf('wasteful'))).toEqual({ contract: 1, NumberFormat: 1 });
  expect(await printed('count', await serviceScript())).toEqual({});
});

it('a start of the service takes no more CPU time than its budget', async () => {
  const [script, referenceScript] = [await serviceScript(), await scriptOf('reference')];
  let [service, reference] = [Infinity, Infinity];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    service = Math.min(service, Number(await printed('measure', script)));
    reference = Math.min(reference, Number(await printed('measure', referenceScript)));
  }
  console.info(
    `start of the service: ${service.toFixed(0)} ms, of the reference: ${reference.toFixed(0)} ms`,
  );
  expect(service / reference).toBeLessThanOrEqual(START_MAXIMUM);
});
