import { describe, expect, it } from 'vitest';
import { storedState } from '../../../contract/state.ts';
import { by, everyKind, expectRefused, type Refused, UUID } from './refused.ts';

describe('a refusal names its reason and changes nothing', () => {
  it('a refused manual loading names its reason and changes nothing', async () => {
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
      // An invalid record of another shipment. Below, its manifest is taken out of the shipment.
      ['DELETE', at('S', invalid), undefined, 404, 'assetLoadingNotFound'],
    ]);
    await dock.must('DELETE', '/shipment/L/manifest', { manifests: by('LM') });
    await expectRefused(dock, [
      ['DELETE', at('L', invalid), undefined, 404, 'assetLoadingNotFound'],
      mark('L', asset, {}, 404, 'assetLoadingNotFound'),
    ]);
  });

  it('a refused scan names its reason and changes nothing, nor does the rest of its batch', async () => {
    const dock = await everyKind();
    const good = { scanId: 'good', markerCode: dock.codes['A'], direction: 'LOAD' };
    const before = await storedState(dock);
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
    expect(await storedState(dock)).toEqual(before);
  });
});
