import { describe, expect, it } from 'vitest';
import type { Dock } from '../load/shipment/dock.ts';
import { by, everyKind, expectRefused, type Refused } from './refused.ts';

/** The status and code of a fault. Only the first fault of a request is reported. */
type Fault = [status: number, code: string];

/**
 * A dock with things in every state. Pallet A is also on manifests of its own: AP is planned, AD completed, AX
 * cancelled.
 */
async function dockOf(): Promise<Dock> {
  const dock = await everyKind();
  for (const id of ['AP', 'AD', 'AX']) await dock.manifest(id, 'A');
  await dock.must('POST', '/manifest/AD/gate/H');
  for (const status of ['TO_DO', 'IN_PROGRESS', 'COMPLETED'])
    await dock.must('POST', `/manifest/AD/status/${status}`);
  await dock.must('POST', '/manifest/AX/status/CANCELLED');
  return dock;
}

const LANE = [{ fieldKey: 'lane', fieldValue: '1' }];
const WEIGHT = [{ fieldKey: 'weight', fieldValue: 'x' }];

describe('the order of faults: the request, its path, the things that it names, their state', () => {
  it('PUT of a shipment reports the same fault of two as every other call', async () => {
    const closed: Fault = [409, 'shipmentClosed'];
    /** Every fault of PUT, in the order in which faults are reported. */
    const faults: [object, Fault][] = [
      [{ notes: 7 }, [400, 'validationFailed']],
      [{ manifests: [] }, [400, 'manifestsEmpty']],
      [{ identifier: 'T' }, [400, 'identifierImmutable']],
      [{ gateIdentifier: 'NO' }, [400, 'gateNotFound']],
      [{ customFields: LANE }, [400, 'customFieldNotConfigured']],
      [{ customFields: WEIGHT }, [400, 'customFieldNotNumeric']],
      [{}, closed],
      [{ gateIdentifier: '' }, closed],
      [{ manifests: by('nobody') }, closed],
    ];
    const dock = await dockOf();
    const refused: Refused[] = ['DONE', 'OFF'].flatMap((id) =>
      faults.map(([json, [status, code]]): Refused => ['PUT', `/shipment/${id}`, json, status, code]),
    );
    // Faults of the request itself are reported before faults of the path. All others come after.
    const unnamed = faults.map(
      ([json, [status, code]]): Refused =>
        ['validationFailed', 'manifestsEmpty'].includes(code)
          ? ['PUT', '/shipment/nobody', json, status, code]
          : ['PUT', '/shipment/nobody', json, 404, 'shipmentNotFound'],
    );
    await expectRefused(dock, [
      ...refused,
      ...unnamed,
      // The shipment is in progress and would lose its gate. The second request also has an unknown manifest.
      ['PUT', '/shipment/L', { gateIdentifier: '', customFields: WEIGHT }, 400, 'customFieldNotNumeric'],
      ['PUT', '/shipment/L', { gateIdentifier: '', manifests: by('nobody') }, 400, 'gateRequired'],
      [
        'PUT',
        '/shipment/S',
        { manifests: by('nobody'), customFields: LANE },
        400,
        'customFieldNotConfigured',
      ],
    ]);
    for (const id of ['S', 'DONE']) {
      const stale = await dock.call('PUT', `/shipment/${id}`, { identifier: 'T' }, { 'If-Match': '"old"' });
      expect([stale.status, stale.body.code]).toEqual([412, 'preconditionFailed']);
    }
  });

  it('every call reports all faults of the names in a request at once', async () => {
    const dock = await dockOf();
    const wrong = { gateIdentifier: 'NO', customFields: [...LANE, ...WEIGHT] };
    const items = [
      'gateIdentifier: gateNotFound',
      'customFields[0].fieldKey: customFieldNotConfigured',
      'customFields[1].fieldValue: customFieldNotNumeric',
    ];
    const put: [string, string[]] = ['validationFailed', ['identifier: identifierImmutable', ...items]];
    await expectRefused(dock, [
      ...['S', 'DONE'].map(
        (id): Refused => ['PUT', `/shipment/${id}`, { ...wrong, identifier: 'T' }, 400, ...put],
      ),
      [
        'POST',
        '/shipment',
        { ...wrong, identifier: 'S', manifests: by('nobody') },
        400,
        'validationFailed',
        items,
      ],
    ]);
  });

  it('gates, members and custom fields report the same fault of two as every other call', async () => {
    const dock = await dockOf();
    const closed = ['DONE', 'OFF'].flatMap((id): Refused[] => [
      ['POST', `/shipment/${id}/gate/NO`, undefined, 404, 'gateNotFound'],
      ['POST', `/shipment/${id}/gate/G`, undefined, 409, 'shipmentClosed'],
      ['POST', `/shipment/${id}/manifest`, { manifests: [] }, 400, 'manifestsEmpty'],
      ['POST', `/shipment/${id}/manifest`, { manifests: by('nobody') }, 409, 'shipmentClosed'],
      ['DELETE', `/shipment/${id}/manifest`, { manifests: [{}] }, 400, 'validationFailed'],
      ['DELETE', `/shipment/${id}/manifest`, { manifests: by('nobody') }, 409, 'shipmentClosed'],
      ['POST', `/shipment/${id}/custom-field`, { fieldKey: '' }, 400, 'validationFailed'],
      ['POST', `/shipment/${id}/custom-field`, LANE[0], 400, 'customFieldNotConfigured'],
      ['POST', `/shipment/${id}/status/STARTED`, undefined, 400, 'unknownStatus'],
      ['POST', `/shipment/${id}/status/IN_PROGRESS`, undefined, 400, 'transitionNotAllowed'],
    ]);
    const missing: Refused[] = [
      ['POST', '/shipment/nobody/gate/NO', undefined, 404, 'shipmentNotFound'],
      ['POST', '/shipment/nobody/custom-field', LANE[0], 404, 'shipmentNotFound'],
      ['POST', '/manifest/nobody/gate/NO', undefined, 404, 'manifestNotFound'],
    ];
    const manifests = ['AD', 'AX'].flatMap((id): Refused[] => [
      ['PUT', `/manifest/${id}`, { assets: ['A', 'A'] }, 400, 'validationFailed'],
      ['PUT', `/manifest/${id}`, {}, 409, 'manifestClosed'],
      ['POST', `/manifest/${id}/gate/NO`, undefined, 404, 'gateNotFound'],
      ['POST', `/manifest/${id}/gate/G`, undefined, 409, 'manifestClosed'],
      ['DELETE', `/manifest/${id}/track-record/Z`, undefined, 409, 'manifestClosed'],
      ['POST', `/manifest/${id}/custom-field`, { fieldKey: '' }, 400, 'validationFailed'],
      ['POST', `/manifest/${id}/custom-field`, LANE[0], 409, 'manifestClosed'],
      ['DELETE', `/manifest/${id}/custom-field/none`, undefined, 409, 'manifestClosed'],
      ['POST', `/manifest/${id}/status/STARTED`, undefined, 400, 'unknownStatus'],
      ['POST', `/manifest/${id}/status/TO_DO`, undefined, 400, 'transitionNotAllowed'],
    ]);
    const members: Refused[] = ['M', 'DM', 'OM'].flatMap((id): Refused[] => [
      ['POST', `/manifest/${id}/gate/NO`, undefined, 404, 'gateNotFound'],
      ['POST', `/manifest/${id}/gate/G`, undefined, 409, 'manifestBelongsToShipment'],
      ['POST', `/manifest/${id}/status/STARTED`, undefined, 400, 'unknownStatus'],
      ['POST', `/manifest/${id}/status/COMPLETED`, undefined, 409, 'manifestBelongsToShipment'],
    ]);
    const taken = { externalIdentifier: 'M', gateExternalId: 'NO' };
    await expectRefused(dock, [
      ...closed,
      ...missing,
      ...manifests,
      ...members,
      ['POST', '/manifest', { ...taken, assets: ['A', 'A'] }, 400, 'validationFailed'],
      ['POST', '/manifest', taken, 400, 'gateNotFound'],
      ['POST', '/manifest', { ...taken, gateExternalId: 'G' }, 409, 'externalIdentifierInUse'],
    ]);
  });

  it('loading records report the same fault of two as every other call', async () => {
    const dock = await dockOf();
    const marks = (path: string, json: object, status: number, code: string): Refused => [
      'PATCH',
      `${path}/asset-loading/track/Z/status`,
      json,
      status,
      code,
    ];
    const nowhere = { status: 'UNLOADED' };
    const unknown = { status: 'UNLOADED', gateExternalId: 'NO' };
    const good = { status: 'UNLOADED', gateExternalId: 'G' };
    const cases: [string, string, Fault | undefined][] = [
      ['shipment', 'S', undefined],
      ['shipment', 'DONE', undefined],
      ['shipment', 'OFF', [409, 'shipmentClosed']],
      ['manifest', 'AP', undefined],
      ['manifest', 'AD', undefined],
      ['manifest', 'AX', [409, 'manifestClosed']],
      ['manifest', 'M', [409, 'manifestBelongsToShipment']],
      ['manifest', 'OM', [409, 'manifestBelongsToShipment']],
    ];
    await expectRefused(
      dock,
      cases.flatMap(([kind, id, state]) => [
        marks(`/${kind}/${id}`, nowhere, 400, 'gateRequired'),
        marks(`/${kind}/nobody`, nowhere, 400, 'gateRequired'),
        marks(`/${kind}/nobody`, unknown, 404, `${kind}NotFound`),
        marks(`/${kind}/${id}`, unknown, 400, 'gateNotFound'),
        marks(`/${kind}/${id}`, good, ...(state ?? ([404, 'assetLoadingNotFound'] as Fault))),
      ]),
    );
  });
});
