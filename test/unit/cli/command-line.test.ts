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

const run = (file: string, options: string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    const env = { ...process.env, ...environment };
    execFile(process.execPath, [file, ...options], { env, timeout: 20_000 }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

it('package.json lists the known commands', () => {
  expect(COMMANDS.map(([name]) => name)).toEqual(
    expect.arrayContaining(['start', 'demo', 'simulate', 'bench']),
  );
});

it.concurrent.each(COMMANDS)('npm run %s prints its options and refuses unknown ones', async (name, file) => {
  const help = await run(file, ['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain(name === 'start' ? '`npm start`' : `npm run ${name}`);
  expect(help.stdout).not.toMatch(/^\s*\*/m);
  expect(await run(file, ['--no-such-option'])).toEqual({
    code: 2,
    stdout: '',
    stderr: "Unknown option '--no-such-option'. --help says what there is.\n",
  });
});

const KEYS = { API_KEY: 'key', OPERATOR_KEY: 'key' };
const RECEIVER = ['--forward-to', 'http://127.0.0.1:9'];

it.concurrent.each([
  ['listen', RECEIVER, { BASE_URL: 'dispatch.example.com' }],
  ['listen', RECEIVER, { BASE_URL: 'localhost:8787' }],
  ['listen', ['--forward-to', 'localhost:9000'], {}],
  ['demo', [], { BASE_URL: 'localhost:8787' }],
  ['audit:verify', ['--base', 'localhost:8787'], {}],
  ['audit:verify', [], { BASE_URL: '//dispatch.example.com' }],
  ['export', ['00000000-0000-7000-8000-000000000000', '--base', 'dispatch.example.com'], {}],
  ['export', ['00000000-0000-7000-8000-000000000000'], { BASE_URL: 'localhost:8787' }],
  ['import', [import.meta.filename, '--base', 'localhost:8787'], {}],
  ['deploy:check', ['dispatch.example.com'], {}],
  ['deploy:check', ['https://dispatch.example.com', '--webhook', 'receiver.example.com'], {}],
] as const)(
  'npm run %s -- %j exits with 2 for a URL without a scheme',
  async (name, options, environment) => {
    const [, file] = COMMANDS.find(([command]) => command === name)!;
    const { code, stdout, stderr } = await run(file, [...options], { ...KEYS, ...environment });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      / has no scheme\. Write https:\/\/ or http:\/\/ at its beginning, for example https:/,
    );
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
);
