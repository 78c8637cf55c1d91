/** Runs wrangler, for the programs that set up a deployment. npm puts the wrangler of package.json into the path. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { say } from './demo/output.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
export const CONFIG = resolve(ROOT, 'wrangler.toml');

/** The result of a command. */
interface Result {
  succeeded: boolean;
  /** Text on stdout. */
  output: string;
  /** Text on stdout and stderr, for a person who looks for the cause of a failure. */
  report: string;
}

/** Windows starts wrangler through a shell, which splits arguments at spaces. */
const IS_SHELL = process.platform === 'win32';
const quoted = (args: readonly string[]): string[] =>
  args.map((arg) => (/\s/.test(arg) ? JSON.stringify(arg) : arg));

/** Wrangler has 15 MB of script to compile, for each command. */
const ENVIRONMENT = { NODE_COMPILE_CACHE: resolve(ROOT, 'node_modules/.cache/node'), ...process.env };

/** Print a message and end the program. */
export function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Run a command and return its output. */
export function ask(args: readonly string[]): Result {
  const { status, stdout, stderr, error } = spawnSync('wrangler', IS_SHELL ? quoted(args) : args, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: IS_SHELL,
    env: ENVIRONMENT,
  });
  if (error) fail(`wrangler cannot be run: ${error.message}. Run this with npm.`);
  return { succeeded: status === 0, output: stdout, report: `${stdout}${stderr}`.trim() };
}

/** Print a command and run it. Its output appears on the terminal. Returns whether it succeeded. */
export function perform(args: readonly string[]): boolean {
  show(args);
  const { status } = spawnSync('wrangler', IS_SHELL ? quoted(args) : args, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: IS_SHELL,
    env: ENVIRONMENT,
  });
  return status === 0;
}

/** Print a command without running it. */
export const show = (args: readonly string[]): void => say(`npx wrangler ${quoted(args).join(' ')}`);
