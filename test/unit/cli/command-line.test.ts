import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { scripts } from '../../../package.json';

const root = resolve(import.meta.dirname, '../../..');

/** The commands in package.json that run a program, with its file. */
const COMMANDS = Object.entries(scripts).flatMap(([name, script]): [string, string][] => {
  const [, file] = /^(?:exec )?node (\S+\.ts)$/.exec(script) ?? [];
  return file === undefined ? [] : [[name, join(root, file)]];
});

const run = (file: string, option: string) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, [file, option], (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

it('package.json lists the known commands', () => {
  expect(COMMANDS.map(([name]) => name)).toEqual(
    expect.arrayContaining(['start', 'demo', 'simulate', 'bench']),
  );
});

it.concurrent.each(COMMANDS)('npm run %s prints its options and refuses unknown ones', async (name, file) => {
  const help = await run(file, '--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain(name === 'start' ? '`npm start`' : `npm run ${name}`);
  expect(help.stdout).not.toMatch(/^\s*\*/m);
  expect(await run(file, '--no-such-option')).toEqual({
    code: 2,
    stdout: '',
    stderr: "Unknown option '--no-such-option'. --help says what there is.\n",
  });
});
