/**
 * `npm run import -- FILE`: imports an organization that `npm run export` wrote, and waits until the import has ended.
 * Without FILE, it reads stdin.
 * `-- --database NAME`: the database for the organization (default: the open one with the most room).
 * `-- --base URL`: the service (default BASE_URL, or PORT (default 8787) on 127.0.0.1).
 * Environment: OPERATOR_KEY; FORMER_SEALING_KEY of the exporting deployment, if that is another one.
 * Exit codes: 0 if the organization was imported, 1 if its import failed, 2 if it was refused or the outcome is
 * unknown.
 */

import { once } from 'node:events';
import { open } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { commandLine } from './command-line.ts';
import { finished, main, progress, refused, serviceAt, tell } from './operator-shell.ts';

const OPTIONS = { base: { type: 'string' }, database: { type: 'string' } } as const;

async function run(): Promise<number> {
  const { values, positionals } = commandLine(import.meta.filename, {
    options: OPTIONS,
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (others.length > 0) throw new Error('Name one file.');
  const service = serviceAt(values.base);
  if (file === undefined && process.stdin.isTTY) throw new Error('Name the file: npm run import -- FILE');
  const source: Readable = file === undefined ? process.stdin : (await open(file)).createReadStream();
  const report = progress('sent');
  source.on('data', (bytes: Buffer) => report(bytes.length));
  const query = values.database === undefined ? '' : `?databaseName=${encodeURIComponent(values.database)}`;
  const former = process.env['FORMER_SEALING_KEY'];
  const answer = await upload(`${service.api}/organization/import${query}`, source, {
    ...service.headers,
    'Content-Type': 'application/x-ndjson',
    ...(former ? { 'X-SEALING-KEY': former } : {}),
  });
  if (answer.status !== 202) throw await refused(answer);
  const { operationId } = (await answer.json()) as { operationId: string };
  tell(`accepted as operation ${operationId}`);
  const { status, results } = await finished(service, operationId, 'import');
  const [{ identifier, error } = { identifier: '', error: null }] = results;
  tell(
    status === 'SUCCEEDED'
      ? `organization ${identifier} is imported`
      : `the import failed: ${error?.code} ${error?.message}`,
  );
  return status === 'SUCCEEDED' ? 0 : 1;
}

/** Send a stream as it comes. There is no time limit for the answer. */
async function upload(url: string, source: Readable, headers: Record<string, string>): Promise<Response> {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'POST', headers });
  const response = once(sent, 'response') as Promise<[http.IncomingMessage]>;
  // The answer may come before everything is sent.
  const [[answer]] = await Promise.all([response, pipeline(source, sent).catch(() => undefined)]);
  const { statusCode = 500, headers: answered } = answer;
  return new Response(await text(answer), {
    status: statusCode,
    headers: answered.location === undefined ? {} : { Location: answered.location },
  });
}

await main(run);
