import { describe, expect, it } from 'vitest';
import { JPEG } from '../../../images.ts';
import { call, operator } from '../../client.ts';
import { type Dock, newDock } from '../../dispatch/load/shipment/dock.ts';
import { addPhoto } from '../../dispatch/photo/photos.ts';
import { addressesOf, pageOf, saidBy } from './published.ts';

const FIELDS = [
  { fieldKey: 'haulier', fieldType: 'TEXT', role: 'CARRIER' },
  { fieldKey: 'plate', fieldType: 'TEXT', role: 'VEHICLE' },
  { fieldKey: 'etd', fieldType: 'DATE_TIME', role: 'PLANNED_DEPARTURE' },
  { fieldKey: 'seal', fieldType: 'TEXT', role: 'SEAL' },
  { fieldKey: 'invoice', fieldType: 'TEXT' },
];

/** Starts a shipment S of manifest M with the pallets A and B. */
async function started(): Promise<Dock> {
  const dock = await newDock({ shipmentCustomFields: FIELDS });
  await dock.couple('A', 'B', 'X', 'Y');
  await dock.manifest('M', 'A', 'B');
  const customFields = [{ fieldKey: 'seal', fieldValue: '4711' }];
  await dock.shipment('S', ['M'], { gateIdentifier: 'G', customFields });
  await dock.must('POST', '/shipment/S/status/IN_PROGRESS');
  return dock;
}

const complete = (dock: Dock) => dock.must('POST', '/shipment/S/status/COMPLETED');
const set = (dock: Dock, fieldKey: string, fieldValue: string) =>
  dock.must('POST', '/shipment/S/custom-field', { fieldKey, fieldValue });
const sign = async (dock: Dock, role = 'DRIVER') =>
  (await dock.must('POST', '/shipment/S/signature', { role, name: 'D', strokes: [[[1, 1]]] })).body;
const dataOf = async (dock: Dock) =>
  (await call('GET', (await addressesOf(dock, 'shipment', 'S')).data)).body;
const saidOf = async (dock: Dock) => saidBy(await pageOf((await addressesOf(dock, 'shipment', 'S')).summary));

// biome-ignore lint/suspicious/noExplicitAny: an answer of the service
type Any = any;
const changesIn = (data: Any): string[] =>
  data.corrections.map(
    ({ revision, field, oldValue, newValue, actorType }: Any) =>
      `${revision} ${field} ${oldValue} ${newValue} ${actorType}`,
  );

describe('a change after completion', () => {
  it('seal, carrier, vehicle and departure are corrections with old value, new value, time and actor', async () => {
    const dock = await started();
    await complete(dock);
    expect([(await dataOf(dock)).revision, await saidOf(dock)]).toEqual([
      0,
      expect.stringContaining('Original, not corrected since completion'),
    ]);
    const before = Date.now();
    await set(dock, 'seal', 'OTHER');
    await set(dock, 'haulier', 'Fast');
    await set(dock, 'plate', 'AB 1');
    await set(dock, 'etd', '2026-11-21T10:00:00+01:00');
    await dock.must('DELETE', '/shipment/S/custom-field/plate');
    const data = await dataOf(dock);
    expect(changesIn(data)).toEqual([
      '1 seal 4711 OTHER API_KEY',
      '2 carrier null Fast API_KEY',
      '3 vehicle null AB 1 API_KEY',
      '4 plannedDepartureDate null 2026-11-21T09:00:00.000Z API_KEY',
      '5 vehicle AB 1 null API_KEY',
    ]);
    expect(data.revision).toBe(5);
    for (const { date } of data.corrections) expect(Date.parse(date)).toBeGreaterThanOrEqual(before);
    const said = await saidOf(dock);
    expect(said).toContain('5, corrected since completion');
    expect(said).toMatch(/1 \d\d:\d\d Seal – 4711 OTHER warehouse system/);
    expect(said).toMatch(/5 \d\d:\d\d Vehicle – AB 1 Removed warehouse system/);
    expect(said).not.toContain('Original');
  });

  it('changes of one request are one revision', async () => {
    const dock = await started();
    await complete(dock);
    const { body } = await dock.must('POST', '/shipment/bulk-upsert', {
      items: [
        {
          shipmentExternalId: 'S',
          customFields: [
            { fieldKey: 'seal', fieldValue: 'NEW' },
            { fieldKey: 'haulier', fieldValue: 'Fast' },
            { fieldKey: 'invoice', fieldValue: 'R-1' },
          ],
        },
      ],
    });
    await expect
      .poll(async () => (await dock.must('GET', `/operation/${body.operationId}`)).body.status)
      .toBe('SUCCEEDED');
    const data = await dataOf(dock);
    expect([data.revision, changesIn(data)]).toEqual([
      1,
      ['1 carrier null Fast API_KEY', '1 seal 4711 NEW API_KEY'],
    ]);
  });

  it('a field that the proof does not show is no correction', async () => {
    const dock = await started();
    await complete(dock);
    const before = await dataOf(dock);
    await set(dock, 'invoice', 'R-1');
    await set(dock, 'seal', '4711');
    expect(await dataOf(dock)).toEqual(before);
  });

  it('an earlier change of the seal is no correction', async () => {
    const dock = await started();
    await set(dock, 'seal', '4712');
    await complete(dock);
    expect((await dataOf(dock)).revision).toBe(0);
  });

  it('another name of the gate or the organization, and another role of a field, change no proof', async () => {
    const dock = await started();
    await set(dock, 'invoice', 'R-1');
    await complete(dock);
    const before = await dataOf(dock);
    const gates = `/organization/${dock.uuid}/gate`;
    const gate = await operator('PUT', `${gates}/G`, { name: 'Another gate' });
    expect(gate.status).toBe(200);
    const renamed = await operator('PUT', `/organization/${dock.uuid}`, {
      name: 'Another organization',
      shipmentCustomFields: [
        { fieldKey: 'invoice', fieldType: 'TEXT', role: 'SEAL' },
        { fieldKey: 'seal', fieldType: 'TEXT' },
      ],
    });
    expect(renamed.status).toBe(200);
    expect(await dataOf(dock)).toEqual(before);
    expect(await saidOf(dock)).toContain('Seal 4711 Gate Gate G');
    // The seal of the proof is still the field that was its seal.
    await set(dock, 'seal', 'OTHER');
    expect(changesIn(await dataOf(dock))).toEqual(['1 seal 4711 OTHER API_KEY']);
  });

  it('a photo that is added or deleted is a correction of each load that shows it', async () => {
    const dock = await started();
    const { body: early } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', JPEG);
    await dock.scan('A');
    await complete(dock);
    const ofManifest = async () =>
      changesIn((await call('GET', (await addressesOf(dock, 'manifest', 'M')).data)).body);
    expect([(await dataOf(dock)).revision, await ofManifest()]).toEqual([0, []]);
    const { body: late } = await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
    await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=X', JPEG);
    await dock.must('DELETE', `/photo/${early.uuid}`);
    expect(changesIn(await dataOf(dock))).toEqual([
      `1 photo null ${late.sha256} API_KEY`,
      `2 photo ${early.sha256} null API_KEY`,
    ]);
    expect((await dataOf(dock)).corrections).toMatchObject([
      { photoKind: 'DAMAGE', trackIdentifier: 'A' },
      { photoKind: 'SEAL', trackIdentifier: null },
    ]);
    expect(await ofManifest()).toEqual([`1 photo null ${late.sha256} API_KEY`]);
    expect(await saidOf(dock)).toMatch(/2 \d\d:\d\d Photo, Seal – SHA-256 [0-9a-f]{64} Removed/);
  });

  it('custom fields of a manifest of a completed shipment, and of a completed manifest, are closed', async () => {
    const dock = await started();
    await complete(dock);
    await dock.manifest('N', 'X');
    for (const status of ['TO_DO', 'IN_PROGRESS', 'COMPLETED']) {
      if (status === 'IN_PROGRESS') await dock.must('POST', '/manifest/N/gate/G');
      await dock.must('POST', `/manifest/N/status/${status}`);
    }
    for (const manifest of ['M', 'N']) {
      const { status, body } = await dock.call('POST', `/manifest/${manifest}/custom-field`, {
        fieldKey: 'consignee',
        fieldValue: 'Other',
      });
      expect([status, body.code]).toEqual([409, 'manifestClosed']);
    }
  });
});

describe('a signature in a proof', () => {
  it('a signature shows the load that it was given for, and the proof says what has changed since', async () => {
    const dock = await started();
    const { signedFor } = await sign(dock);
    expect(signedFor).toEqual({
      status: 'IN_PROGRESS',
      loadedAssetsCount: 0,
      totalAssetsCount: 2,
      invalidCount: 0,
      carrier: null,
      vehicle: null,
      seal: '4711',
      plannedDepartureDate: null,
      digest: null,
    });
    expect((await dock.must('GET', '/shipment/S/signature')).body[0].signedFor).toEqual(signedFor);
    await dock.scan('A');
    await set(dock, 'seal', '4712');
    await complete(dock);
    const data = await dataOf(dock);
    expect(data.signatures).toMatchObject([{ signedFor, changedSince: ['loadedAssetsCount', 'seal'] }]);
    expect(await saidOf(dock)).toContain(
      'Signed at: 0 of 2 loaded, Seal: 4711. Changed since: 1 of 2 loaded, Seal: 4712.',
    );
  });

  it('a signature at the final state says that nothing has changed', async () => {
    const dock = await started();
    await dock.scan('A');
    await sign(dock);
    await complete(dock);
    expect((await dataOf(dock)).signatures[0].changedSince).toEqual([]);
    expect(await saidOf(dock)).toContain('Signed at: 1 of 2 loaded, Seal: 4711. Nothing has changed since.');
  });

  it('a signature notices another pallet with the same counts, and another wrong pallet', async () => {
    const dock = await started();
    await dock.scan('A');
    await dock.scan('X');
    await sign(dock);
    await dock.scan('A', 'UNLOAD');
    await dock.scan('B');
    await sign(dock, 'LOADER');
    await dock.scan('X', 'UNLOAD');
    await dock.scan('Y');
    await complete(dock);
    expect((await dataOf(dock)).signatures.map(({ changedSince }: Any) => changedSince)).toEqual([
      ['records'],
      ['records'],
    ]);
  });

  it('a signature after completion keeps the digest of the proof that was signed', async () => {
    const dock = await started();
    await complete(dock);
    const address = (await addressesOf(dock, 'shipment', 'S')).data;
    const digest = async () => (await call('GET', address)).headers.get('ETag')!.slice(1, -1);
    const signed = await digest();
    const { signedFor } = await sign(dock, 'CONSIGNEE');
    expect(signedFor).toMatchObject({ status: 'COMPLETED', digest: signed });
    expect((await dataOf(dock)).previousDigest).toBe(signed);
    await set(dock, 'seal', 'OTHER');
    await set(dock, 'seal', '4711');
    const data = await dataOf(dock);
    // The digest is the one of the proof that was signed, not of data that never existed.
    expect(data.previousDigest).toBe(signed);
    expect(data.signatures[0].changedSince).toEqual(['corrections']);
    expect(await saidOf(dock)).toContain('Changed since: corrections, as listed below.');
    expect((await sign(dock, 'DRIVER')).signedFor.digest).not.toBe(signed);
  });

  it('a signature of a manifest in no shipment keeps its counts', async () => {
    const dock = await newDock();
    await dock.couple('A');
    await dock.manifest('N', 'A', 'B');
    const signature = { role: 'LOADER', name: 'L', strokes: [[[1, 1]]] };
    const { body } = await dock.must('POST', '/manifest/N/signature', signature);
    expect(body.signedFor).toMatchObject({ status: 'PLANNED', loadedAssetsCount: 0, totalAssetsCount: 2 });
    await dock.must('POST', '/manifest/N/status/TO_DO');
    await dock.must('POST', '/manifest/N/gate/G');
    await dock.must('POST', '/manifest/N/status/IN_PROGRESS');
    await dock.scan('A');
    await dock.must('POST', '/manifest/N/status/COMPLETED');
    const { data } = await addressesOf(dock, 'manifest', 'N');
    const first = (await call('GET', data)).body;
    expect(first.signatures[0].changedSince).toEqual(['loadedAssetsCount']);
    const late = await dock.must('POST', '/manifest/N/signature', { ...signature, role: 'CONSIGNEE' });
    expect(late.body.signedFor.digest).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the time of a photo', () => {
  it('a photo without its own time has the time of the upload, and the page says so', async () => {
    const dock = await started();
    await addPhoto(dock, 'kind=LOAD&shipmentExternalId=S', JPEG);
    const takenDate = new Date(Date.now() - 60_000).toISOString();
    await addPhoto(dock, `kind=SEAL&shipmentExternalId=S&takenDate=${takenDate}`, JPEG);
    await complete(dock);
    const { photos } = await dataOf(dock);
    expect(photos.map((photo: Any) => photo.takenDate)).toEqual([null, takenDate]);
    const said = await saidOf(dock);
    expect(said).toMatch(/Load, S Uploaded \d+ \w+ 2\d{3}, \d\d:\d\d/);
    expect(said).toMatch(/Seal, S Taken \d+ \w+ 2\d{3}, \d\d:\d\d/);
  });
});
