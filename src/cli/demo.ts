/**
 * `npm run demo` plays a dispatch day on the running service, as a WMS would, through the HTTP API alone.
 * `npm run demo -- --from FOLDER` imports a WMS export instead and then compares the service with it. With
 * `-- --from FOLDER --moves N`, the organization is moved N times during the import, alternately to another
 * database and back. All can be repeated in the same state. Environment: BASE_URL, or PORT (default 8787)
 * on 127.0.0.1; OPERATOR_KEY (default: the key of `npm start`).
 */

import { ApiClient } from '../client/client.ts';
import { commandLine, serviceOrigin } from './command-line.ts';
import { playDay } from './demo/day.ts';
import { say } from './demo/output.ts';
import { importExport } from './wms/import.ts';
import { secondsSince } from './wms/phases.ts';

/** A few seconds, enough for a service that is starting. */
const HEALTH_ATTEMPTS = 5;

async function run(): Promise<boolean> {
  const { values } = commandLine(import.meta.filename, {
    options: { from: { type: 'string' }, moves: { type: 'string', default: '0' } },
  });
  const moves = Number(values.moves);
  if (!Number.isSafeInteger(moves) || moves < 0) throw new Error('--moves must be a whole number from 0 up.');
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
    `${requests} requests in ${secondsSince(start)}; ${replays} answers came from an earlier run, ` +
      `${retries} requests were sent again.`,
  );
  return done;
}

// A reader that closes the pipe, such as `head`, ends the run. The next run continues it.
process.stdout.on('error', () => process.exit(1));

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
