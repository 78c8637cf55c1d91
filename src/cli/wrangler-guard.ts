/**
 * Loaded into wrangler by `node --import`. Ends wrangler, which kills its workers when it exits, in two cases:
 * - The process that started it is gone. On Windows, no shell kills wrangler and its workers then.
 * - The worker that listens on the port is gone. Wrangler starts another one, which accepts requests and answers none.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

process.on('disconnect', () => process.exit(1));
process.channel?.unref();

const listens = `--socket-addr=entry=127.0.0.1:${process.argv[process.argv.indexOf('--port') + 1]}`;

subscribe('child_process', (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.once('exit', (code, signal) => {
    if (child.killed || !child.spawnargs.includes(listens)) return;
    process.stderr.write(`The process that listens on the port ended (${signal ?? `code ${code}`}).\n`);
    process.exit(1);
  });
});
