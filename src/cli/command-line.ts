import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

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
    process.stderr.write(`${reason}. --help says what there is.\n`);
    process.exit(2);
  }
}

/** The first comment of a file, as text. */
function usageOf(file: string): string {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return comment.replace(/^[ \t]*\*? ?/gm, '').trim();
}

/**
 * The origin of the service, without a slash at its end: `base`, or else BASE_URL, or else the local service at PORT.
 */
export const serviceOrigin = (base?: string): string =>
  (base ?? process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`).replace(
    /\/+$/,
    '',
  );
