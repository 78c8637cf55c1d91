/**
 * `node test/e2e/bundle.ts DIRECTORY` bundles the Worker as wrangler does. It also writes the settings of
 * wrangler.toml for `serve.ts`. So a service that tests start, kill and start again is bundled only once.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unstable_getMiniflareWorkerOptions as optionsOf } from 'wrangler';

const root = resolve(import.meta.dirname, '../..');
const directory = process.argv[2]!;
/** Password hashes at the low cost of the Worker's tests. The service's cost is 90 ms of a core for each sign-in. */
const cheap = ['--alias', './password-cost.ts:./test/workerd/password-cost.ts'];
execFileSync(
  'wrangler',
  ['deploy', '--env', '', '--dry-run', '--outdir', directory, '--metafile', ...cheap],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  },
);
const { workerOptions } = optionsOf(join(root, 'wrangler.toml'));
writeFileSync(join(directory, 'options.json'), JSON.stringify(workerOptions));
