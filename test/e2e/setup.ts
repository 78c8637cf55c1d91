import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { bundled, ROOT, Service } from './service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the server that hands out what all test files share: see `shared.ts`. */
    desk: string;
  }
}

/** Creates all tables in the state directory given as argument. */
const MIGRATE = [
  '--input-type=module',
  '--eval',
  `import { migrate } from './src/cli/migrate.ts'; migrate(process.argv[1]);`,
];
/** Unpacks the browser into the directory for temporary files. */
const UNPACK = [
  '--input-type=module',
  '--eval',
  `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`,
];
const BUNDLE = ['test/e2e/bundle.ts'];

/** Creates shared things when a test file first asks for them, and removes them after the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
  /**
   * A directory that a separate process writes, because the runner's own modules cannot import the needed packages.
   */
  const written = (name: string, script: readonly string[]) =>
    once(async () => {
      const directory = join(home, name);
      mkdirSync(directory);
      await run([...script, directory]);
      return directory;
    });
  const tables = written('tables', MIGRATE);
  const bundle = written('bundle', BUNDLE);
  // The flags make the runtime collect garbage less often. They are kept from services that a test watches itself.
  const environment = { MINIFLARE_WORKERD_V8_FLAGS: process.env['MINIFLARE_WORKERD_V8_FLAGS']! };
  const service = once(async () =>
    Service.start({ state: await tables(), ...bundled(await bundle()), environment }),
  );
  const shared: Record<string, () => Promise<string>> = {
    '/tables': tables,
    '/bundle': bundle,
    '/chromium': once(unpackedChromium),
    '/service': async () => (await service()).origin,
  };
  const desk = createServer((request, response) => {
    const make = shared[request.url!];
    // A program may still send requests to the previous user of this port.
    if (!make) return response.writeHead(404).end(request.url);
    make().then(
      (answer) => response.end(answer),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((ready) => desk.listen(0, '127.0.0.1', ready));
  project.provide('desk', `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.close();
    if (service.asked()) await (await service()).dispose();
    rmSync(home, { recursive: true });
  };
}

/** Runs a script to its end with these additional environment variables. */
const run = (script: readonly string[], variables: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, script, { cwd: ROOT, env: { ...process.env, ...variables } });

/**
 * Returns the path of the browser's executable, unpacked on this machine. The directory gets its final name only when
 * it is complete. The package itself accepts an incomplete file as the browser.
 */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
  );
  const cache = join(ROOT, 'node_modules/.cache');
  const directory = join(cache, `chromium-${version}`);
  if (!existsSync(directory)) {
    mkdirSync(cache, { recursive: true });
    const unpacked = mkdtempSync(`${directory}-`);
    await run(UNPACK, { TMPDIR: unpacked });
    try {
      renameSync(unpacked, directory);
    } catch (error) {
      // Another run in this checkout has already unpacked it.
      if (!existsSync(directory)) throw error;
      rmSync(unpacked, { recursive: true });
    }
  }
  return join(directory, 'chromium');
}

/** Makes something at the first request, and returns the same afterwards. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { asked(): boolean } {
  let made: Promise<T> | undefined;
  const ask = () => {
    made ??= make();
    return made;
  };
  return Object.assign(ask, { asked: () => made !== undefined });
}
