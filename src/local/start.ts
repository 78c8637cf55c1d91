/**
 * `npm start`: applies local migrations and serves through wrangler, with development values for secrets.
 * Environment: PORT (default 8787), STATE_DIR (default .state), BASE_DOMAIN (default localhost).
 */
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const wrangler = resolve(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js');
const port = process.env['PORT'] ?? '8787';
const state = resolve(process.env['STATE_DIR'] ?? '.state');
const environment = {
  ...process.env,
  CI: 'true',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

const migrated = spawnSync(
  process.execPath,
  [wrangler, 'd1', 'migrations', 'apply', 'DB', '--local', '--persist-to', state],
  { env: environment, encoding: 'utf8' },
);
if (migrated.status !== 0) {
  process.stderr.write(`${migrated.stdout}${migrated.stderr}`);
  process.exit(migrated.status ?? 1);
}

// Marked as local: a deployed environment refuses to serve with them.
const variables = {
  ENVIRONMENT: 'development',
  OPERATOR_KEY: 'local-operator-key',
  BASE_DOMAIN: process.env['BASE_DOMAIN'] ?? 'localhost',
};
const served = spawn(
  process.execPath,
  [
    wrangler,
    'dev',
    ...['--ip', '127.0.0.1', '--port', port, '--persist-to', state, '--show-interactive-dev-session=false'],
    ...['--inspector-port', '0', '--log-level', 'warn'],
    ...Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ],
  { env: environment, stdio: 'inherit' },
);
process.stdout.write(`Serving on http://127.0.0.1:${port} (state in ${state})\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => served.kill(signal));
served.on('exit', (code) => process.exit(code ?? 0));
