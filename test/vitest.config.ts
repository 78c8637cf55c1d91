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

/** One more than there are cores: a test that pauses, kills or waits leaves a core to another one. */
const WORKERS = availableParallelism() + 1;
/** From outside there is more to wait for: for starts and ends of processes, retries, what a page notices by and by. */
const E2E_WORKERS = WORKERS + 1;

/** Files that take long and are short: of others their size tells, where no run was before. */
const LONG = new RegExp(
  [
    'dispatch/(run|at-once)',
    'contract/(bounds|outage|list-walk)',
    'calibration/upload',
    'pages/(docs|gate-wifi|tablet)',
    'docs/examples',
    'e2e/(audit|calibration|crash|move|operations|outage|retention|start-kill|webhook)',
  ].join('|'),
);

/**
 * Has clock, timers and network of its runtime to itself: a message of a queue that another file left there would be
 * delivered among them, wait for a timer that never rings, and have the run wait for it. So it comes before all others.
 */
const FIRST = /workerd\/simulation\//;

/** Project by project, as a runtime is kept for the files of one; long files first, so that none is left at the end. */
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

/** What the service does when it is killed is looked at on a disk. */
const DISK = tmpdir();
// The runtime keeps its stores in memory where there is room for them: each commit would wait for the disk.
if (MEMORY) process.env['TMPDIR'] = MEMORY;

/** Room for what requests leave behind, so that the runtime collects it less often: a tenth of its time. */
process.env['MINIFLARE_WORKERD_V8_FLAGS'] = '--min-semi-space-size=32 --max-semi-space-size=64';

/** The build that the Worker bundles; Node would take another one. */
const BUNDLED = [{ find: /^pdfkit$/, replacement: `${root}/node_modules/pdfkit/js/pdfkit.browser.mjs` }];

/** The variables of these that the environment sets. */
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
        // Hashes of passwords at a price that thousands of tests can pay; the unit tests hash at that of the service.
        resolve: {
          alias: [{ find: /^.*\/password-cost\.ts$/, replacement: `${root}/test/workerd/password-cost.ts` }],
        },
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ENVIRONMENT: 'development',
                OPERATOR_KEY: 'local-operator-key',
                SEALING_KEY: 'local-sealing-key',
                BASE_DOMAIN: 'localhost',
                WEBHOOK_ALLOW_LOOPBACK: 'true',
                WEBHOOK_RETRY_DIVISOR: '1000',
                MIGRATIONS: migrations,
                // How the model of the dispatch core is run: see test/workerd/dispatch/histories.
                ...setIn('MODEL_SEED', 'MODEL_RUNS', 'SIMULATION_SEED', 'SIMULATION_STEPS'),
              },
              serviceBindings: { THIN: playThin },
            },
          }),
        ],
        test: {
          name: 'workerd',
          include: ['test/workerd/**/*.test.ts', 'test/contract/**/*.test.ts'],
          setupFiles: ['test/workerd/migrate.ts'],
          // What is logged by an object or after an answer would wait for the runner's next message, and the runner, at
          // the end of a file, for its being sent: for ever.
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
          maxWorkers: E2E_WORKERS,
          isolate: false,
        },
      },
    ],
  },
});
