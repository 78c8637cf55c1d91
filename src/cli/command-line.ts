import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The options and names that a command was given. `--help` prints the comment that its file begins with, which says
 * what there are, and ends it; so does, with code 2, an option that it does not have.
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

/** The comment that a file begins with, as text. */
function usageOf(file: string): string {
  const [, comment = ''] = /^\/\*\*(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return comment.replace(/^[ \t]*\*? ?/gm, '').trim();
}

/** The service that is named, else that of BASE_URL, else the local one, at PORT: without a slash at its end. */
export const serviceOrigin = (base?: string): string =>
  (base ?? process.env['BASE_URL'] ?? `http://127.0.0.1:${process.env['PORT'] ?? '8787'}`).replace(
    /\/+$/,
    '',
  );
