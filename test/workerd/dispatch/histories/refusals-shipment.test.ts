import { describe, it } from 'vitest';
import { by, everyKind, expectRefused, item, type Refused, UUID } from './refused.ts';

describe('a refusal names its reason and changes nothing', () => {
  it('a refused POST /shipment names its reason and changes nothing', async () => {
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
      create({ shipmentStatus: 'IN_PROGRESS' }, 400, 'unknownField'),
      create({ manifests: [{}] }, 400, 'validationFailed'),
      create({ manifests: [{ manifestExternalId: '', manifestUuid: null }] }, 400, 'validationFailed'),
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
      attachable([{ manifestExternalId: 'P', manifestUuid: x }], item(0, 'manifestNotFound')),
      attachable([{ manifestExternalId: 'nobody', manifestUuid: p }], item(0, 'manifestNotFound')),
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

  it('a refused PUT of a shipment names its reason and changes nothing', async () => {
    const dock = await everyKind();
    const path = '/shipment/S';
    await expectRefused(dock, [
      ['PUT', '/shipment/nobody', { notes: 'x' }, 404, 'shipmentNotFound'],
      ['PUT', '/shipment/OFF', { notes: 'x' }, 409, 'shipmentClosed'],
      ['PUT', path, { gateIdentifier: 'NO GATE' }, 400, 'gateNotFound', ['gateIdentifier: gateNotFound']],
      ['PUT', '/shipment/L', { gateIdentifier: '' }, 400, 'gateRequired'],
      [
        'PUT',
        path,
        { customFields: [{ fieldKey: 'weight', fieldValue: 'x' }] },
        400,
        'customFieldNotNumeric',
        ['customFields[0].fieldValue: customFieldNotNumeric'],
      ],
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

  it('a refused attach or detach names its reason and changes nothing of the batch', async () => {
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
        { manifests: [{ manifestExternalId: 'M', manifestUuid: UUID }] },
        409,
        'manifestsNotAttached',
        [item(0, 'manifestNotFound')],
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

  it.each(['DONE', 'OFF'])('a closed shipment refuses %s and changes nothing', async (id) => {
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

  it('a refused status, gate, deletion or custom field names its reason and changes nothing', async () => {
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
});
