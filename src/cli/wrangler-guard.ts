/**
 * Loaded into wrangler (`node --import`), ends it where it would do harm to go on:
 * - Its parent is gone. One that is killed with SIGKILL cannot end its children, which would hold port and state.
 * - The process that holds the port is gone. Wrangler would start another one, which takes connections and never
 *   answers them. (The one that runs the Worker is started again and serves.)
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';

const CHECK_MS = 250;
/** The process that started this one says which it is: it may be gone before this runs. */
const parent = Number(new URL(import.meta.url).searchParams.get('parent'));
/** The port that wrangler was given. */
const port = process.argv[process.argv.indexOf('--port') + 1];

const listensThere = ({ spawnargs }: ChildProcess): boolean =>
  // Arguments need not be texts: what kills a tree of processes is given numbers.
  spawnargs
    .map(String)
    .some((argument) => argument.startsWith('--socket-addr=entry=') && argument.endsWith(`:${port}`));

/** Workers are killed on the way out. */
const end = (): never => process.exit(1);

if (isMainThread) {
  // An orphan is given to another parent. Where the system does not do so (Windows), nothing happens here.
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, CHECK_MS).unref();
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    child.once('exit', (code, signal) => {
      if (child.killed || !listensThere(child)) return;
      process.stderr.write(`The process that listens on the port ended (${signal ?? `code ${code}`}).\n`);
      end();
    });
  });
}
