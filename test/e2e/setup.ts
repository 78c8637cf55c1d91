import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import chromium from '@sparticuz/chromium';
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
  `import { migrate } from './src/local/migrate.ts'; migrate(process.argv[1]);`,
];
const BUNDLE = ['test/e2e/bundle.ts'];

/** Makes what the tests of all files share, each when the first of them asks for it, and takes it away in the end. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  process.env = { ...env, ...project.config.env };
  // Unpacked where tests look for it, before two of them do that at once.
  await chromium.executablePath();
  process.env = env;
  const home = mkdtempSync(join(tmpdir(), 'dispatch-e2e-'));
  /** A directory of this run, written by a script in a process: the runner's own modules cannot resolve what it needs. */
  const written = (name: string, script: readonly string[]) =>
    once(async () => {
      const directory = join(home, name);
      mkdirSync(directory);
      await promisify(execFile)(process.execPath, [...script, directory], { cwd: ROOT });
      return directory;
    });
  const tables = written('tables', MIGRATE);
  const bundle = written('bundle', BUNDLE);
  const service = once(async () => Service.start({ state: await tables(), ...bundled(await bundle()) }));
  const shared: Record<string, () => Promise<string>> = {
    '/tables': tables,
    '/bundle': bundle,
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

/** Something that is made when it is first asked for, and no second time. */
function once<T>(make: () => Promise<T>): (() => Promise<T>) & { asked(): boolean } {
  let made: Promise<T> | undefined;
  const ask = () => {
    made ??= make();
    return made;
  };
  return Object.assign(ask, { asked: () => made !== undefined });
}
