import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Served } from './client.ts';
import { ROOT } from './service.ts';

const DEFAULT_PORT = 8787;
const DAY_MAXIMUM_MS = 120_000;

/** Have curl say each status it was answered with, beside what the command prints. */
const TELL_STATUS = `curl() { command curl -w '%{stderr}%{http_code} %{url_effective}\\n' "$@"; }`;

const textOf = (file: string, { origin }: Served): string =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(`:${DEFAULT_PORT}`, `:${new URL(origin).port}`);

/** The shell blocks of a text that talk to the service, in order; also those within lists. */
export function commandsOf(file: string, service: Served): string[] {
  return [...textOf(file, service).matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent, block]) =>
    block!.replaceAll(`\n${indent}`, '\n'),
  );
}

/** What a text says that each of its shell blocks prints: lines, with `…` for what is another each time. */
export function printsOf(file: string, service: Served): RegExp[][] {
  const text = textOf(file, service);
  return [...text.matchAll(/^```sh\n.*?^```\n(?:\n```text\n(.*?)^```$)?/gms)].map(([, said = '']) =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => new RegExp(`^${line.replace(/[^\w…]/g, '\\$&').replaceAll('…', '.+')}$`)),
  );
}

/** What a shell that ran blocks came to. */
export interface Played {
  /** What each block printed. */
  printed: string[];
  /** `200 http://…` of each request, and whatever else was said. */
  told: string[];
  code: number | null;
}

/** Run blocks in one shell, as somebody who types them one after the other. */
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
    told: stderr.split('\n').filter((line) => line !== ''),
    code,
  };
}
