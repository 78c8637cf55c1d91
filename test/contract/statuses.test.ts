import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { app } from '../../src/app.ts';
import type { Env } from '../../src/core/env.ts';
import { changesByGet, isIntegration, isOperator, isTokened, isWrite, operations } from './document.ts';
import { exampleOf } from './operations.ts';
import { problemFaults, refusals } from './problem.ts';
import { pathOf, send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';

/** Statuses that any request can get, for every operation. */
describe('a status that any operation of its kind can answer is documented there', () => {
  it('the document lists 400 for every read that takes a bookmark', async () => {
    const world = await restoredWorld();
    const reading = operations.filter(
      (operated) =>
        !isWrite(operated) &&
        !changesByGet(operated) &&
        (isIntegration(operated) || isTokened(operated) || isOperator(operated)),
    );
    const change = () => ({ headers: { 'x-d1-bookmark': 'none' } });
    expect(await refusals(reading, world, change, 400, 'validationFailed')).toEqual([]);
    expect(reading.length).toBeGreaterThan(40);
  });

  it('the document lists 400 and 422 for every operation that takes an Idempotency-Key', async () => {
    const world = await restoredWorld();
    const writing = operations.filter(isWrite);
    const empty = () => ({ headers: { 'Idempotency-Key': '' } });
    expect(await refusals(writing, world, empty, 400, 'validationFailed')).toEqual([]);
    expect(
      writing.filter(({ responses }) => !responses['422']).map(({ operationId }) => operationId),
    ).toEqual([]);
  });

  it('the document lists 405 with Allow for every path', async () => {
    const world = await restoredWorld();
    for (const operated of operations) {
      const at = pathOf(operated, exampleOf(operated, world.names));
      const answer = await send(operated, world, { method: 'OPTIONS', at });
      expect([operated.operationId, problemFaults(answer, 405, 'methodNotAllowed')]).toEqual([
        operated.operationId,
        [],
      ]);
      expect(answer.headers.get('Allow')).toContain(operated.method);
      expect(undocumented(operated, answer)).toEqual([]);
    }
  });

  it('the document lists 404 for an empty path parameter', async () => {
    const world = await restoredWorld();
    for (const operated of operations.filter(({ path }) => path.includes('{'))) {
      const { params = {} } = exampleOf(operated, world.names);
      // If the parameter is at the end, the rest of the path may belong to another operation.
      const empty = operated.path.match(/\{(\w+)\}(?=\/)/)?.[1];
      if (empty === undefined) continue;
      const answer = await send(operated, world, { params: { ...params, [empty]: '' } });
      expect([operated.operationId, problemFaults(answer, 404, 'notFound')]).toEqual([
        operated.operationId,
        [],
      ]);
      expect(undocumented(operated, answer)).toEqual([]);
    }
  });

  it('the document lists 503 with Retry-After for a service without configuration', async () => {
    const world = await restoredWorld();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    for (const operated of operations) {
      const path = pathOf(operated, exampleOf(operated, world.names));
      const unset = { ...(env as unknown as Env), OPERATOR_KEY: '' };
      const answer = await app.request(path, { method: operated.method }, unset);
      expect([operated.operationId, answer.status, answer.headers.get('Retry-After')]).toEqual([
        operated.operationId,
        503,
        '2',
      ]);
      const body = await answer.json();
      expect(undocumented(operated, { status: 503, headers: answer.headers, body })).toEqual([]);
    }
  });

  it('the document lists 500 for every operation', () => {
    expect(operations.filter(({ responses }) => !responses['500'])).toEqual([]);
  });
});
