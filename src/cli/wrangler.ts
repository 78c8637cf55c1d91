/** Runs wrangler, for the programs that set up a deployment. npm puts the wrangler of package.json into the path. */
import { spawn, spawnSync } from 'node:child_process';
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

/** Run a command and return its output. It gets no input, so that several can run at once. */
export function ask(args: readonly string[]): Promise<Result> {
  const command = spawn('wrangler', IS_SHELL ? quoted(args) : args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: IS_SHELL,
    env: ENVIRONMENT,
  });
  let [output, report] = ['', ''];
  command.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    report += text;
  });
  command.stderr.setEncoding('utf8').on('data', (text: string) => {
    report += text;
  });
  command.on('error', (error) => fail(`wrangler cannot be run: ${error.message}. Run this with npm.`));
  return new Promise((resolve) =>
    command.on('close', (status) => resolve({ succeeded: status === 0, output, report: report.trim() })),
  );
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
