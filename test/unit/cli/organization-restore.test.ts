import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../../src/cli/organization-restore.ts');
const ACCEPTED = {
  operationId: 'OP',
  exportDate: '2026-11-21T03:17:05.412Z',
  sequenceNumber: 1_180,
  lastSequenceNumber: 1_214,
};

/** The answer to the request, and the operations that the program then sees, one after another. */
let accepted: { status: number; body: object };
let operations: object[];
const requests: { url: string | undefined; key: unknown; body: unknown }[] = [];
const server = createServer(async (request, response) => {
  const isRequest = request.method === 'POST';
  const body = isRequest ? await json(request) : undefined;
  if (isRequest) requests.push({ url: request.url, key: request.headers['x-operator-key'], body });
  const { status, body: answer } = isRequest ? accepted : { status: 200, body: operations.shift()! };
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
});
beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)));
afterAll(() => server.close());

const restore = (...args: string[]) =>
  new Promise<{ code: unknown; stderr: string }>((done) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { ...process.env, OPERATOR_KEY: 'the key' };
    execFile(process.execPath, [PROGRAM, ...args, '--base', base], { env }, (error, _, stderr) =>
      done({ code: error?.code ?? 0, stderr }),
    );
  });

const RUNNING = { status: 'RUNNING', finishDate: null, results: [] };
const ended = (status: string, error: object | null) => ({
  status,
  finishDate: '2026-11-21T09:00:00.000Z',
  results: [{ identifier: 'ORG', error }],
});

it('npm run restore names what is lost, waits for the end, and says what to do next', async () => {
  accepted = { status: 202, body: ACCEPTED };
  operations = [RUNNING, ended('SUCCEEDED', null)];
  const { code, stderr } = await restore('ORG', '--database', 'DB_1', '--date', ACCEPTED.exportDate);
  expect(requests.at(-1)).toEqual({
    url: '/operator/rest/api/v1/organization/ORG/restore',
    key: 'the key',
    body: { exportDate: ACCEPTED.exportDate, databaseName: 'DB_1', dryRun: false },
  });
  expect(stderr).toContain('up to audit record 1180 of 1214: 34 later records are lost');
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    'organization ORG is restored. Resume it now.',
  ]);
}, 30_000);

it('npm run restore -- --dry-run ends with 1 if the export cannot be restored', async () => {
  accepted = { status: 202, body: ACCEPTED };
  operations = [ended('FAILED', { code: 'restoreFailed', message: 'Part 2 is gone.' })];
  const { code, stderr } = await restore('ORG', '--dry-run');
  expect(requests.at(-1)!.body).toEqual({ dryRun: true });
  expect(stderr).toContain('34 later records would be lost');
  expect([code, stderr.includes('the export cannot be restored: restoreFailed Part 2 is gone.')]).toEqual([
    1,
    true,
  ]);
}, 30_000);

it('npm run restore ends with 2 if the service refuses it, and shows the reason', async () => {
  const detail = 'Organization "acme" is not suspended. Suspend it first.';
  accepted = { status: 409, body: { code: 'organizationNotSuspended', detail } };
  const { code, stderr } = await restore('ORG');
  expect([code, stderr.includes(detail)]).toEqual([2, true]);
  expect((await restore()).stderr).toContain('Name one organization');
}, 30_000);
