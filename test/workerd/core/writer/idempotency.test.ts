import { describe, expect, it } from 'vitest';
import { pruneAnswers } from '../../../../src/core/writer/idempotency.ts';
import { newGate } from '../../client.ts';
import { type Block, bodyOf, db, faultyD1, logOf, newTenant, request, writerOf } from './requests.ts';

const DAY_MS = 86_400_000;

describe('a key', () => {
  it('repeating a key returns the first answer, even if the created resource was deleted', async () => {
    const tenant = await newTenant();
    const create = () =>
      tenant.call('POST', '/manifest', { externalIdentifier: 'M' }, { 'Idempotency-Key': 'create' });
    const first = await create();
    expect([first.status, first.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
    await tenant.call('DELETE', '/manifest/M');
    const repeat = await create();
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(repeat.body).toEqual(first.body);
    expect((await tenant.call('GET', '/manifest/M')).status).toBe(404);
  });

  it('32 concurrent requests with one key have one effect', async () => {
    const tenant = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 32 }, () =>
        tenant.call('POST', '/marker-code/allocate?quantity=5&imageDelivery=URL', undefined, {
          'Idempotency-Key': 'same',
        }),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('Idempotent-Replayed') === 'true')).toHaveLength(31);
  });

  it('a key stores a 404 or 409 as the answer and stores no 400', async () => {
    const tenant = await newTenant();
    const send = (key: string, path: string) =>
      tenant.call('POST', path, undefined, { 'Idempotency-Key': key });
    expect((await send('gone', '/manifest/M/status/TO_DO')).status).toBe(404);
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M' });
    const repeat = await send('gone', '/manifest/M/status/TO_DO');
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([404, 'true']);
    expect((await send('early', '/manifest/M/status/IN_PROGRESS')).body.code).toBe('transitionNotAllowed');
    await newGate(tenant, 'G');
    await tenant.call('POST', '/manifest/M/status/TO_DO');
    await tenant.call('POST', '/manifest/M/gate/G');
    expect((await send('early', '/manifest/M/status/IN_PROGRESS')).status).toBe(200);
  });

  it('a key refuses another body and changes nothing', async () => {
    const tenant = await newTenant();
    const create = (externalIdentifier: string, key: string) =>
      tenant.call('POST', '/manifest', { externalIdentifier }, { 'Idempotency-Key': key });
    await create('M', 'k');
    const other = await create('N', '"k"');
    expect([other.status, other.body.code]).toEqual([422, 'idempotencyKeyReused']);
    expect((await tenant.call('GET', '/manifest/N')).status).toBe(404);
  });

  it('a key belongs to one organization', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    for (const tenant of [one, two]) {
      const answer = await tenant.call(
        'POST',
        '/manifest',
        { externalIdentifier: 'M' },
        { 'Idempotency-Key': 'k' },
      );
      expect([answer.status, answer.headers.get('Idempotent-Replayed')]).toEqual([201, null]);
    }
  });

  it('a key stores the answer of a request that changed nothing', async () => {
    const tenant = await newTenant();
    const { body } = await tenant.call('POST', '/track/get-and-couple', { wmsId: 'P' });
    const couple = () =>
      tenant.call(
        'POST',
        '/track/couple',
        { wmsId: 'P', markerCode: body.markerCode },
        { 'Idempotency-Key': 'k' },
      );
    const first = await couple();
    await tenant.call('DELETE', '/track/P');
    const repeat = await couple();
    expect([repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(repeat.body).toEqual(first.body);
    expect((await tenant.call('GET', '/track/P')).status).toBe(404);
  });

  it('a key is stored 30 days and pruned afterwards', async () => {
    const tenant = await newTenant();
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M' }, { 'Idempotency-Key': 'k' });
    const count = async () =>
      (await db
        .prepare("SELECT count(*) AS n FROM idempotency WHERE organization_uuid = ?1 AND key = 'k'")
        .bind(tenant.uuid)
        .first<{ n: number }>())!.n;
    await pruneAnswers(db, Date.now() + 29 * DAY_MS);
    expect(await count()).toBe(1);
    await pruneAnswers(db, Date.now() + 31 * DAY_MS);
    expect(await count()).toBe(0);
  });
});

describe('an ambiguous failure of the store', () => {
  // The first batch of a new writer reads, the second one commits.
  it.each(['before', 'after'] as const)(
    'an ambiguous commit failure (%s it took effect) ends in one effect',
    async (kind) => {
      const tenant = await newTenant({ markerCodeStart: 1 });
      const writer = writerOf(
        tenant,
        faultyD1((batch) => (batch === 2 ? kind : null)),
      );
      const block = bodyOf<Block>(await writer.execute(request('allocateMarkers', { quantity: 2 })));
      expect(block).toEqual({ firstMarkerCode: 1, lastMarkerCode: 2 });
      const next = bodyOf<Block>(await writer.execute(request('allocateMarkers', { quantity: 1 })));
      expect(next.firstMarkerCode).toBe(3);
      expect((await logOf(tenant)).filter((row) => row.action === 'MARKERS_ALLOCATED')).toHaveLength(2);
    },
  );

  it('ambiguous failures at random moments never lose or double an effect', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    let fault = 0;
    const kinds = ['before', null, null, null, null, null, 'after', null, null, null, null] as const;
    const writer = writerOf(
      tenant,
      faultyD1(() => kinds[fault++ % kinds.length]!),
    );
    const codes: number[] = [];
    for (let index = 0; index < 25; index += 1) {
      const outcome = await writer.execute(request('allocateMarkers', { quantity: 1 }));
      codes.push(bodyOf<Block>(outcome).firstMarkerCode);
    }
    expect(codes).toEqual(codes.map((_, index) => index + 1));
  });

  it('a failure that does not end gives a 503 and no effect', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const broken = writerOf(
      tenant,
      faultyD1(() => 'before'),
    );
    const outcome = await broken.execute(request('allocateMarkers', { quantity: 1 }));
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'temporarilyUnavailable' } });
    expect(
      bodyOf<Block>(await writerOf(tenant).execute(request('allocateMarkers', { quantity: 1 }))),
    ).toEqual({
      firstMarkerCode: 1,
      lastMarkerCode: 1,
    });
  });

  it('queued commands ask once while the store fails, until it answers again', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    let batches = 0;
    let fails = true;
    const writer = writerOf(
      tenant,
      faultyD1(() => {
        batches += 1;
        return fails ? 'before' : null;
      }),
    );
    const allocate = () => writer.execute(request('allocateMarkers', { quantity: 1 }));
    await allocate();
    const ofTheFirst = batches;
    await Promise.all(Array.from({ length: 20 }, allocate));
    expect(batches - ofTheFirst).toBe(2 * 20);
    fails = false;
    expect(bodyOf<Block>(await allocate()).firstMarkerCode).toBe(1);
    fails = true;
    batches = 0;
    await allocate();
    expect(batches).toBeGreaterThan(2);
  });

  it.each(['SQLITE_FULL', 'SQLITE_READONLY', 'Exceeded maximum DB size.', 'D1 DB is overloaded.'])(
    'a permanent failure (%s) gives a 503 at once',
    async (message) => {
      const tenant = await newTenant();
      let batches = 0;
      const broken = writerOf(
        tenant,
        faultyD1(() => {
          batches += 1;
          return 'before';
        }, `D1_ERROR: ${message}`),
      );
      const outcome = await broken.execute(request('allocateMarkers', { quantity: 1 }));
      expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'temporarilyUnavailable' } });
      expect(batches).toBe(2);
    },
  );

  it.each([
    ['was committed at once', null],
    ['failed once before it took effect', 'before'],
    ['was committed, but the answer was lost', 'after'],
  ] as const)('a call that %s, and is repeated with the same command id, has one effect', async (_, kind) => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const asked = request('allocateMarkers', { quantity: 2 });
    const failing = faultyD1((batch) => (batch === 2 ? kind : null));
    const first = await writerOf(tenant, failing).execute(asked);
    const again = await writerOf(tenant).execute(asked);
    expect(bodyOf(again)).toEqual(bodyOf(first));
    expect(again).toMatchObject({ replayed: false });
  });

  it('commands whose ids give the same numbers each have one effect and their own answer', async () => {
    const tenant = await newTenant({ markerCodeStart: 1 });
    const { commandId } = request('allocateMarkers', {});
    const asked = Array.from({ length: 4 }, (_, end) => ({
      ...request('allocateMarkers', { quantity: 2 }),
      commandId: `${commandId.slice(0, 24)}${end}${commandId.slice(25)}`,
    }));
    const first: unknown[] = [];
    for (const one of asked) first.push(bodyOf(await writerOf(tenant).execute(one)));
    expect(first).toEqual(
      asked.map((_, at) => ({ firstMarkerCode: 2 * at + 1, lastMarkerCode: 2 * at + 2 })),
    );
    for (const [at, one] of asked.entries())
      expect(bodyOf(await writerOf(tenant).execute(one))).toEqual(first[at]);
  });

  it('a request without a key does not collide with its own effect', async () => {
    const tenant = await newTenant();
    const input = {
      externalIdentifier: 'M',
      manifestStatus: 'PLANNED',
      gateExternalId: null,
      customFields: [],
      assets: [],
    };
    const asked = request('createManifest', input);
    const first = bodyOf(await writerOf(tenant).execute(asked));
    expect(bodyOf(await writerOf(tenant).execute(asked))).toEqual(first);
    expect(await writerOf(tenant).execute(request('createManifest', input))).toMatchObject({
      kind: 'refused',
    });
  });
});
