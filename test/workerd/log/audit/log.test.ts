import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';
import { API, call, newGate, newTenant, OPERATOR_API, operator, type Tenant } from '../../client.ts';
import { newDock } from '../../dispatch/load/shipment/dock.ts';
import { operatorLog, pageOf, verified, walkLog, wholeLog } from './logs.ts';

const actionsOf = (records: { action: string }[]) => records.map(({ action }) => action);

/** A tenant with several actions, each with its own request id. */
async function busy(): Promise<Tenant> {
  const tenant = await newTenant({ markerCodeStart: 100 });
  await newGate(tenant, 'G');
  const ask = (id: string, method: string, path: string, json?: unknown) =>
    tenant.call(method, path, json, { 'X-Request-Id': id });
  await ask('make', 'POST', '/manifest', { externalIdentifier: 'M', assets: ['P'] });
  await ask('gate', 'POST', '/manifest/M/gate/G');
  await ask('couple', 'POST', '/track/get-and-couple?imageDelivery=URL', { wmsId: 'P' });
  await ask('plan', 'POST', '/manifest/M/status/TO_DO');
  await ask('begin', 'POST', '/manifest/M/status/IN_PROGRESS');
  return tenant;
}

describe('a record', () => {
  it('an audit record names the actor, the action, old and new values, the IP address and the request id', async () => {
    const tenant = await newTenant();
    const [key] = (await operator('GET', `/organization/${tenant.uuid}/api-key`)).body.content;
    const began = Date.now();
    const { body: manifest } = await call('POST', `${API}/manifest`, {
      headers: {
        'X-AUTH-KEY': tenant.key,
        'X-Request-Id': 'order-7.try_1',
        'CF-Connecting-IP': '2001:db8::7',
      },
      json: { externalIdentifier: 'M' },
    });
    const { content, totalElements } = (await pageOf(tenant)).body;
    expect(totalElements).toBe(3);
    const [last, before] = content;
    const { uuid, hash, eventDate } = last;
    expect(last).toEqual({
      uuid,
      createDate: eventDate,
      updateDate: eventDate,
      deepLink: `http://127.0.0.1:8787/app/audit-log/${uuid}`,
      sequenceNumber: 3,
      eventDate,
      action: 'MANIFEST_CREATED',
      actor: { actorType: 'API_KEY', uuid: key.uuid, displayName: 'WMS' },
      entityType: 'MANIFEST',
      entityUuid: manifest.uuid,
      entityExternalId: 'M',
      changes: [{ field: 'manifestStatus', oldValue: null, newValue: 'PLANNED' }],
      requestId: 'order-7.try_1',
      ipAddress: '2001:db8::7',
      identity: null,
      previousHash: before.hash,
      hash,
    });
    expect(Date.parse(eventDate)).toBeGreaterThanOrEqual(began);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("an audit record has the caller's address in one form or none, never a forged one", async () => {
    const tenant = await newTenant();
    const sent: [string, string | null][] = [
      ['2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['<script>alert(1)</script>', null],
      ['192.0.2.7, 198.51.100.1', null],
      [`fe80::1%${'a'.repeat(5_000)}`, null],
      ['9'.repeat(5_000), null],
    ];
    for (const [address] of sent) {
      const headers = { 'CF-Connecting-IP': address };
      await tenant.call('POST', '/manifest', { externalIdentifier: crypto.randomUUID() }, headers);
    }
    const { content } = (await pageOf(tenant)).body;
    const shown = content.slice(0, sent.length).map(({ ipAddress }: { ipAddress: unknown }) => ipAddress);
    expect(shown.reverse()).toEqual(sent.map(([, address]) => address));
  });

  it('an audit record of the operator and of a device names its actor type', async () => {
    const tenant = await newTenant();
    await operator('PUT', `/organization/${tenant.uuid}`, { name: 'Renamed' });
    const { body: agent } = await operator('POST', `/organization/${tenant.uuid}/agent`, { name: 'A' });
    await tenant.device('POST', '/heartbeat', { deviceType: 'AGENT', uuid: agent.uuid, status: 'ONLINE' });
    const [reported, , renamed] = (await pageOf(tenant)).body.content;
    expect(reported.actor).toMatchObject({ actorType: 'ACCESS_TOKEN', displayName: 'Device' });
    expect(renamed).toMatchObject({
      action: 'ORGANIZATION_UPDATED',
      actor: { actorType: 'OPERATOR', uuid: null, displayName: 'Operator' },
      changes: [{ field: 'name', oldValue: expect.stringContaining('Tenant'), newValue: 'Renamed' }],
      ipAddress: null,
    });
  });

  it('an audit record shows everything that its hash needs', async () => {
    const tenant = await newTenant({
      shipmentCustomFields: [{ fieldKey: 'é"\\', fieldType: 'TEXT' }],
      markerCodeStart: Number.MAX_SAFE_INTEGER - 10,
    });
    const texts = [
      'é',
      'e\u0301',
      '\u{1f4e6}\u{10ffff}',
      '\u2028\u2029\u0001\u001f\u007f\u0085',
      '"quoted\\" {"json":[1,2]} \\u0041',
      '\ufeff\ufffd\ufffe',
      ' blanks \t\n',
      '1e400',
    ];
    for (const [index, text] of texts.entries()) {
      await tenant.call('POST', '/manifest', {
        externalIdentifier: `${text}${index}`,
        assets: [text],
        customFields: [{ fieldKey: text, fieldValue: `${text}.` }],
      });
    }
    await tenant.call('POST', '/marker-code/allocate?quantity=3&imageDelivery=URL');
    const long = Array.from({ length: 501 }, (_, index) => `P${index}`);
    await tenant.call('POST', '/manifest', { externalIdentifier: 'long', assets: long });
    await tenant.call('POST', '/manifest', { externalIdentifier: 'full', assets: long.slice(0, 500) });
    await operator('PUT', `/organization/${tenant.uuid}`, { shipmentCustomFields: [] });

    const log = await wholeLog(tenant);
    for (const record of log) {
      const { hash, uuid: _, createDate: __, updateDate: ___, deepLink: ____, identity, ...hashed } = record;
      expect(identity).toBeNull();
      expect(sha256Hex(canonicalJson(hashed))).toBe(hash);
    }
    const created = log.filter(({ action }) => action === 'MANIFEST_CREATED');
    for (const [index, text] of texts.entries()) {
      expect(created[index]!.entityExternalId).toBe(`${text}${index}`);
      expect(created[index]!.changes).toContainEqual({
        field: `customFields.${text}`,
        oldValue: null,
        newValue: `${text}.`,
      });
    }
    const assetsOf = (index: number) =>
      created.at(index)!.changes.find(({ field }) => field === 'assets.added')!.newValue;
    expect(assetsOf(-2)).toEqual({ count: 501, sha256: sha256Hex(JSON.stringify(long)) });
    expect(assetsOf(-1)).toEqual(long.slice(0, 500));
    const allocated = log.find(({ action }) => action === 'MARKERS_ALLOCATED')!;
    expect(allocated.changes.at(-1)!.newValue).toBe(Number.MAX_SAFE_INTEGER - 8);
  });
});

describe('the list', () => {
  it('the audit list has the newest first and every offered order', async () => {
    const tenant = await busy();
    const down = (await pageOf(tenant)).body;
    expect(down.pageRequest.sort).toEqual({ sortBy: 'sequenceNumber', direction: 'DESC' });
    const numbers = down.content.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber);
    expect(numbers).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    for (const sortBy of ['sequenceNumber', 'eventDate', 'createDate']) {
      const up = (await pageOf(tenant, `sort.sortBy=${sortBy}`)).body.content;
      // Records of the same millisecond are in the order of their commits.
      expect(up.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber)).toEqual(
        numbers.toReversed(),
      );
    }
  });

  it('the audit list filters by each of its filters and by several', async () => {
    const tenant = await busy();
    const log = await wholeLog(tenant);
    const manifest = log.find(({ entityType }) => entityType === 'MANIFEST')!;
    const begin = log.at(-1)!;
    const found = async (query: string) => {
      const { status, body } = await pageOf(tenant, `sort.sortBy=sequenceNumber&${query}`);
      expect(status).toBe(200);
      expect(body.totalElements).toBe(body.content.length);
      return actionsOf(body.content);
    };
    const ofManifest = [
      'MANIFEST_CREATED',
      'MANIFEST_GATE_ASSIGNED',
      'MANIFEST_STATUS_CHANGED',
      'MANIFEST_STATUS_CHANGED',
    ];
    expect(await found('entityType=MANIFEST')).toEqual(ofManifest);
    expect(await found('entityType=GATE,TRACK')).toEqual(['GATE_CREATED', 'TRACK_COUPLED']);
    expect(await found('entityType=GATE&entityType=CLIENT')).toEqual(['GATE_CREATED']);
    expect(await found('entityExternalId=M')).toEqual(ofManifest);
    expect(await found('entityExternalId=m')).toEqual([]);
    expect(await found(`entityUuid=${manifest.entityUuid.toUpperCase()}`)).toEqual(ofManifest);
    expect(await found('entityType=GATE&entityExternalId=M')).toEqual([]);
    expect(await found('action=GATE_CREATED,TRACK_COUPLED')).toEqual(['GATE_CREATED', 'TRACK_COUPLED']);
    expect(await found('action=NOTHING')).toEqual([]);
    expect(await found('requestId=couple')).toEqual(['MARKERS_ALLOCATED', 'TRACK_COUPLED']);
    expect(await found('actorType=OPERATOR')).toEqual([
      'API_KEY_CREATED',
      'ACCESS_TOKEN_CREATED',
      'GATE_CREATED',
    ]);
    expect((await found(`actorUuid=${manifest.actor.uuid}`)).length).toBe(6);
    expect((await found('sequenceNumberFrom=3')).length).toBe(7);
    expect((await found('sequenceNumberTo=3')).length).toBe(3);
    expect((await found('sequenceNumberFrom=3&sequenceNumberTo=4')).length).toBe(2);
    expect(await found('sequenceNumberFrom=4&sequenceNumberTo=3')).toEqual([]);
    expect(await found('sequenceNumberFrom=10')).toEqual([]);
    expect((await found('sequenceNumberTo=0')).length).toBe(0);
    const at = Date.parse(begin.eventDate);
    expect(await found(`eventDateAfter=${at + 1}`)).toEqual([]);
    expect((await found(`eventDateAfter=${begin.eventDate}`)).at(-1)).toBe('MANIFEST_STATUS_CHANGED');
    expect((await found(`eventDateBefore=${at + 1}`)).length).toBe(9);
    expect(await found(`eventDateBefore=${log[0]!.eventDate}`)).toEqual([]);
    expect(await found(`createDateAfter=${at + 1}`)).toEqual([]);
    expect((await found(`updateDateBefore=${at + 1}`)).length).toBe(9);
    expect(await found('action=MANIFEST_STATUS_CHANGED&sequenceNumberFrom=9')).toEqual([
      'MANIFEST_STATUS_CHANGED',
    ]);
  });

  it('the audit list finds each record by its entity, also if the log has one entry for several things', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B');
    await dock.must('POST', '/marker-code/allocate?quantity=3&imageDelivery=URL');
    for (const [manifest, ...assets] of [
      ['M', 'A', 'C'],
      ['N', 'B'],
    ] as const)
      await dock.manifest(manifest, ...assets);
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    await dock.couple('C');
    for (const pallet of ['A', 'B', 'C']) await dock.scan(pallet);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const log = await wholeLog(dock);
    for (const by of ['entityUuid', 'entityExternalId'] as const)
      for (const value of new Set(log.map((record) => record[by]))) {
        if (value === null) continue;
        const found = await wholeLog(dock, `${by}=${encodeURIComponent(value)}`);
        expect([by, value, found]).toEqual([by, value, log.filter((record) => record[by] === value)]);
      }
  });

  it('the audit list refuses impossible filters', async () => {
    const tenant = await newTenant();
    const { enum: known } = (await call('GET', '/openapi.json')).body.components.schemas.AuditRecord
      .properties.entityType;
    const unknown = await pageOf(tenant, 'entityType=manifest');
    expect([unknown.status, unknown.body.allowedValues]).toEqual([400, known]);
    expect(known).toContain('MANIFEST');
    for (const query of [
      'actorType=NOBODY',
      'entityUuid=7',
      'actorUuid=x',
      'entityExternalId=',
      'sequenceNumberFrom=-1',
      'sequenceNumberFrom=1.5',
      'sequenceNumberTo=x',
      'eventDateAfter=yesterday',
      'sort.sortBy=action',
      'sort.sortBy=hash',
    ]) {
      expect([query, (await pageOf(tenant, query)).status]).toEqual([query, 400]);
    }
  });

  it('the audit list walked upwards during writes returns every record once without a gap', async () => {
    const tenant = await busy();
    const seen: number[] = [];
    let written = 0;
    for await (const record of walkLog(tenant, 'sort.sortBy=sequenceNumber&pageSize=2')) {
      seen.push(record.sequenceNumber);
      if (written < 6) await tenant.call('POST', '/manifest', { externalIdentifier: `during ${written}` });
      written += 1;
    }
    expect(seen).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  });

  it('the audit list walked downwards during writes returns what existed at the start', async () => {
    const tenant = await busy();
    const seen: number[] = [];
    for await (const record of walkLog(tenant, 'pageSize=2')) {
      seen.push(record.sequenceNumber);
      await tenant.call('POST', '/manifest', { externalIdentifier: `during ${record.sequenceNumber}` });
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('a filter by external id finds every record with that id, of each entity and after each change of the id', async () => {
    const tenant = await busy();
    await tenant.call('PATCH', '/track/P/flag', { reason: 'r' });
    await tenant.call('DELETE', '/manifest/M');
    await tenant.call('POST', '/manifest', { externalIdentifier: 'M' });
    // A webhook is renamed, and gets its old name again.
    const webhook = { url: 'https://hooks.example.com/', active: false };
    const { uuid } = (await tenant.call('POST', '/webhook', { name: 'One', ...webhook })).body;
    for (const name of ['Two', 'Two', 'Three', 'One']) {
      for (const active of [true, false]) {
        const put = await tenant.call('PUT', `/webhook/${uuid}`, { ...webhook, name, active });
        expect(put.status).toBe(200);
      }
    }
    const all = await wholeLog(tenant);
    const ids = new Set(all.flatMap(({ entityExternalId }) => entityExternalId ?? []));
    expect(ids.size).toBeGreaterThan(4);
    for (const id of ids) {
      const found = await wholeLog(tenant, `entityExternalId=${encodeURIComponent(id)}`);
      expect([id, found]).toEqual([id, all.filter(({ entityExternalId }) => entityExternalId === id)]);
    }
  });

  it('the audit list reads as many rows of a long log as of a short one', async () => {
    const tenant = await busy();
    // Its records come next in every index. Without a next record, a search to the end would read one row
    // less.
    await newTenant();
    const key = (await wholeLog(tenant))[3]!;
    const rows = async (query: string) => {
      const { headers } = await pageOf(tenant, `pageSize=2&${query}`);
      return Number(/, (\d+) rows read/.exec(headers.get('Server-Timing')!)![1]);
    };
    // The first request may also read the credential.
    const cost = async (query: string) => Math.min(await rows(query), await rows(query));
    const upwards = 'sort.sortBy=sequenceNumber&sort.direction=ASC';
    const link = (await pageOf(tenant, `${upwards}&pageSize=2`)).headers.get('Link')!;
    const queries = [
      '',
      `${upwards}&cursor=${/cursor=([\w-]+)/.exec(link)![1]}`,
      'sort.sortBy=sequenceNumber',
      'sort.sortBy=sequenceNumber&sequenceNumberFrom=4',
      'sort.sortBy=eventDate',
      `entityUuid=${key.entityUuid}`,
      'entityExternalId=M',
      'entityType=MANIFEST&entityExternalId=M',
      'action=MANIFEST_CREATED&actorType=API_KEY&entityExternalId=M&sort.sortBy=sequenceNumber',
      'entityExternalId=M&sort.sortBy=eventDate',
    ];
    const before = [];
    for (const query of queries) before.push(await cost(query));
    for (let index = 0; index < 40; index += 1) {
      await tenant.call('POST', '/marker-code/allocate?imageDelivery=URL');
    }
    for (const [index, query] of queries.entries()) {
      // How many rows of the log a page reads depends on the number of records of its commands.
      const more = (await cost(query)) - before[index]!;
      expect([query, more <= 5 || more]).toEqual([query, true]);
    }
  });
});

describe('the log of an organization', () => {
  it('the log of an organization has its own records and numbers', async () => {
    const [one, two] = [await busy(), await newTenant()];
    expect((await pageOf(two)).body.totalElements).toBe(2);
    const record = (await wholeLog(one)).at(-1)!;
    for (const query of [
      `entityUuid=${record.entityUuid}`,
      'requestId=begin',
      `actorUuid=${record.actor.uuid}`,
    ]) {
      expect((await pageOf(two, query)).body).toMatchObject({ content: [], totalElements: 0 });
    }
    expect((await verified(one)).fault).toBeUndefined();
    expect(await verified(two)).toMatchObject({ verified: 2, fault: undefined });
  });

  it('the log of the operator is separate from the logs of organizations', async () => {
    const tenant = await newTenant();
    const [made] = await operatorLog(`entityUuid=${tenant.uuid}`);
    expect(made).toMatchObject({
      action: 'ORGANIZATION_CREATED',
      entityExternalId: tenant.slug,
      actor: { actorType: 'OPERATOR' },
    });
    expect(actionsOf((await pageOf(tenant)).body.content)).not.toContain('ORGANIZATION_CREATED');
    const asTenant = await call('GET', `${OPERATOR_API}/audit-log`, {
      headers: { 'X-AUTH-KEY': tenant.key },
    });
    expect(asTenant.status).toBe(401);
  });
});
