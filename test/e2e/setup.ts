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
    /** Where to ask for what the tests of all files share: see `shared.ts`. */
    desk: string;
  }
}

/** Gives the state directory that is its argument all tables. */
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

/** Makes what the tests of all files share, each when the first of them asks for it, and takes it away in the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
  /** A directory of this run, written by a script in a process: the runner's own modules cannot resolve what it needs. */
  const written = (name: string, script: readonly string[]) =>
    once(async () => {
      const directory = join(home, name);
      mkdirSync(directory);
      await run([...script, directory]);
      return directory;
    });
  const tables = written('tables', MIGRATE);
  const bundle = written('bundle', BUNDLE);
  const service = once(async () => Service.start({ state: await tables(), ...bundled(await bundle()) }));
  const shared: Record<string, () => Promise<string>> = {
    '/tables': tables,
    '/bundle': bundle,
    '/chromium': once(unpackedChromium),
    '/service': async () => (await service()).origin,
  };
  const desk = createServer((request, response) => {
    const make = shared[request.url!];
    // Whoever had the port before may still be sent something.
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

/** Run a script to its end, with these variables in its environment besides. */
const run = (script: readonly string[], variables: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, script, { cwd: ROOT, env: { ...process.env, ...variables } });

/**
 * The path of the browser's executable, unpacked on this machine. Its directory gets its name when it is whole: the
 * package itself takes a file that another process is still writing, or never finished, for the browser.
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
      // Another run in this checkout was first.
      if (!existsSync(directory)) throw error;
      rmSync(unpacked, { recursive: true });
    }
  }
  return join(directory, 'chromium');
}

/** Something that is made when it is first asked for, and no second time. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { asked(): boolean } {
  let made: Promise<T> | undefined;
  const ask = () => {
    made ??= make();
    return made;
  };
  return Object.assign(ask, { asked: () => made !== undefined });
}
