/**
 * `node test/e2e/serve.ts DIRECTORY` serves the bundle of `bundle.ts`, with the runtime and the stores of `npm
 * start`. It starts in a fifth of the time. It reads PORT, STATE_DIR and the variables of `npm start`. With INSPECTOR_PORT
 * the runtime can be inspected.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { convertV4MiniflareOptions, type LegacyWorkerOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { keepSchedule } from '../../src/cli/schedule.ts';
import { developmentVariables } from '../../src/cli/variables.ts';

const directory = process.argv[2]!;
const options: LegacyWorkerOptions = JSON.parse(readFileSync(join(directory, 'options.json'), 'utf8'));
const variables = developmentVariables(process.env);
const [host, port] = ['127.0.0.1', Number(process.env['PORT'])];
const inspectorPort = process.env['INSPECTOR_PORT'];
const runtime = new Miniflare(
  convertV4MiniflareOptions({
    ...options,
    name: 'warehouse-dispatch',
    host,
    port,
    ...(inspectorPort === undefined ? {} : { inspectorPort: Number(inspectorPort) }),
    log: new Log(variables.REQUEST_LOG === 'true' ? LogLevel.INFO : LogLevel.WARN),
    logRequests: false,
    cf: false,
    unsafeTriggerHandlers: true,
    resourcePersistencePath: join(process.env['STATE_DIR']!, 'v3'),
    rootPath: resolve(import.meta.dirname, '../..'),
    modulesRoot: directory,
    modules: [{ type: 'ESModule', path: join(directory, 'worker.js') }],
    bindings: { ...options.bindings, ...variables },
  }),
);
await runtime.ready;
keepSchedule(`http://${host}:${port}`);
