import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from './client.ts';
import { ROOT } from './service.ts';

const DEFAULT_PORT = 8787;
const DAY_MAXIMUM_MS = 120_000;

/** The machine may have no curl. */
export const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** Makes curl write each status and URL to stderr, beside the output of the command. */
const TELL_STATUS = `curl() { command curl -w '%{stderr}%{http_code} %{url_effective}\\n' "$@"; }`;

const textOf = (file: string, { origin }: Served): string =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(`:${DEFAULT_PORT}`, `:${new URL(origin).port}`);

/**
 * Returns the shell blocks of a document in order, also blocks within lists, with the port of the service. Of blocks for
 * one language each, it returns the one for `language`.
 */
export function commandsOf(file: string, service: Served, language = 'JavaScript'): string[] {
  return [...textOf(file, service).matchAll(/^( *)```sh(?: (\w+))?\n(.*?)^ *```$/gms)]
    .filter(([, , tag = language]) => tag === language)
    .map(([, indent, , block]) => block!.replaceAll(`\n${indent}`, '\n'));
}

/** Returns the lines that the document shows as output of each shell block. `…` matches any text. */
export function printsOf(file: string, service: Served): RegExp[][] {
  const text = textOf(file, service);
  return [...text.matchAll(/^```sh\n.*?^```\n(?:\n```text\n(.*?)^```$)?/gms)].map(([, said = '']) =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => new RegExp(`^${line.replace(/[^\w…]/g, '\\$&').replaceAll('…', '.+')}$`)),
  );
}

/** The result of a shell that ran blocks. */
export interface Played {
  /** The output of each block. */
  printed: string[];
  /** Lines of stderr: `200 http://…` for each request, and any other message. */
  messages: string[];
  code: number | null;
}

/** Runs blocks in one shell, as a reader who types them one after another. */
export async function runBlocks(
  blocks: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Played> {
  const marked = blocks.flatMap((block, index) => [block, `echo; echo '--- ${index}'`]);
  const shell = spawn('sh', ['-eu', '-c', [TELL_STATUS, ...marked].join('\n')], {
    cwd,
    env: { ...process.env, ...env },
    timeout: DAY_MAXIMUM_MS,
  });
  let [stdout, stderr] = ['', ''];
  shell.stdout.on('data', (chunk) => (stdout += chunk));
  shell.stderr.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((ended) => shell.on('close', ended));
  return {
    printed: stdout.split(/--- \d+\n/).map((text) => text.trim()),
    messages: stderr.split('\n').filter((line) => line !== ''),
    code,
  };
}
