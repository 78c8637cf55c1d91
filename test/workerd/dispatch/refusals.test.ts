import { describe, expect, it } from 'vitest';
import { stateOf } from '../../contract/state.ts';
import { type Dock, newDock } from '../shipment/dock.ts';

/** A request, its status and code, and its items as `field: code`, where there are such. */
type Refused = [method: string, path: string, json: unknown, status: number, code: string, items?: string[]];

const by = (...ids: string[]) => ids.map((manifestExternalId) => ({ manifestExternalId }));
const item = (index: number, code: string, name = 'manifestExternalId') =>
  `manifests[${index}].${name}: ${code}`;
const UUID = '01890000-0000-7000-8000-000000000000';

/**
 * Shipment S (TO_DO, no gate) of M; L in progress at G of LM with pallet A and an invalid loading of B; DONE completed, OFF
 * cancelled, each of one manifest; P and Q planned, R TO_DO, X cancelled, GONE deleted.
 */
async function everyKind(): Promise<Dock> {
  const dock = await newDock({
    shipmentCustomFields: [
      { fieldKey: 'carrier', fieldType: 'TEXT' },
      { fieldKey: 'weight', fieldType: 'NUMBER' },
    ],
  });
  await dock.couple('A', 'B');
  for (const id of ['M', 'LM', 'DM', 'OM', 'P', 'Q', 'R', 'X', 'GONE']) await dock.manifest(id, 'A');
  await dock.shipment('S', ['M']);
  await dock.shipment('L', ['LM'], { gateIdentifier: 'G' });
  await dock.shipment('DONE', ['DM'], { gateIdentifier: 'H' });
  await dock.shipment('OFF', ['OM'], { gateIdentifier: 'H' });
  for (const path of [
    'L/status/IN_PROGRESS',
    'DONE/status/IN_PROGRESS',
    'DONE/status/COMPLETED',
    'OFF/status/CANCELLED',
  ]) {
    await dock.must('POST', `/shipment/${path}`);
  }
  await dock.must('POST', '/manifest/R/status/TO_DO');
  await dock.must('POST', '/manifest/X/status/CANCELLED');
  await dock.must('DELETE', '/manifest/GONE');
  expect((await dock.scan('B')).body.outcome).toBe('WRONGLY_LOADED');
  return dock;
}

/** Send each, and expect that it is refused like that and changed nothing. */
async function expectRefused(dock: Dock, requests: Refused[]): Promise<void> {
  const before = await stateOf(dock);
  for (const [method, path, json, status, code, items] of requests) {
    const answer = await dock.call(method, path, json);
    const what = `${method} ${path} ${JSON.stringify(json)}`;
    expect([what, answer.status, answer.body?.code]).toEqual([what, status, code]);
    if (!items) continue;
    const told = answer.body.errors.map(
      (error: { field: string; code: string }) => `${error.field}: ${error.code}`,
    );
    expect([what, told]).toEqual([what, items]);
  }
  expect(await stateOf(dock)).toEqual(before);
}

describe('a refusal names its reason and changes nothing', () => {
  it('of POST /shipment', async () => {
    const dock = await everyKind();
    const gone = (await dock.must('GET', '/manifest?includeDeleted=true&q=GONE')).body.content[0].uuid;
    const x = (await dock.must('GET', '/manifest/X')).body.uuid;
    const p = (await dock.must('GET', '/manifest/P')).body.uuid;
    const create = (json: object, status: number, code: string, items?: string[]): Refused => [
      'POST',
      '/shipment',
      { identifier: 'NEW', manifests: by('P'), ...json },
      status,
      code,
      ...(items ? ([items] as [string[]]) : ([] as [])),
    ];
    const attachable = (manifests: object[], ...items: string[]) =>
      create({ manifests }, 409, 'manifestsNotAttachable', items);
    await expectRefused(dock, [
      create({ manifests: undefined }, 400, 'manifestsEmpty'),
      create({ manifests: null }, 400, 'manifestsEmpty'),
      create({ manifests: [] }, 400, 'manifestsEmpty'),
      create({ identifier: '' }, 400, 'validationFailed'),
      create({ identifier: 'x'.repeat(256) }, 400, 'validationFailed'),
      create({ gateIdentifier: 'g'.repeat(256) }, 400, 'validationFailed'),
      create({ notes: 'n'.repeat(1_001) }, 400, 'validationFailed'),
      create({ status: 'IN_PROGRESS' }, 400, 'unknownField'),
      create({ manifests: [{}] }, 400, 'validationFailed'),
      create({ manifests: [{ manifestExternalId: '', manifestUuid: null }] }, 400, 'validationFailed'),
      create({ manifests: [{ manifestExternalId: 'P', manifestUuid: p }] }, 400, 'validationFailed'),
      create(
        { manifests: Array.from({ length: 1_001 }, (_, index) => by(`${index}`)[0]) },
        400,
        'validationFailed',
      ),
      create({ gateIdentifier: 'NO GATE' }, 400, 'gateNotFound', ['gateIdentifier: gateNotFound']),
      create({ identifier: 'S' }, 409, 'externalIdentifierInUse', ['identifier: externalIdentifierInUse']),
      create({ identifier: 'OFF' }, 409, 'externalIdentifierInUse'),
      create({ customFields: [{ fieldKey: 'lane', fieldValue: '1' }] }, 400, 'customFieldNotConfigured', [
        'customFields[0].fieldKey: customFieldNotConfigured',
      ]),
      create({ customFields: [{ fieldKey: 'weight', fieldValue: '1,5' }] }, 400, 'customFieldNotNumeric', [
        'customFields[0].fieldValue: customFieldNotNumeric',
      ]),
      attachable(by('nobody'), item(0, 'manifestNotFound')),
      attachable(by('GONE'), item(0, 'manifestNotFound')),
      attachable([{ manifestUuid: gone }], item(0, 'manifestNotFound', 'manifestUuid')),
      attachable(by(p), item(0, 'manifestNotFound')),
      attachable([{ manifestUuid: 'P' }], item(0, 'manifestNotFound', 'manifestUuid')),
      attachable(by('R'), item(0, 'manifestNotPlanned')),
      attachable([{ manifestUuid: x }], item(0, 'manifestNotPlanned', 'manifestUuid')),
      attachable(by('M'), item(0, 'manifestInAnotherShipment')),
      attachable(by('P', 'P'), item(1, 'manifestRepeated')),
      attachable([{ manifestUuid: p }, ...by('P')], item(1, 'manifestRepeated')),
      attachable(
        by('P', 'nobody', 'Q', 'R', 'P', 'LM', 'DM', 'X'),
        item(1, 'manifestNotFound'),
        item(3, 'manifestNotPlanned'),
        item(4, 'manifestRepeated'),
        item(5, 'manifestInAnotherShipment'),
        item(6, 'manifestInAnotherShipment'),
        item(7, 'manifestNotPlanned'),
      ),
    ]);
  });

  it('of PUT, in the order in which it is looked at', async () => {
    const dock = await everyKind();
    const path = '/shipment/S';
    const closed = { identifier: 'T', gateIdentifier: 'NO GATE', manifests: by('nobody') };
    const numeric = { customFields: [{ fieldKey: 'weight', fieldValue: 'x' }] };
    await expectRefused(dock, [
      ['PUT', '/shipment/nobody', closed, 404, 'shipmentNotFound'],
      ['PUT', '/shipment/DONE', closed, 409, 'shipmentClosed'],
      ['PUT', '/shipment/OFF', { notes: 'x' }, 409, 'shipmentClosed'],
      ['PUT', path, { ...closed, ...numeric }, 400, 'identifierImmutable'],
      [
        'PUT',
        path,
        { ...closed, ...numeric, identifier: 'S' },
        400,
        'gateNotFound',
        ['gateIdentifier: gateNotFound'],
      ],
      ['PUT', '/shipment/L', { gateIdentifier: '', ...numeric }, 400, 'gateRequired'],
      ['PUT', path, { ...numeric, manifests: by('nobody') }, 400, 'customFieldNotNumeric'],
      ['PUT', path, { identifier: 's' }, 400, 'identifierImmutable'],
      ['PUT', path, { identifier: '' }, 400, 'identifierImmutable'],
      ['PUT', path, { manifests: [] }, 400, 'manifestsEmpty'],
      [
        'PUT',
        path,
        { customFields: [{ fieldKey: 'lane', fieldValue: '' }] },
        400,
        'customFieldNotConfigured',
      ],
      [
        'PUT',
        path,
        { notes: 'lost', manifests: by('M', 'LM', 'R', 'nobody', 'M', 'P') },
        409,
        'manifestsNotAttachable',
        [
          item(1, 'manifestInAnotherShipment'),
          item(2, 'manifestNotPlanned'),
          item(3, 'manifestNotFound'),
          item(4, 'manifestRepeated'),
        ],
      ],
    ]);
  });

  it('of attach and detach, for the whole batch', async () => {
    const dock = await everyKind();
    const manifests = '/shipment/S/manifest';
    const several = by('P', 'M', 'nobody', 'P', 'LM', 'R');
    const empty: Refused[] = ['POST', 'DELETE'].flatMap((method) =>
      [{}, { manifests: null }, { manifests: [] }].map(
        (json): Refused => [method, manifests, json, 400, 'manifestsEmpty'],
      ),
    );
    await expectRefused(dock, [
      ...empty,
      ['POST', '/shipment/nobody/manifest', { manifests: by('P') }, 404, 'shipmentNotFound'],
      ['DELETE', '/shipment/nobody/manifest', { manifests: by('P') }, 404, 'shipmentNotFound'],
      [
        'POST',
        manifests,
        { manifests: [{ manifestExternalId: 'P', manifestUuid: UUID }] },
        400,
        'validationFailed',
      ],
      [
        'POST',
        manifests,
        { manifests: several },
        409,
        'manifestsNotAttachable',
        [
          item(1, 'manifestNotPlanned'),
          item(2, 'manifestNotFound'),
          item(3, 'manifestRepeated'),
          item(4, 'manifestInAnotherShipment'),
          item(5, 'manifestNotPlanned'),
        ],
      ],
      [
        'DELETE',
        manifests,
        { manifests: by('M', 'P', 'nobody', 'M', 'LM') },
        409,
        'manifestsNotAttached',
        [
          item(1, 'manifestsNotAttached'),
          item(2, 'manifestNotFound'),
          item(3, 'manifestRepeated'),
          item(4, 'manifestsNotAttached'),
        ],
      ],
    ]);
  });

  it.each(['DONE', 'OFF'])('of a shipment that is closed: %s', async (id) => {
    const dock = await everyKind();
    const own = id === 'DONE' ? 'DM' : 'OM';
    await expectRefused(dock, [
      ['PUT', `/shipment/${id}`, {}, 409, 'shipmentClosed'],
      ['POST', `/shipment/${id}/manifest`, { manifests: by('P') }, 409, 'shipmentClosed'],
      ['DELETE', `/shipment/${id}/manifest`, { manifests: by(own) }, 409, 'shipmentClosed'],
      ['POST', `/shipment/${id}/gate/G`, undefined, 409, 'shipmentClosed'],
      ['DELETE', `/shipment/${id}`, undefined, 409, 'shipmentClosed'],
      ['PUT', `/manifest/${own}`, { assets: [] }, 409, 'manifestClosed'],
      ['POST', `/manifest/${own}/track-record/B`, undefined, 409, 'manifestClosed'],
    ]);
  });

  it('of status, gate, deletion and custom fields', async () => {
    const dock = await everyKind();
    await expectRefused(dock, [
      ['GET', '/shipment/nobody', undefined, 404, 'shipmentNotFound'],
      ['POST', '/shipment/S/status/STARTED', undefined, 400, 'unknownStatus'],
      ['POST', '/shipment/nobody/status/STARTED', undefined, 400, 'unknownStatus'],
      ['POST', '/shipment/nobody/status/IN_PROGRESS', undefined, 404, 'shipmentNotFound'],
      ['POST', '/shipment/S/status/IN_PROGRESS', undefined, 400, 'gateRequired'],
      ['POST', '/shipment/S/status/COMPLETED', undefined, 400, 'transitionNotAllowed'],
      ['POST', '/shipment/S/status/PLANNED', undefined, 400, 'transitionNotAllowed'],
      ['POST', '/shipment/S/gate/NO', undefined, 404, 'gateNotFound'],
      ['POST', '/shipment/nobody/gate/G', undefined, 404, 'shipmentNotFound'],
      ['DELETE', '/shipment/nobody', undefined, 404, 'shipmentNotFound'],
      [
        'POST',
        '/shipment/S/custom-field',
        { fieldKey: 'lane', fieldValue: 'x' },
        400,
        'customFieldNotConfigured',
      ],
      [
        'POST',
        '/shipment/S/custom-field',
        { fieldKey: 'weight', fieldValue: 'x' },
        400,
        'customFieldNotNumeric',
      ],
      [
        'POST',
        '/shipment/nobody/custom-field',
        { fieldKey: 'carrier', fieldValue: 'x' },
        404,
        'shipmentNotFound',
      ],
      ['DELETE', '/shipment/S/custom-field/carrier', undefined, 404, 'customFieldNotFound'],
      ['DELETE', '/shipment/nobody/custom-field/carrier', undefined, 404, 'shipmentNotFound'],
      ['POST', '/manifest/M/status/TO_DO', undefined, 409, 'manifestBelongsToShipment'],
      ['POST', '/manifest/M/gate/G', undefined, 409, 'manifestBelongsToShipment'],
      ['DELETE', '/manifest/M', undefined, 409, 'manifestBelongsToShipment'],
    ]);
    await dock.must('DELETE', '/shipment/S');
    await expectRefused(dock, [
      ['GET', '/shipment/S', undefined, 404, 'shipmentNotFound'],
      ['GET', '/shipment/S/asset', undefined, 404, 'shipmentNotFound'],
      ['GET', '/shipment/S/asset-loading', undefined, 404, 'shipmentNotFound'],
      ['GET', '/shipment/S/validate', undefined, 404, 'shipmentNotFound'],
      ['DELETE', '/shipment/S', undefined, 404, 'shipmentNotFound'],
    ]);
  });

  it('of loading by hand', async () => {
    const dock = await everyKind();
    const records = async (id: string) => (await dock.must('GET', `/shipment/${id}/asset-loading`)).body;
    const [asset, invalid] = (await records('L')).map((row: { recordUuid: string }) => row.recordUuid);
    const [done] = (await records('DONE')).map((row: { recordUuid: string }) => row.recordUuid);
    const [off] = (await records('OFF')).map((row: { recordUuid: string }) => row.recordUuid);
    const at = (id: string, end: string) => `/shipment/${id}/asset-loading/${end}`;
    const mark = (id: string, end: string, json: object, status: number, code: string): Refused => [
      'PATCH',
      at(id, `${end}/status`),
      { status: 'LOADED', ...json },
      status,
      code,
    ];
    const { A, B } = dock.codes;
    await expectRefused(dock, [
      ...['OFFLOADED', 'WRONGLY_LOADED', 'UNKNOWN_LOADING', 'loaded', ''].map((status) =>
        mark('L', asset, { status }, 400, 'unknownStatus'),
      ),
      ...['NOT_LOADED', 'UNLOADED'].flatMap((status) => [
        mark('L', asset, { status }, 400, 'gateRequired'),
        mark('L', asset, { status, gateExternalId: '' }, 400, 'gateRequired'),
        mark('L', 'track/A', { status, gateExternalId: 'NO' }, 400, 'gateNotFound'),
      ]),
      [
        'PATCH',
        at('L', `${asset}/status?gateExternalId=G`),
        { status: 'LOADED', gateExternalId: 'H' },
        400,
        'validationFailed',
      ],
      mark('L', 'track/A', { gateExternalId: 'NO' }, 400, 'gateNotFound'),
      mark('L', 'track/A', { note: 'x' }, 400, 'unknownField'),
      mark('nobody', 'track/A', {}, 404, 'shipmentNotFound'),
      mark('L', done, {}, 404, 'assetLoadingNotFound'),
      mark('L', UUID, {}, 404, 'assetLoadingNotFound'),
      mark('L', 'track/Z', {}, 404, 'assetLoadingNotFound'),
      mark('L', 'marker/999', {}, 404, 'assetLoadingNotFound'),
      mark('L', invalid, {}, 409, 'invalidLoadingRecord'),
      mark('L', 'track/B', {}, 409, 'invalidLoadingRecord'),
      mark('L', `marker/${B}`, {}, 409, 'invalidLoadingRecord'),
      ...[off, 'track/A', `marker/${A}`].map((end) => mark('OFF', end, {}, 409, 'shipmentClosed')),
      ['DELETE', at('nobody', invalid), undefined, 404, 'shipmentNotFound'],
      ...[asset, 'track/A', `marker/${A}`].map(
        (end): Refused => ['DELETE', at('L', end), undefined, 409, 'recordNotInvalidLoading'],
      ),
      ...[UUID, done, 'track/Z', 'marker/999'].map(
        (end): Refused => ['DELETE', at('L', end), undefined, 404, 'assetLoadingNotFound'],
      ),
      // An invalid record of another shipment, and one whose manifest was taken out of the shipment.
      ['DELETE', at('S', invalid), undefined, 404, 'assetLoadingNotFound'],
    ]);
    await dock.must('DELETE', '/shipment/L/manifest', { manifests: by('LM') });
    await expectRefused(dock, [
      ['DELETE', at('L', invalid), undefined, 404, 'assetLoadingNotFound'],
      mark('L', asset, {}, 404, 'assetLoadingNotFound'),
    ]);
  });

  it('of scans, none of a batch with a bad one', async () => {
    const dock = await everyKind();
    const good = { scanId: 'good', markerCode: dock.codes['A'], direction: 'LOAD' };
    const before = await stateOf(dock);
    for (const [path, json, status, code] of [
      ['/gate/NO/scan', good, 404, 'gateNotFound'],
      ['/gate/NO/scans', { scans: [good] }, 404, 'gateNotFound'],
      ['/gate/G/scans', { scans: [] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, direction: 'UP' }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, markerCode: 0 }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, markerCode: 2 ** 53 }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, scanId: '' }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, scanId: 'x'.repeat(101) }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, scanDate: 'today' }] }, 400, 'validationFailed'],
      ['/gate/G/scans', { scans: [good, { ...good, gate: 'G' }] }, 400, 'unknownField'],
      [
        '/gate/G/scans',
        { scans: Array.from({ length: 101 }, (_, index) => ({ ...good, scanId: `${index}` })) },
        400,
        'validationFailed',
      ],
    ] as const) {
      const answer = await dock.device('POST', path, json);
      expect([path, json, answer.status, answer.body.code]).toEqual([path, json, status, code]);
    }
    expect(await stateOf(dock)).toEqual(before);
  });
});
