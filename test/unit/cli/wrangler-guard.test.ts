import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const GUARD = pathToFileURL(resolve(import.meta.dirname, '../../../src/cli/wrangler-guard.ts')).href;
const PORT = 8787;

/** Run what wrangler would: a program under the guard, given the port, which starts another one with these arguments. */
function guarded(childArguments: readonly (string | number)[]) {
  const program = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', '0', '--', ...${JSON.stringify(childArguments)}]);
    child.on('exit', () => setTimeout(() => process.exit(0), 100));`;
  const guard = `${GUARD}?parent=${process.pid}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', guard, '-e', program, '--', '--port', String(PORT)],
    { encoding: 'utf8' },
  );
  return { status, stderr };
}

describe('a program that wrangler has started and that ends', () => {
  it.each([
    ['was given a number, as what kills a tree of processes is', [process.pid]],
    ['listens elsewhere', [`--socket-addr=entry=127.0.0.1:1${PORT}`]],
    ['has the port for something else', [`--inspector-addr=127.0.0.1:${PORT}`]],
  ])('lets it go on where it %s', (_, given) => {
    expect(guarded(given)).toEqual({ status: 0, stderr: '' });
  });

  it('ends it where it listened on the port', () => {
    expect(guarded([7, `--socket-addr=entry=127.0.0.1:${PORT}`])).toEqual({
      status: 1,
      stderr: 'The process that listens on the port ended (code 0).\n',
    });
  });
});

it('ends where its parent is another one than it was started by', () => {
  const program = 'setTimeout(() => process.exit(0), 5_000)';
  const args = ['--no-warnings', '--import', `${GUARD}?parent=${process.pid + 1}`, '-e', program];
  expect(spawnSync(process.execPath, args).status).toBe(1);
});
