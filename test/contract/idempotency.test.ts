import { describe, expect, it } from 'vitest';
import type { Answer } from '../workerd/client.ts';
import { finished } from '../workerd/log/operation/finished.ts';
import { isIntegration, isWrite, operation, operations } from './document.ts';
import { exampleOf, OF_SERVICE } from './operations.ts';
import { refusals } from './problem.ts';
import { type Change, pathOf, send, undocumented } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

const writes = operations.filter(isWrite);
const keyed = (key: string, change: Change = {}): Change => ({
  ...change,
  headers: { 'Idempotency-Key': key },
});

/** Secrets are shown only once. A repeat contains null instead. */
const SECRETS = ['secret', 'password', 'inviteLink'];
const withoutSecret = (body: unknown): unknown => {
  if (body === null || typeof body !== 'object') return body;
  const shown = SECRETS.filter((name) => name in body).map((name) => [name, null]);
  return shown.length > 0 ? { ...body, ...Object.fromEntries(shown) } : body;
};

/** The stored state after all work that an answer accepted is done. That work continues in the background. */
async function stateAfter({ tenant }: World, answer: Answer) {
  if (answer.status === 202) await finished(tenant, answer);
  return storedState(tenant);
}

describe('an Idempotency-Key', () => {
  it.each([
    ['empty', ''],
    ['an empty quoted string', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['more than one word', 'a b'],
    ['a tab', 'a\tb'],
  ])('every write refuses an Idempotency-Key that is %s with 400 and changes nothing', async (_, key) => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    expect(await refusals(writes, world, () => keyed(key), 400, 'validationFailed')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('every write refuses an Idempotency-Key that is not ASCII with 400 and changes nothing', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const allocate = [operation('allocateMarkers')];
    expect(await refusals(allocate, world, () => keyed('clé'), 400, 'validationFailed')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each(['k', 'k'.repeat(255), '!~"\\,;=', crypto.randomUUID()])(
    'the service accepts an Idempotency-Key such as %j',
    async (key) => {
      const world = await restoredWorld();
      const ask = () => send(operation('allocateMarkers'), world, keyed(key));
      const [first, repeat] = [await ask(), await ask()];
      expect([first.status, repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([
        200,
        200,
        'true',
      ]);
      expect(repeat.body).toEqual(first.body);
    },
  );

  it('a bare and a quoted Idempotency-Key are the same key', async () => {
    const world = await restoredWorld();
    const first = await send(operation('allocateMarkers'), world, keyed('one'));
    const repeat = await send(operation('allocateMarkers'), world, keyed('"one"'));
    expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
    expect(repeat.body).toEqual(first.body);
  });

  it.each(writes)(
    'repeating $operationId with its Idempotency-Key returns the first answer without a second effect',
    async (operated) => {
      const world = await restoredWorld();
      // Keys of operations that belong to no organization are stored in the operator's log.
      const own = `k-${operated.operationId}`;
      const first = await send(operated, world, keyed(own));
      expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([
        exampleOf(operated, world.names).status,
        null,
      ]);
      const after = await stateAfter(world, first);
      for (const key of [own, `"${own}"`]) {
        const repeat = await send(operated, world, keyed(key));
        expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([first.status, 'true']);
        expect(repeat.body).toEqual(withoutSecret(first.body));
        expect(repeat.headers.get('Content-Type')).toBe(first.headers.get('Content-Type'));
        expect(repeat.headers.get('Location')).toBe(first.headers.get('Location'));
        expect(undocumented(operated, repeat)).toEqual([]);
      }
      expect(await storedState(world.tenant)).toEqual(after);
    },
  );

  it.each(writes)(
    'reusing the Idempotency-Key of $operationId with another body, query, path or method gets 422',
    async (operated) => {
      const world = await restoredWorld();
      const example = exampleOf(operated, world.names);
      const path = pathOf(operated, example);
      const own = `k2-${operated.operationId}`;
      const after = await stateAfter(world, await send(operated, world, keyed(own)));
      const changes: Change[] = [
        // The query asks for the same, but a repeat must have exactly the same query.
        { at: `${path}${path.includes('?') ? '&' : '?&'}` },
        ...(operated.body ? [{ json: example.other }] : []),
      ];
      for (const change of changes) {
        expect(
          await refusals([operated], world, () => keyed(own, change), 422, 'idempotencyKeyReused'),
        ).toEqual([]);
      }
      expect(await storedState(world.tenant)).toEqual(after);
    },
  );

  it('reusing an Idempotency-Key with any other operation of the organization gets 422', async () => {
    const world = await restoredWorld();
    const first = await send(operation('allocateMarkers'), world, keyed('k'));
    expect(first.status).toBe(200);
    const after = await storedState(world.tenant);
    // The last operation acts on the suspended organization.
    const elsewhere = [...OF_SERVICE, 'suspendOrganization'];
    const others = writes.filter(
      ({ operationId }) => !['allocateMarkers', ...elsewhere].includes(operationId),
    );
    expect(await refusals(others, world, () => keyed('k'), 422, 'idempotencyKeyReused')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(after);
  });

  it('a refused credential, an invalid request or a 412 does not use up an Idempotency-Key', async () => {
    const world = await restoredWorld();
    const replace = operation('replaceManifest');
    const headers = { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' };
    const statuses = [
      await send(replace, world, { anonymous: true, headers }),
      await send(replace, world, { headers, raw: '{' }),
      await send(replace, world, { headers, json: { assets: 1 } }),
      await send(replace, world, { headers, json: { customFields: [], assets: ['P', 'P'] } }),
      await send(replace, world, { headers: { ...headers, 'If-Match': '"stale"' } }),
      await send(replace, world, { headers }),
    ].map(({ status, headers: answered }) => [status, answered.get('Idempotent-Replayed')]);
    expect(statuses).toEqual([401, 400, 400, 400, 412, 200].map((status) => [status, null]));
  });

  it('key order and white space of a body do not matter to an Idempotency-Key', async () => {
    const world = await restoredWorld();
    const operated = operation('createManifest');
    const headers = { 'Idempotency-Key': 'k', 'Content-Type': 'application/json' };
    const first = await send(operated, world, { headers, raw: '{"externalIdentifier":"X","assets":["P"]}' });
    const repeat = await send(operated, world, {
      headers,
      raw: ' {"assets": ["\\u0050"], "externalIdentifier": "X"}',
    });
    expect([first.status, repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
  });

  it('an Idempotency-Key on a read has no effect', async () => {
    const world = await restoredWorld();
    for (const operated of operations.filter((item) => isIntegration(item) && !isWrite(item))) {
      const answers = [await send(operated, world, keyed('k')), await send(operated, world, keyed('k'))];
      expect([
        pathOf(operated, {}),
        ...answers.map(({ headers }) => headers.get('Idempotent-Replayed')),
      ]).toEqual([pathOf(operated, {}), null, null]);
    }
  });
});
