import { describe, expect, it } from 'vitest';
import { pruneOperations } from '../../../../src/log/operation/store.ts';
import { newTenant, type Tenant } from '../../client.ts';
import { db } from '../../core/writer/requests.ts';
import { eventsOf, finished } from './finished.ts';

const DAY_MS = 86_400_000;
const COUPLE = '/track/couple?async=true';
const GET_AND_COUPLE = '/track/get-and-couple?async=true&imageDelivery=URL';

const codes = async (tenant: Tenant, quantity: number): Promise<number[]> =>
  (
    await tenant.call('POST', `/marker-code/allocate?quantity=${quantity}&imageDelivery=URL`)
  ).body.entries.map((entry: { markerCode: number }) => entry.markerCode);

describe('coupling in the background', () => {
  it('background coupling couples, stores its result and emits one event', async () => {
    const tenant = await newTenant();
    const [markerCode] = await codes(tenant, 1);
    const customFields = [{ fieldKey: 'lot', fieldValue: '7' }];
    const accepted = await tenant.call(
      'POST',
      COUPLE,
      { markerCode, wmsId: 'P', customFields },
      { 'X-Request-Id': 'mine' },
    );
    expect([accepted.status, Object.keys(accepted.body)]).toEqual([202, ['operationId']]);
    const { operationId } = accepted.body;
    expect(accepted.headers.get('Location')).toBe(`/integration/rest/api/v1/operation/${operationId}`);
    const operation = await finished(tenant, accepted);
    expect(operation).toMatchObject({
      operationId,
      operationType: 'COUPLE',
      status: 'SUCCEEDED',
      totalCount: 1,
      succeededCount: 1,
      failedCount: 0,
      results: [{ index: 0, identifier: 'P', status: 'SUCCEEDED', error: null }],
    });
    const track = (await tenant.call('GET', '/track/P')).body;
    expect(track).toMatchObject({ markerCode, customFields: [{ fieldKey: 'lot', fieldValue: '7' }] });
    expect(await eventsOf(tenant)).toMatchObject([
      {
        eventType: 'COUPLING_SUCCEEDED',
        operationId,
        entityType: 'TRACK',
        entityUuid: track.uuid,
        entityExternalId: 'P',
        data: track,
        error: null,
      },
      {
        eventType: 'OPERATION_COMPLETED',
        operationId,
        entityType: 'OPERATION',
        entityUuid: operationId,
        entityExternalId: null,
        data: operation,
        error: null,
      },
    ]);
    const { results } = await db
      .prepare(`SELECT action, request_id, actor_type, actor_display_name FROM audit_log
        WHERE organization_uuid = ?1 AND request_id = 'mine' ORDER BY sequence_number`)
      .bind(tenant.uuid)
      .all();
    const by = { request_id: 'mine', actor_type: 'API_KEY', actor_display_name: 'WMS' };
    expect(results).toEqual([
      { action: 'OPERATION_ACCEPTED', ...by },
      { action: 'TRACK_COUPLED', ...by },
      { action: 'OPERATION_COMPLETED', ...by },
    ]);
  });

  it('background get-and-couple allocates at once and couples later, with the image in either form', async () => {
    const tenant = await newTenant();
    const inline = await tenant.call('POST', '/track/get-and-couple?async=true', { wmsId: 'P' });
    expect([inline.status, Object.keys(inline.body).sort()]).toEqual([
      202,
      ['markerCode', 'markerImage', 'operationId'],
    ]);
    const linked = await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'Q' });
    expect(Object.keys(linked.body).sort()).toEqual(['markerCode', 'markerImageUrl', 'operationId']);
    expect(linked.body.markerCode).toBe(inline.body.markerCode + 1);
    expect((await finished(tenant, inline)).operationType).toBe('GET_AND_COUPLE');
    await finished(tenant, linked);
    for (const [wmsId, { body }] of [
      ['P', inline],
      ['Q', linked],
    ] as const) {
      expect((await tenant.call('GET', `/track/${wmsId}`)).body.markerCode).toBe(body.markerCode);
    }
  });

  it('background coupling of the same pair returns the existing track', async () => {
    const tenant = await newTenant();
    const [markerCode] = await codes(tenant, 1);
    const first = (await tenant.call('POST', '/track/couple', { markerCode, wmsId: 'P' })).body.track;
    const again = await tenant.call('POST', COUPLE, { markerCode, wmsId: 'P', customFields: [] });
    expect((await finished(tenant, again)).status).toBe('SUCCEEDED');
    expect((await eventsOf(tenant))[0]).toMatchObject({ eventType: 'COUPLING_SUCCEEDED', data: first });
  });

  it('background coupling needs async=true', async () => {
    const tenant = await newTenant();
    expect((await tenant.call('POST', '/track/get-and-couple?async=false', { wmsId: 'P' })).status).toBe(200);
    expect((await tenant.call('POST', '/track/get-and-couple?async=True', { wmsId: 'R' })).status).toBe(202);
    for (const value of ['1', 'tru', '', 'yes']) {
      for (const path of ['couple', 'get-and-couple']) {
        const { status, body } = await tenant.call('POST', `/track/${path}?async=${value}`, {
          wmsId: 'Q',
          ...(path === 'couple' ? { markerCode: 1 } : {}),
        });
        expect([status, body.code]).toEqual([400, 'validationFailed']);
      }
    }
  });
});

describe('refusals of the synchronous call', () => {
  const SAME: [string, object, object][] = [
    ['couple', { markerCode: 1, wmsId: 'P' }, { markerCode: 1, wmsId: 'NEW' }],
    ['couple', { wmsId: 'NEW' }, { clientId: 'nobody', wmsId: 'NEW' }],
    ['get-and-couple', { wmsId: 'P' }, { wmsId: 'NEW', clientId: 'nobody' }],
    ['get-and-couple', { wmsId: '' }, { wmsId: 'NEW', more: 1 }],
    ['couple', { markerCode: 0, wmsId: 'NEW' }, { markerCode: 1.5, wmsId: '' }],
  ];

  it('background coupling refuses the same requests at once as the synchronous call, with the same text', async () => {
    const tenant = await newTenant();
    const [coupled, free] = (await codes(tenant, 2)) as [number, number];
    await tenant.call('POST', '/track/couple', { markerCode: coupled, wmsId: 'P' });
    const bodies: [string, object][] = [
      ...SAME.flatMap(([path, one, two]): [string, object][] => [
        [path, one],
        [path, two],
      ]),
      ['couple', { markerCode: coupled, wmsId: 'Q' }],
      ['couple', { markerCode: free, wmsId: 'P' }],
      ['couple', { markerCode: coupled + 7, wmsId: 'P' }],
      ['couple', { markerCode: free, wmsId: 'Q', clientId: 'nobody' }],
    ];
    const seen = new Set<string>();
    for (const [path, json] of bodies) {
      const refused = await tenant.call('POST', `/track/${path}`, json);
      const asked = await tenant.call('POST', `/track/${path}?async=true`, json);
      const { requestId: _, timestamp: __, ...same } = refused.body;
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect([asked.status, asked.body]).toMatchObject([refused.status, same]);
      seen.add(asked.body.code);
    }
    expect([...seen].sort()).toEqual([
      'clientNotFound',
      'markerAlreadyCoupled',
      'markerNotAllocated',
      'unknownField',
      'validationFailed',
      'wmsIdAlreadyCoupled',
    ]);
    const { results } = await db
      .prepare('SELECT 1 FROM operation WHERE organization_uuid = ?1')
      .bind(tenant.uuid)
      .all();
    expect(results).toEqual([]);
    expect(await codes(tenant, 1)).toEqual([free + 1]);
  });

  it('background coupling refuses a missing client feature and exhausted codes', async () => {
    const tenant = await newTenant({ clientFeatureEnabled: false, markerCodeStart: 2 ** 53 - 1 });
    const featureless = await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'P', clientId: 'C' });
    expect([featureless.status, featureless.body.code]).toEqual([403, 'clientFeatureRequired']);
    await finished(tenant, await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'P' }));
    const exhausted = await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'Q' });
    expect([exhausted.status, exhausted.body.code]).toEqual([409, 'markerCodesExhausted']);
  });
});

describe('a repeat with its key', () => {
  it.each([COUPLE, GET_AND_COUPLE])('repeating %s with its key returns the same operation', async (path) => {
    const tenant = await newTenant();
    const [markerCode] = await codes(tenant, 1);
    const json = { wmsId: 'P', ...(path === COUPLE ? { markerCode } : {}) };
    const ask = () => tenant.call('POST', path, json, { 'Idempotency-Key': 'k' });
    const answers = [...(await Promise.all([ask(), ask(), ask()]))];
    await finished(tenant, answers[0]!);
    answers.push(await ask());
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([202, answers[0]!.body]);
      expect(answer.headers.get('Location')).toBe(answers[0]!.headers.get('Location'));
    }
    expect(answers.filter(({ headers }) => headers.has('Idempotent-Replayed'))).toHaveLength(3);
    expect((await eventsOf(tenant)).map(({ eventType }) => eventType)).toEqual([
      'COUPLING_SUCCEEDED',
      'OPERATION_COMPLETED',
    ]);
  });
});

describe('an operation', () => {
  it('an operation is invisible to others and under other names', async () => {
    const [tenant, stranger] = [await newTenant(), await newTenant()];
    const accepted = await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'P' });
    const { operationId } = await finished(tenant, accepted);
    for (const [who, id] of [
      [stranger, operationId],
      [tenant, crypto.randomUUID()],
      [tenant, 'P'],
    ] as const) {
      const { status, body } = await who.call('GET', `/operation/${id}`);
      expect([status, body.code]).toEqual([404, 'operationNotFound']);
    }
    expect((await tenant.call('GET', `/operation/${operationId.toUpperCase()}`)).status).toBe(200);
  });

  it('an operation can be read for 90 days', async () => {
    const tenant = await newTenant();
    const accepted = await tenant.call('POST', GET_AND_COUPLE, { wmsId: 'P' });
    const { operationId } = await finished(tenant, accepted);
    const get = async () => (await tenant.call('GET', `/operation/${operationId}`)).status;
    await pruneOperations(db, Date.now() + 89 * DAY_MS);
    expect(await get()).toBe(200);
    await pruneOperations(db, Date.now() + 91 * DAY_MS);
    expect(await get()).toBe(404);
    const { results } = await db
      .prepare('SELECT 1 FROM operation_part WHERE organization_uuid = ?1')
      .bind(tenant.uuid)
      .all();
    expect(results).toEqual([]);
  });
});
