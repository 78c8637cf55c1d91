import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { baseUrlOf, httpFault } from '../client/base-url.ts';

/**
 * The options and names that a command was given. `--help` prints the first comment of the file, which lists the
 * options, and ends the program. An unknown option does the same, with exit code 2.
 */
export function commandLine<T extends ParseArgsConfig>(
  file: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usageOf(file)}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    misused(`${reason}. --help says what there is.`);
  }
}

/** Print why a command cannot run as it was called, and end the program with exit code 2. */
function misused(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** The first comment of a file, as text. */
function usageOf(file: string): string {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return comment.replace(/^[ \t]*\*? ?/gm, '').trim();
}

/**
 * The base URL of the service, without a slash at its end: `base`, or else BASE_URL, or else the local service at PORT.
 * A URL that requests cannot use ends the program with exit code 2.
 */
export function serviceOrigin(base?: string): string {
  try {
    return baseUrlOf(base ?? process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`);
  } catch (error) {
    return misused((error as Error).message);
  }
}

/** End the program with exit code 2 if the URL that an option names is not an http(s) URL. */
export function checkUrl(option: string, url: string): void {
  const fault = httpFault(url);
  if (fault !== undefined) misused(`The URL of ${option} ${fault}.`);
}
