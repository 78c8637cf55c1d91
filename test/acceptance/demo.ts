/**
 * `npm run demo`: plays a dispatch day against the running service, as a WMS would, through the HTTP API alone.
 * `npm run demo -- --from FOLDER`: reads a WMS export instead and compares the service with it afterwards.
 * `-- --from FOLDER --moves N`: the organization is moved to another database and back meanwhile, so many times.
 * Both can be run again in the same state. Environment: BASE_URL, or PORT (default 8787) on 127.0.0.1;
 * OPERATOR_KEY (default the key of `npm start`).
 */

import { commandLine, serviceOrigin } from '../../src/cli/command-line.ts';
import { playDay } from '../../src/cli/demo-day.ts';
import { say } from '../../src/cli/demo-output.ts';
import { ApiClient } from '../../src/kit/client.ts';
import { importExport } from './wms/import.ts';
import { secondsSince } from './wms/phases.ts';

/** Some seconds: enough for a service that is about to be ready. */
const HEALTH_ATTEMPTS = 5;

async function run(): Promise<boolean> {
  const { values } = commandLine(import.meta.filename, {
    options: { from: { type: 'string' }, moves: { type: 'string', default: '0' } },
  });
  const moves = Number(values.moves);
  if (!Number.isSafeInteger(moves) || moves < 0) throw new Error('--moves is a whole number.');
  const anyone = new ApiClient(serviceOrigin());
  say(`Service ${anyone.base}`);
  const start = performance.now();
  await anyone.request('GET', '/health', { attempts: HEALTH_ATTEMPTS }).catch((error: Error) => {
    throw new Error(`${error.message}. Is it running? Start it with npm start.`);
  });
  const operator = anyone.as({ 'X-OPERATOR-KEY': process.env['OPERATOR_KEY'] ?? 'local-operator-key' });
  const done =
    values.from === undefined ? await playDay(operator) : await importExport(operator, values.from, moves);
  const { requests, retries, replays } = anyone.traffic;
  say(
    `${requests} requests in ${secondsSince(start)}; ${replays} answers were those of an earlier run, ` +
      `${retries} requests were sent again.`,
  );
  return done;
}

// A reader that has seen enough, such as `head`, ends the run; the next one takes it up.
process.stdout.on('error', () => process.exit(1));

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
