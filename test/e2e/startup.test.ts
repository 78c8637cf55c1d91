import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from './service.ts';
import { bundle } from './shared.ts';

/** The most bytes of the script after compression. The platform accepts 10 MiB, but parses every byte at each start. */
const GZIP_BYTES_MAXIMUM = 900 * 1024;
/** The most CPU time of a start, as a multiple of the start of `startup/reference.ts`. */
const START_MAXIMUM = 1.35;
/** Starts of each Worker, in turns. Other processes only make a start slower, so the fastest one counts. */
const PAIRS = 6;

/** Libraries that only some requests need: for PDFs, fonts and passkeys. */
const LATE_LIBRARIES = [
  'pdfkit',
  'fontkit',
  'linebreak',
  '@noble/ciphers',
  '@simplewebauthn/server',
  'asn1js',
];
/** The modules of the service that import them or contain much data, relative to `src`. */
const LATE_MODULES = [
  'access/passkey/library.ts',
  'core/lib/font.ts',
  'core/lib/pdf.ts',
  'web/docs/examples.json',
];

interface Meta {
  inputs: Record<string, { imports: { path: string; kind: string; external?: true }[] }>;
  outputs: Record<string, { inputs: Record<string, unknown> }>;
}

/** The modules of the bundle, and the modules that run before the first request. */
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

it('no module for PDFs, fonts, passkeys or examples runs before the first request', async () => {
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

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** The CPU time of a Worker's start in milliseconds, as `wrangler check startup` measures it. */
async function startOf(options: readonly string[], outfile: string): Promise<number> {
  await promisify(execFile)('wrangler', ['check', 'startup', ...options, '--outfile', outfile], {
    cwd: ROOT,
    env: {
      ...process.env,
      CI: 'true',
      VITEST: '',
      NODE_OPTIONS: '',
      WRANGLER_SEND_METRICS: 'false',
      PATH: `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
    },
  });
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(outfile, 'utf8')) as Profile;
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === '(idle)')?.id;
  const microseconds = timeDeltas.filter((_, index) => samples[index] !== idle);
  return microseconds.reduce((sum, delta) => sum + delta, 0) / 1000;
}

it('a start of the service takes no more CPU time than its budget', async () => {
  const home = mkdtempSync(join(tmpdir(), 'dispatch-startup-'));
  const outfile = join(home, 'start.cpuprofile');
  let [service, reference] = [Infinity, Infinity];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    service = Math.min(service, await startOf(['--env', ''], outfile));
    reference = Math.min(reference, await startOf(['-c', 'test/e2e/startup/wrangler.toml'], outfile));
  }
  rmSync(home, { recursive: true });
  console.info(
    `start of the service: ${service.toFixed(0)} ms, of the reference: ${reference.toFixed(0)} ms`,
  );
  expect(service / reference).toBeLessThanOrEqual(START_MAXIMUM);
});
