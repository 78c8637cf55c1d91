import { availableParallelism, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { buildAssets } from '../src/cli/assets.ts';
import { MEMORY } from './memory.ts';
import { playApart } from './simulation/process.ts';

const root = resolve(import.meta.dirname, '..');
// The plugin does not run the build step of wrangler.toml.
buildAssets();
const migrations = await readD1Migrations(`${root}/migrations`);

/** One more than the cores: a test that pauses, kills or waits leaves its core to another test. */
const WORKERS = availableParallelism() + 1;
/** Tests from outside wait longer: for processes, retries and live pages. */
const E2E_WORKERS = WORKERS + 1;

/** Files that take longer than their size suggests. Before the first run, the size decides about the order. */
const LONG = new RegExp(
  [
    'unit/(access/user/password|cli/deploy|dispatch/(departure/history|label/label)|simulation)',
    'dispatch/histories/(run|at-once)',
    'contract/(audit|bounds|dialects|isolation|list-walk|outage)',
    'calibration/upload',
    'workerd/delivery/webhook/(delivery|slow)',
    'workerd/retention/(faults|killed|large)',
    'pages/(docs|gate-camera|gate-wifi|languages|pages|tablet)',
    'docs/(examples|samples)',
    'e2e/(audit|calibration|crash|demo|deploy|move|operations|outage|proof|retention|start|transfer|webhook)',
  ].join('|'),
);

/**
 * These files need the clock, timers and network of the runtime to themselves, so they run first. A queue message of another
 * file would wait for a timer that never fires, and the run would wait for the message.
 */
const FIRST = /workerd\/simulation\//;

/** Runs project by project, because the files of a project share a runtime. Long files come first. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = new Set(sorted.map(({ project }) => project));
    return [...projects].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      const placeOf = ({ moduleId }: TestSpecification) =>
        FIRST.test(moduleId) ? 0 : LONG.test(moduleId) ? 1 : 2;
      return own.toSorted((one, other) => placeOf(one) - placeOf(other));
    });
  }
}

/** Tests with kills need a real disk. */
const DISK = tmpdir();
// The runtime keeps its stores in memory if there is enough, so that commits do not wait for the disk.
if (MEMORY) process.env['TMPDIR'] = MEMORY;

/** The programs that tests start, such as wrangler, compile their scripts once for all tests. */
process.env['NODE_COMPILE_CACHE'] ??= `${root}/node_modules/.cache/node`;

/** A larger young generation: the runtime collects garbage less often, which saves a tenth of its time. */
process.env['MINIFLARE_WORKERD_V8_FLAGS'] = '--min-semi-space-size=32 --max-semi-space-size=64';

/** The build that the Worker bundles. Node would resolve another one. */
const BUNDLED = [{ find: /^pdfkit$/, replacement: `${root}/node_modules/pdfkit/js/pdfkit.browser.mjs` }];

/**
 * Loads the modules that the service imports late together with their importers. The runner would fetch such a module within
 * a request, and share the promise with other requests. The runtime cancels a request that waits for the promise of
 * another one. A deployed bundle contains the modules, so no request fetches one.
 */
const lateModules = {
  name: 'late-modules',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.startsWith(`${root}/src/`)) return undefined;
    const paths: string[] = [];
    const text = code.replace(/(?<!typeof )\bimport\(\s*('\.[^']+')\s*\)/g, (_, path: string) => {
      paths.push(path);
      return `Promise.resolve(late${paths.length})`;
    });
    // Without a line break, so that the lines of the file keep their numbers.
    const imports = paths.map((path, index) => `import * as late${index + 1} from ${path}; `);
    return paths.length === 0 ? undefined : imports.join('') + text;
  },
};

/** The variables among `names` that the environment sets. */
const setIn = (...names: string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

/** The same history on the thin D1, which runs in Node only: see test/simulation. */
async function playThin(request: { url: string }): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [seed, steps] = ['seed', 'steps'].map((name) => Number(searchParams.get(name)));
  return Response.json(await playApart({ seed: seed!, steps: steps!, traced: true }));
}

/** Runs tests within a Worker, which the plugin builds of `main`. */
export const onRuntime = (main: string, more: Record<string, string> = {}) =>
  cloudflareTest({
    main,
    wrangler: { configPath: './wrangler.toml' },
    miniflare: {
      bindings: {
        ENVIRONMENT: 'development',
        OPERATOR_KEY: 'local-operator-key',
        SEALING_KEY: 'local-sealing-key',
        BASE_DOMAIN: 'localhost',
        WEBHOOK_ALLOW_LOOPBACK: 'true',
        WEBHOOK_RETRY_DIVISOR: '1000',
        EMAIL_FROM: 'dispatch@warehouse.example',
        MIGRATIONS: migrations,
        // How the model of the dispatch core is run: see test/workerd/dispatch/histories.
        ...more,
        ...setIn('MODEL_SEED', 'MODEL_RUNS', 'SIMULATION_SEED', 'SIMULATION_STEPS'),
      },
      serviceBindings: { THIN: playThin },
    },
  });

/** Unit: plain functions. Workerd and contract: the Worker on real D1, Durable Object and cache. E2e: from outside. */
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        root,
        resolve: { alias: BUNDLED },
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          testTimeout: 60_000,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
          isolate: false,
        },
      },
      {
        root,
        // Password hashes at a low cost, for thousands of tests. The unit tests use the cost of the service.
        resolve: {
          alias: [{ find: /^.*\/password-cost\.ts$/, replacement: `${root}/test/workerd/password-cost.ts` }],
        },
        plugins: [lateModules, onRuntime('./test/platform/worker.ts')],
        test: {
          name: 'workerd',
          include: ['test/workerd/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/platform/**/*.test.ts'],
          setupFiles: ['test/workerd/migrate.ts'],
          // A log line of an object, or one after an answer, is sent with the runner's next message. At the end of a file
          // the runner waits for it, so the run would never end.
          disableConsoleIntercept: true,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
          isolate: false,
        },
      },
      {
        root,
        resolve: { alias: BUNDLED },
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/setup.ts'],
          env: { TMPDIR: DISK },
          testTimeout: 300_000,
          hookTimeout: 120_000,
          // As long as a test waits for an element.
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: E2E_WORKERS,
          isolate: false,
        },
      },
    ],
  },
});
