import { describe, expect, it } from 'vitest';
import { type Answer, call } from '../../../client.ts';
import { longGone, resolveAlerts, retain, rowsOf } from '../../../retention/archives.ts';
import { addressesOf } from '../../../web/pages/published.ts';
import { type Dock, loadingDock, newDock } from './dock.ts';

const STROKES = [
  [
    [10, 20.5],
    [500, 390],
  ],
  [[1_000, 400]],
];
const SIGNED = new Date(Date.now() - 60_000).toISOString();
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const signed = (more: object = {}) => ({
  role: 'DRIVER',
  name: 'Ben Kraft',
  strokes: STROKES,
  signDate: SIGNED,
  ...more,
});
const sign = (dock: Dock, of: string, more: object = {}, headers = {}): Promise<Answer> =>
  dock.call('POST', `/${of}/signature`, signed(more), headers);
const list = async (dock: Dock, of: string) => (await dock.must('GET', `/${of}/signature`)).body;
const problem = ({ status, body }: Answer) => [status, body.code];

describe('a signature', () => {
  it('a signature is added to an open shipment, with its lines as they were sent', async () => {
    const dock = await loadingDock();
    const before = (await dock.must('GET', '/shipment/S')).body;
    expect(before.signatures).toEqual([]);
    const { status, body } = await sign(dock, 'shipment/S');
    expect([status, body]).toEqual([
      201,
      {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        role: 'DRIVER',
        name: 'Ben Kraft',
        strokes: STROKES,
        signDate: SIGNED,
        signedFor: {
          ...{ status: 'IN_PROGRESS', loadedAssetsCount: 0, totalAssetsCount: 4, invalidCount: 0 },
          ...{ carrier: null, vehicle: null, seal: null, plannedDepartureDate: null, digest: null },
        },
        superseded: false,
        author: { firstName: 'WMS', lastName: null, email: null, phoneNumber: null },
        createDate: expect.any(String),
        updateDate: body.createDate,
        deepLink: before.deepLink,
      },
    ]);
    expect(await list(dock, 'shipment/S')).toEqual([body]);
    const { role, name, signDate } = body;
    const after = (await dock.must('GET', '/shipment/S')).body;
    expect(after).toEqual({
      ...before,
      signatures: [{ role, name, signDate }],
      updateDate: expect.any(String),
    });
    expect(after.updateDate > before.updateDate).toBe(true);
  });

  it('the latest signature of a role counts, and earlier ones stay', async () => {
    const dock = await loadingDock();
    const names = [
      ['DRIVER', 'One'],
      ['LOADER', 'Two'],
      ['DRIVER', 'Three'],
    ] as const;
    for (const [role, name] of names)
      expect((await sign(dock, 'shipment/S', { role, name })).status).toBe(201);
    const all = await list(dock, 'shipment/S');
    expect(all.map(({ name, superseded }: Answer['body']) => [name, superseded])).toEqual([
      ['One', true],
      ['Two', false],
      ['Three', false],
    ]);
    const { signatures } = (await dock.must('GET', '/shipment/S')).body;
    expect(signatures.map(({ name }: Answer['body']) => name)).toEqual(['Two', 'Three']);
    const log = (await dock.must('GET', '/audit-log?action=SIGNATURE_ADDED&sort.sortBy=sequenceNumber')).body
      .content;
    expect(
      log.map(({ entityType, entityExternalId }: Answer['body']) => [entityType, entityExternalId]),
    ).toEqual(Array(3).fill(['SHIPMENT', 'S']));
    expect(log[0].changes).toContainEqual({ field: 'signerName', oldValue: null, newValue: 'One' });
    expect(log[2].changes).toEqual(
      expect.arrayContaining([
        { field: 'signerName', oldValue: 'One', newValue: 'Three' },
        { field: 'signature', oldValue: all[0].uuid, newValue: all[2].uuid },
      ]),
    );
  });

  it('an event about the load says who has signed', async () => {
    const dock = await loadingDock();
    await sign(dock, 'shipment/S');
    const { content } = (await dock.must('GET', '/event?limit=1000')).body;
    expect(content.at(-1)).toMatchObject({
      eventType: 'SIGNATURE_ADDED',
      entityType: 'SHIPMENT',
      entityExternalId: 'S',
      data: { externalIdentifier: 'S', signatures: [{ role: 'DRIVER', name: 'Ben Kraft' }] },
    });
  });

  it('a signature is added once by repeats with one key, and once for each of requests at once', async () => {
    const dock = await loadingDock();
    const first = await sign(dock, 'shipment/S', {}, { 'Idempotency-Key': 'k' });
    const again = await sign(dock, 'shipment/S', {}, { 'Idempotency-Key': 'k' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await sign(dock, 'shipment/S', { name: 'Other' }, { 'Idempotency-Key': 'k' });
    expect(other.status).toBeGreaterThanOrEqual(409);
    expect(await list(dock, 'shipment/S')).toHaveLength(1);
    await Promise.all(['a', 'b', 'c'].map((name) => sign(dock, 'shipment/S', { name })));
    const all = await list(dock, 'shipment/S');
    expect(all.map(({ superseded }: Answer['body']) => superseded)).toEqual([true, true, true, false]);
  });

  it.each([
    ['no lines', { strokes: [] }],
    ['an empty line', { strokes: [[]] }],
    ['a point outside of the box', { strokes: [[[1_000.01, 1]]] }],
    ['a point below the box', { strokes: [[[1, 400.5]]] }],
    ['a point with a negative coordinate', { strokes: [[[-1, 1]]] }],
    ['a point with three coordinates', { strokes: [[[1, 1, 1]]] }],
    ['more than 100 lines', { strokes: Array(101).fill([[1, 1]]) }],
    ['more than 2,000 points', { strokes: Array(3).fill(Array(667).fill([1, 1])) }],
    ['points of more than 32,768 bytes', { strokes: [Array(1_000).fill([1 / 3, 100 / 3])] }],
    ['a blank name', { name: ' ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['another role', { role: 'WITNESS' }],
    ['a date six minutes ahead', { signDate: inMinutes(6) }],
    ['a date in 2001', { signDate: '2001-01-01T00:00:00Z' }],
    ['a date more than a day before the load', { signDate: inMinutes(-24 * 60 - 1) }],
    ['a date without an offset', { signDate: '2026-11-25T14:30:00' }],
    ['an unknown field', { consent: true }],
  ])('a signature with %s is refused and changes nothing', async (_, more) => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    expect((await sign(dock, 'manifest/M', more)).status).toBe(400);
    expect(await list(dock, 'manifest/M')).toEqual([]);
  });

  it.each([
    ['no date', undefined],
    ['a date two seconds ahead', 1 / 30],
    ['a date four minutes ahead', 4],
  ])('a signature with %s has the present time', async (_, ahead) => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    const before = Date.now();
    const signDate = ahead && inMinutes(ahead);
    const { status, body } = await sign(dock, 'manifest/M', { signDate });
    expect(status).toBe(201);
    expect(Date.parse(body.signDate)).toBeGreaterThanOrEqual(before);
    expect(body.signDate <= body.createDate).toBe(true);
  });

  it('a signature with 100 lines, 2,000 points and a name of 200 characters is taken', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    const strokes = Array(100).fill(Array(20).fill([999, 399]));
    expect((await sign(dock, 'manifest/M', { strokes, name: 'ü'.repeat(200) })).status).toBe(201);
    expect((await list(dock, 'manifest/M'))[0].strokes).toEqual(strokes);
  });

  it('a load takes 20 signatures', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    for (let count = 1; count <= 20; count += 1) expect((await sign(dock, 'manifest/M')).status).toBe(201);
    expect(problem(await sign(dock, 'manifest/M'))).toEqual([409, 'signatureLimitReached']);
    expect(await list(dock, 'manifest/M')).toHaveLength(20);
  });
});

describe('the load of a signature', () => {
  it('a completed shipment takes signatures, and a cancelled one does not', async () => {
    const dock = await loadingDock();
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    expect((await sign(dock, 'shipment/S', { role: 'CONSIGNEE' })).status).toBe(201);
    const other = await loadingDock();
    await other.must('POST', '/shipment/S/status/CANCELLED');
    expect(problem(await sign(other, 'shipment/S'))).toEqual([409, 'shipmentClosed']);
    expect(await list(other, 'shipment/S')).toEqual([]);
  });

  it('a completed manifest takes signatures, and a cancelled one does not', async () => {
    const dock = await newDock();
    await dock.manifest('M', 'A');
    await dock.must('POST', '/manifest/M/status/CANCELLED');
    expect(problem(await sign(dock, 'manifest/M'))).toEqual([409, 'manifestClosed']);
    const { body } = await dock.must('POST', '/manifest', {
      externalIdentifier: 'P',
      manifestStatus: 'TO_DO',
      gateExternalId: 'G',
      assets: ['A'],
    });
    expect(body.externalIdentifier).toBe('P');
    for (const status of ['IN_PROGRESS', 'COMPLETED'])
      await dock.must('POST', `/manifest/P/status/${status}`);
    expect((await sign(dock, 'manifest/P')).status).toBe(201);
  });

  it('a manifest in a shipment refuses a signature and names the shipment', async () => {
    const dock = await loadingDock();
    const answer = await sign(dock, 'manifest/M');
    expect(problem(answer)).toEqual([409, 'manifestBelongsToShipment']);
    expect(answer.body.detail).toBe('Manifest "M" is attached to shipment "S". Sign the shipment instead.');
    expect(await list(dock, 'manifest/M')).toEqual([]);
  });

  it('a load that does not exist, was deleted, or belongs to another organization is not found', async () => {
    const dock = await newDock();
    const other = await loadingDock();
    const { uuid } = (await other.must('GET', '/shipment/S')).body;
    await dock.manifest('M', 'A');
    await sign(dock, 'manifest/M');
    await dock.must('DELETE', '/manifest/M');
    for (const [of, code] of [
      ['manifest/M', 'manifestNotFound'],
      ['manifest/NONE', 'manifestNotFound'],
      ['shipment/NONE', 'shipmentNotFound'],
      [`shipment/${uuid}`, 'shipmentNotFound'],
    ] as const) {
      expect([of, ...problem(await sign(dock, of))]).toEqual([of, 404, code]);
      expect([of, ...problem(await dock.call('GET', `/${of}/signature`))]).toEqual([of, 404, code]);
    }
  });

  it('an archived load keeps its signatures in its proof, and refuses another one', async () => {
    const dock = await longGone();
    await sign(dock, 'shipment/S', { role: 'DRIVER' });
    await sign(dock, 'shipment/S', { role: 'CONSIGNEE', name: 'Eva' });
    const { data } = await addressesOf(dock, 'shipment', 'S');
    const before = (await call('GET', data)).body;
    const shown = (await dock.must('GET', '/shipment/S')).body;
    await resolveAlerts(dock);
    await retain(dock);
    const refused = await sign(dock, 'shipment/S');
    expect(problem(refused)).toEqual([404, 'shipmentNotFound']);
    expect(refused.body.detail).toContain('is in the archive');
    expect((await call('GET', data)).body).toEqual(before);
    expect((await dock.must('GET', `/archive/${shown.uuid}`)).body).toEqual(shown);
    expect(before.signatures).toHaveLength(2);
    expect(await rowsOf(dock, ['signature'])).toEqual({ signature: 0 });
  });
});
