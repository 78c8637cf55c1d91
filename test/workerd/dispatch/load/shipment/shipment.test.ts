import { describe, expect, it } from 'vitest';
import { operator } from '../../../client.ts';
import { newDock } from './dock.ts';

const FIELDS = [
  { fieldKey: 'carrier', fieldType: 'TEXT' },
  { fieldKey: 'weight', fieldType: 'NUMBER' },
];

describe('a shipment', () => {
  it('creating a shipment takes planned manifests with it', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    await dock.manifest('M', 'A', 'B');
    await dock.manifest('N', 'C');
    const gates = (await dock.call('GET', '/gate')).body.content;
    const g = gates.find((gate: { externalIdentifier: string }) => gate.externalIdentifier === 'G');
    const n = (await dock.call('GET', '/manifest/N')).body;
    const created = await dock.call('POST', '/shipment', {
      identifier: 'S',
      gateIdentifier: g.uuid,
      notes: 'Careful',
      manifests: [{ manifestExternalId: 'M' }, { manifestUuid: n.uuid.toUpperCase() }],
      customFields: [
        { fieldKey: 'weight', fieldValue: ' 1e3 ' },
        { fieldKey: 'carrier', fieldValue: ' ' },
      ],
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      externalIdentifier: 'S',
      status: 'TO_DO',
      gate: { externalIdentifier: 'G' },
      notes: 'Careful',
      tracksCount: 3,
      totalAssetsCount: 3,
      loadedAssetsCount: 0,
      activateDate: null,
      closeDate: null,
      deleted: false,
      proofOfShipmentUrl: null,
      customFields: [{ fieldKey: 'weight', fieldValue: ' 1e3 ' }],
    });
    expect(created.body.manifests).toEqual([
      { manifestExternalId: 'M', manifestUuid: expect.any(String) },
      { manifestExternalId: 'N', manifestUuid: n.uuid },
    ]);
    expect('shipmentSummaryUrl' in created.body).toBe(false);
    expect(created.headers.get('Location')).toBe(`/integration/rest/api/v1/shipment/${created.body.uuid}`);
    for (const path of ['/shipment/S', `/shipment/${created.body.uuid}`]) {
      expect((await dock.call('GET', path)).body).toEqual(created.body);
    }
    expect((await dock.call('GET', '/shipment')).body.content).toEqual([created.body]);
    expect((await dock.call('GET', '/manifest/N')).body).toMatchObject({
      manifestStatus: 'TO_DO',
      gate: { externalIdentifier: 'G' },
    });
  });

  it('a shipment takes back the manifests that its GET shows, each by both names', async () => {
    const dock = await newDock();
    for (const id of ['M', 'N']) await dock.manifest(id);
    const { uuid: manifestUuid } = (await dock.call('GET', '/manifest/M')).body;
    const manifests = [{ manifestExternalId: 'M', manifestUuid: manifestUuid.toUpperCase() }];
    const created = await dock.call('POST', '/shipment', { identifier: 'S', manifests });
    expect([created.status, created.body.manifests]).toEqual([
      201,
      [{ manifestExternalId: 'M', manifestUuid }],
    ]);
    const shown = created.body.manifests;
    const kept = await dock.call('PUT', '/shipment/S', {
      manifests: [...shown, { manifestExternalId: 'N' }],
    });
    expect([kept.status, kept.body.manifests]).toMatchObject([200, [shown[0], { manifestExternalId: 'N' }]]);
    const left = await dock.call('DELETE', '/shipment/S/manifest', { manifests: shown });
    expect([left.status, left.body.manifests]).toMatchObject([200, [{ manifestExternalId: 'N' }]]);
    expect((await dock.call('POST', '/shipment/S/manifest', { manifests: shown })).status).toBe(400);
  });

  it('a shipment may share its identifier with a manifest and is found by external id before uuid', async () => {
    const dock = await newDock();
    await dock.manifest('SAME', 'A');
    await dock.shipment('SAME', ['SAME']);
    const { uuid } = (await dock.call('GET', '/shipment/SAME')).body;
    await dock.manifest('O');
    await dock.shipment(uuid, ['O']);
    expect((await dock.call('GET', `/shipment/${uuid}`)).body.externalIdentifier).toBe(uuid);
    const again = await dock.call('POST', '/shipment', {
      identifier: 'SAME',
      manifests: [{ manifestExternalId: 'x' }],
    });
    expect([again.status, again.body.code]).toEqual([409, 'externalIdentifierInUse']);
  });

  it('shipment paths need an organization that dispatches by shipment', async () => {
    const dock = await newDock({ dispatchStrategy: 'MANIFEST' });
    for (const [method, path] of [
      ['GET', '/shipment'],
      ['POST', '/shipment'],
      ['GET', '/shipment/S'],
      ['PUT', '/shipment/S'],
      ['DELETE', '/shipment/S'],
      ['POST', '/shipment/S/status/COMPLETED'],
      ['POST', '/shipment/S/manifest'],
      ['DELETE', '/shipment/S/manifest'],
      ['POST', '/shipment/S/gate/G'],
      ['POST', '/shipment/S/custom-field'],
      ['DELETE', '/shipment/S/custom-field/k'],
      ['GET', '/shipment/S/validate'],
      ['GET', '/shipment/S/asset'],
      ['GET', '/shipment/S/asset-loading'],
      ['PATCH', '/shipment/S/asset-loading/x/status'],
      ['PATCH', '/shipment/S/asset-loading/track/x/status'],
      ['PATCH', '/shipment/S/asset-loading/marker/x/status'],
      ['DELETE', '/shipment/S/asset-loading/x'],
      ['DELETE', '/shipment/S/asset-loading/track/x'],
      ['DELETE', '/shipment/S/asset-loading/marker/x'],
    ] as const) {
      const { status, body } = await dock.call(method, path);
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'shipmentStrategyRequired']);
    }
  });

  it('PUT of a shipment changes only the named fields', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'B');
    await dock.manifest('O', 'C');
    await dock.shipment('S', ['M', 'N'], {
      gateIdentifier: 'G',
      notes: 'One',
      customFields: [{ fieldKey: 'carrier', fieldValue: 'Speedy' }],
    });
    const before = (await dock.call('GET', '/shipment/S')).body;
    for (const body of [{}, { identifier: 'S' }, { notes: null, manifests: null, customFields: null }]) {
      expect((await dock.call('PUT', '/shipment/S', body)).body).toEqual(before);
    }
    const changed = await dock.must('PUT', '/shipment/S', {
      gateIdentifier: 'H',
      notes: '',
      manifests: [{ manifestExternalId: 'O' }, { manifestExternalId: 'N' }],
      customFields: [
        { fieldKey: 'weight', fieldValue: '12' },
        { fieldKey: 'carrier', fieldValue: '' },
      ],
    });
    expect(changed.body).toMatchObject({ gate: { externalIdentifier: 'H' }, notes: '' });
    expect(
      changed.body.manifests.map((ref: { manifestExternalId: string }) => ref.manifestExternalId),
    ).toEqual(['N', 'O']);
    expect(changed.body.customFields).toMatchObject([{ fieldKey: 'weight', fieldValue: '12' }]);
    const manifest = async (id: string) => (await dock.call('GET', `/manifest/${id}`)).body;
    expect(await manifest('M')).toMatchObject({ manifestStatus: 'PLANNED', gate: null });
    for (const id of ['N', 'O']) {
      expect(await manifest(id)).toMatchObject({
        manifestStatus: 'TO_DO',
        gate: { externalIdentifier: 'H' },
      });
    }
    const cleared = await dock.must('PUT', '/shipment/S', { gateIdentifier: '' });
    expect(cleared.body.gate).toBeNull();
    expect((await manifest('N')).gate).toBeNull();
  });

  it('deleting a shipment frees its manifests and its identifier', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.manifest('N', 'B');
    await dock.shipment('S', ['M', 'N'], { gateIdentifier: 'G' });
    await dock.must('POST', '/manifest/N/status/CANCELLED');
    await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
    expect((await dock.call('DELETE', '/shipment/S')).status).toBe(204);
    expect((await dock.call('GET', '/shipment/S')).body.code).toBe('shipmentNotFound');
    expect((await dock.call('GET', '/shipment')).body.totalElements).toBe(0);
    const deleted = (await dock.call('GET', '/shipment?includeDeleted=true')).body.content[0];
    expect(deleted).toMatchObject({ externalIdentifier: 'S', deleted: true, manifests: [] });
    expect((await dock.call('GET', '/manifest/M')).body).toMatchObject({
      manifestStatus: 'PLANNED',
      gate: null,
      activateDate: null,
    });
    expect((await dock.call('GET', '/manifest/N')).body).toMatchObject({
      manifestStatus: 'CANCELLED',
      gate: { externalIdentifier: 'G' },
    });
    await dock.shipment('S', ['M']);
  });

  it('the shipment list filters by status, gate, text and dates that exist', async () => {
    const dock = await newDock();
    for (const id of ['M', 'N', 'O']) await dock.manifest(id);
    await dock.shipment('Éclair', ['M'], { gateIdentifier: 'G', notes: '100% fragile' });
    await dock.shipment('T', ['N'], { gateIdentifier: 'G' });
    await dock.shipment('U', ['O'], { gateIdentifier: 'H' });
    await dock.must('POST', '/shipment/T/status/IN_PROGRESS');
    await dock.must('POST', '/shipment/T/status/COMPLETED');
    const list = async (query: string): Promise<string[]> =>
      (await dock.must('GET', `/shipment?sort.sortBy=createDate&${query}`)).body.content.map(
        (shipment: { externalIdentifier: string }) => shipment.externalIdentifier,
      );
    const gate = (await dock.call('GET', '/shipment/U')).body.gate.uuid;
    expect(await list('status=COMPLETED,TO_DO')).toEqual(['Éclair', 'T', 'U']);
    expect(await list('status=COMPLETED')).toEqual(['T']);
    expect(await list('gate=G')).toEqual(['Éclair', 'T']);
    expect(await list(`gate=${gate}`)).toEqual(['U']);
    expect(await list(`q=${encodeURIComponent('éCLAIR')}`)).toEqual(['Éclair']);
    expect(await list(`q=${encodeURIComponent('0% F')}`)).toEqual(['Éclair']);
    expect(await list('q=_')).toEqual([]);
    expect(await list('activateDateAfter=0')).toEqual(['T']);
    expect(await list('activateDateBefore=99999999999999')).toEqual(['T']);
    expect(await list('closeDateAfter=0')).toEqual(['T']);
    expect(await list('closeDateBefore=1')).toEqual([]);
    expect(await list('createDateAfter=0')).toEqual(['Éclair', 'T', 'U']);
    const unknown = await dock.call('GET', '/shipment?status=DONE');
    expect([unknown.status, unknown.body.errors[0].allowedValues.length]).toEqual([400, 5]);
  });

  it('validate reports what hinders a shipment and changes nothing', async () => {
    const dock = await newDock();
    await dock.couple('A', 'B', 'R');
    await dock.manifest('M', 'A', 'B', 'NONE');
    await dock.manifest('N', 'B', 'R');
    await dock.manifest('O', 'A');
    await dock.manifest('P', 'A');
    await dock.shipment('S', ['M', 'N', 'O']);
    await dock.must('PATCH', '/track/R/retire?force=true');
    await dock.must('POST', '/manifest/O/status/CANCELLED');
    const { body } = await dock.must('GET', '/shipment/S/validate');
    const ref = (manifestExternalId: string) => ({ manifestExternalId, manifestUuid: expect.any(String) });
    expect(body).toEqual({
      valid: false,
      cancelledManifests: [ref('O')],
      manifests: [
        {
          ...ref('M'),
          duplicatedTracks: [
            { trackIdentifier: 'A', manifestExternalIds: ['P'] },
            { trackIdentifier: 'B', manifestExternalIds: ['N'] },
          ],
          nonExistingTracks: [{ trackIdentifier: 'NONE' }],
          deactivatedTracks: [],
          leftWith: [],
        },
        {
          ...ref('N'),
          duplicatedTracks: [{ trackIdentifier: 'B', manifestExternalIds: ['M'] }],
          nonExistingTracks: [],
          deactivatedTracks: [{ trackIdentifier: 'R' }],
          leftWith: [],
        },
      ],
    });
    await dock.shipment('SOUND', ['P']);
    await dock.must('DELETE', '/shipment/S');
    await dock.must('DELETE', '/manifest/M');
    expect((await dock.must('GET', '/shipment/SOUND/validate')).body.valid).toBe(true);
  });

  it('a shipment takes only configured custom fields, also when closed', async () => {
    const dock = await newDock({ shipmentCustomFields: FIELDS });
    await dock.manifest('M');
    await dock.shipment('S', ['M']);
    const set = (fieldKey: string, fieldValue: string | null) =>
      dock.call('POST', '/shipment/S/custom-field', { fieldKey, fieldValue });
    expect((await set('weight', '0x1F')).body.customFields).toMatchObject([{ fieldValue: '0x1F' }]);
    for (const wrong of ['twelve', 'Infinity', 'NaN', '1,5']) {
      expect([(await set('weight', wrong)).status, (await set('weight', wrong)).body.code]).toEqual([
        400,
        'customFieldNotNumeric',
      ]);
    }
    expect((await set('lane', 'x')).body.code).toBe('customFieldNotConfigured');
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect((await set('carrier', 'Federal')).status).toBe(200);
    expect((await set('weight', '  ')).body.customFields).toMatchObject([{ fieldKey: 'carrier' }]);
    const removed = await dock.call('DELETE', '/shipment/S/custom-field/carrier');
    expect([removed.status, removed.body.customFields]).toEqual([200, []]);
    expect((await dock.call('DELETE', '/shipment/S/custom-field/carrier')).body.code).toBe(
      'customFieldNotFound',
    );
  });

  it('a shipment honours If-Match, and its manifests move its update date and ETag', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M']);
    const tag = (await dock.call('GET', '/shipment/S')).headers.get('ETag')!;
    await new Promise((resolve) => setTimeout(resolve, 2));
    await dock.must('POST', '/manifest/M/track-record/B');
    const after = await dock.call('GET', '/shipment/S');
    expect(after.headers.get('ETag')).not.toBe(tag);
    expect(after.body.updateDate > after.body.createDate).toBe(true);
    for (const method of ['PUT', 'DELETE']) {
      const stale = await dock.call(method, '/shipment/S', method === 'PUT' ? { notes: 'x' } : undefined, {
        'If-Match': tag,
      });
      expect([stale.status, stale.body.code]).toEqual([412, 'preconditionFailed']);
    }
    const put = await dock.call(
      'PUT',
      '/shipment/S',
      { notes: 'x' },
      { 'If-Match': after.headers.get('ETag')! },
    );
    expect(put.status).toBe(200);
  });
});

describe('a manifest that is attached', () => {
  it('an attached manifest leaves status, gate and deletion to its shipment', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M']);
    for (const [method, path] of [
      ['POST', '/manifest/M/status/PLANNED'],
      ['POST', '/manifest/M/status/IN_PROGRESS'],
      ['POST', '/manifest/M/status/COMPLETED'],
      ['POST', '/manifest/M/gate/G'],
      ['DELETE', '/manifest/M'],
    ] as const) {
      const { status, body } = await dock.call(method, path);
      expect([path, status, body.code]).toEqual([path, 409, 'manifestBelongsToShipment']);
    }
    expect((await dock.call('POST', '/manifest/M/status/CANCELLED')).status).toBe(200);
    expect((await dock.call('POST', '/manifest/M/status/CANCELLED')).body.code).toBe('transitionNotAllowed');
    await dock.must('DELETE', '/shipment/S/manifest', { manifests: [{ manifestExternalId: 'M' }] });
    expect((await dock.call('GET', '/manifest/M')).body.manifestStatus).toBe('CANCELLED');
    expect((await dock.call('DELETE', '/manifest/M')).status).toBe(200);
  });

  it('an attached manifest keeps its gate from deletion and the strategy from changing', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.shipment('S', ['M'], { gateIdentifier: 'G' });
    await dock.must('POST', '/manifest/M/status/CANCELLED');
    const gate = await operator('DELETE', `/organization/${dock.uuid}/gate/G`);
    expect([gate.status, gate.body.code]).toEqual([409, 'gateInUse']);
    const strategy = () => operator('PUT', `/organization/${dock.uuid}`, { dispatchStrategy: 'MANIFEST' });
    expect([(await strategy()).status, (await strategy()).body.code]).toEqual([409, 'openShipments']);
    await dock.must('POST', '/shipment/S/status/CANCELLED');
    expect((await strategy()).status).toBe(200);
    expect((await operator('DELETE', `/organization/${dock.uuid}/gate/G`)).status).toBe(204);
  });
});
