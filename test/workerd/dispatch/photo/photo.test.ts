import { beforeEach, describe, expect, it } from 'vitest';
import { JPEG, LOCATION, phoneJpeg, phoneWebp, png, WEBP } from '../../../images.ts';
import { type Dock, loadingDock } from '../shipment/dock.ts';
import { addPhoto, bucket, objectsOf, open, orphansOf, photosOf, sha256 } from './photos.ts';

let dock: Dock;
beforeEach(async () => {
  dock = await loadingDock();
});

const codeOf = ({ status, body }: Awaited<ReturnType<typeof addPhoto>>) => [status, body.code];
const eventsOf = async () =>
  (await dock.call('GET', '/event?limit=1000')).body.content.filter(
    ({ eventType }: { eventType: string }) => eventType === 'PHOTO_ADDED',
  );

describe('a photo that is added', () => {
  it('answers 201 with the stored bytes, and lists the photo under its own reference only', async () => {
    const query = 'kind=LOAD&trackIdentifier=A&takenDate=2026-11-25T08:15:30Z';
    const { status, headers, body } = await addPhoto(dock, query, phoneJpeg());
    expect(status).toBe(201);
    expect(headers.get('Location')).toBe(`/integration/rest/api/v1/photo/${body.uuid}`);
    const track = (await dock.must('GET', '/track/A')).body;
    expect(body).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createDate: expect.any(String),
      updateDate: body.createDate,
      deepLink: `http://127.0.0.1:8787/app/track/${track.uuid}`,
      kind: 'LOAD',
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8787\/public\/photo\/[\w-]{32}$/),
      contentType: 'image/jpeg',
      sizeBytes: expect.any(Number),
      sha256: expect.any(String),
      width: 8,
      height: 16,
      takenDate: '2026-11-25T08:15:30.000Z',
      author: { firstName: 'WMS', lastName: null, email: null, phoneNumber: null },
      trackIdentifier: 'A',
      manifestExternalId: null,
      shipmentExternalId: null,
    });
    const { bytes } = await open(body.link);
    expect([bytes.length, sha256(bytes)]).toEqual([body.sizeBytes, body.sha256]);
    expect((await dock.call('GET', `/photo/${body.uuid}`)).body).toEqual(body);
    for (const name of ['A', track.uuid])
      expect(await photosOf(dock, `&trackIdentifier=${name}`)).toEqual([body]);
    for (const other of ['trackIdentifier=B', 'manifestExternalId=A', 'shipmentExternalId=A', 'kind=SEAL']) {
      expect(await photosOf(dock, `&${other}`)).toEqual([]);
    }
    expect(track.damaged).toBe(false);
    expect((await dock.must('GET', '/manifest/M')).body.updateDate).not.toBe(body.createDate);
  });

  it('a new photo is in the event log, and in the audit log with its hash', async () => {
    const { body } = await addPhoto(dock, 'kind=SEAL&shipmentExternalId=S', WEBP, { type: 'image/webp' });
    const [event, ...others] = await eventsOf();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      entityType: 'PHOTO',
      entityUuid: body.uuid,
      entityExternalId: 'S',
      data: body,
    });
    await dock.must('DELETE', `/photo/${body.uuid}`);
    const log = (await dock.must('GET', '/audit-log?entityType=PHOTO')).body.content;
    expect(log.map((record: { action: string }) => record.action).sort()).toEqual([
      'PHOTO_ADDED',
      'PHOTO_DELETED',
    ]);
    for (const { entityUuid, entityExternalId, changes } of log) {
      expect([entityUuid, entityExternalId]).toEqual([body.uuid, 'S']);
      expect(JSON.stringify(changes)).toContain(body.sha256);
    }
  });

  it.each([
    ['JPEG', 'image/jpeg', phoneJpeg()],
    ['WebP', 'image/webp', phoneWebp()],
  ])('a location that was sent in a %s is not in the bucket', async (_, type, photo) => {
    expect(photo.toString('latin1')).toContain(LOCATION);
    await addPhoto(dock, 'kind=LOAD&manifestExternalId=M', photo, { type });
    const [key] = await objectsOf(dock);
    const bytes = new Uint8Array(await (await bucket.get(key!))!.arrayBuffer());
    expect(new TextDecoder('latin1').decode(bytes)).not.toContain(LOCATION);
  });

  it('flags a pallet as damaged only for the kind DAMAGE, once, and without its flag being removed later', async () => {
    await addPhoto(dock, 'kind=OTHER&trackIdentifier=A', JPEG);
    expect((await dock.must('GET', '/track/A')).body).toMatchObject({
      damaged: false,
      trackStatus: 'ACTIVE',
    });
    const { body } = await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
    await addPhoto(dock, 'kind=DAMAGE&trackIdentifier=A', JPEG);
    expect((await dock.must('GET', '/track/A')).body).toMatchObject({
      damaged: true,
      trackStatus: 'FLAGGED',
    });
    const flagged = (await dock.must('GET', '/track/A/activity')).body.content.filter(
      ({ activityType }: { activityType: string }) => activityType === 'FLAGGED',
    );
    expect(flagged).toMatchObject([{ details: 'damaged, as a photo shows' }]);
    await dock.must('DELETE', `/photo/${body.uuid}`);
    expect((await dock.must('GET', '/track/A')).body.damaged).toBe(true);
    for (const reference of ['manifestExternalId=M', 'shipmentExternalId=S']) {
      expect((await addPhoto(dock, `kind=DAMAGE&${reference}`, JPEG)).status).toBe(201);
    }
    expect((await dock.must('GET', '/track/B')).body.damaged).toBe(false);
  });
});

describe('a photo that is refused', () => {
  it.each([
    ['a wrong type', 'image/svg+xml', JPEG, [415, 'unsupportedMediaType']],
    ['no type', '', JPEG, [415, 'unsupportedMediaType']],
    ['bytes of another type', 'image/png', JPEG, [400, 'imageInvalid']],
    [
      'SVG as PNG',
      'image/png',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      [400, 'imageInvalid'],
    ],
    ['an empty body', 'image/png', Buffer.alloc(0), [400, 'imageInvalid']],
    ['a polyglot', 'image/png', Buffer.concat([png(), Buffer.from('<script>')]), [400, 'imageInvalid']],
    ['100 megapixels', 'image/png', png(10_000, 10_000), [400, 'imageInvalid']],
    ['more than 5 MiB', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1), [413, 'payloadTooLarge']],
  ] as const)('leaves nothing for %s', async (_, type, bytes, refused) => {
    expect(codeOf(await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', bytes, { type }))).toEqual(refused);
    expect([await photosOf(dock), await objectsOf(dock), await orphansOf(dock), await eventsOf()]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it.each([
    ['', 400, 'validationFailed'],
    ['kind=LOAD', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&manifestExternalId=M', 400, 'validationFailed'],
    ['kind=load&trackIdentifier=A', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&takenDate=yesterday', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&gate=G', 400, 'unknownParameter'],
    ['kind=LOAD&trackIdentifier=Z', 400, 'trackNotFound'],
    ['kind=LOAD&manifestExternalId=A', 400, 'manifestNotFound'],
    ['kind=LOAD&shipmentExternalId=M', 400, 'shipmentNotFound'],
  ])('answers ?%s with %i %s, and leaves nothing', async (query, status, code) => {
    expect(codeOf(await addPhoto(dock, query, JPEG))).toEqual([status, code]);
    expect([await photosOf(dock), await objectsOf(dock), await orphansOf(dock)]).toEqual([[], [], []]);
  });

  it.each([
    [
      'pallet',
      'trackIdentifier=A',
      20,
      ['trackIdentifier=B', 'manifestExternalId=M', 'shipmentExternalId=S'],
    ],
    ['manifest', 'manifestExternalId=M', 100, ['manifestExternalId=N', 'trackIdentifier=A']],
    ['shipment', 'shipmentExternalId=S', 100, ['shipmentExternalId=T', 'manifestExternalId=M']],
  ])('a %s (%s) has at most %i photos, also if more come at once', async (_, reference, most, others) => {
    await dock.manifest('OTHER', 'X');
    await dock.shipment('T', ['OTHER']);
    const add = (of: string) => addPhoto(dock, `kind=LOAD&${of}`, JPEG);
    const outcomes = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, () => add(reference)))).map(codeOf).sort();
    const refused = [409, 'photoLimitReached'];
    for (let count = 1; count < most; count += 1) expect((await add(reference)).status).toBe(201);
    expect(await outcomes(4)).toEqual([[201, undefined], refused, refused, refused]);
    for (const other of others) expect([other, (await add(other)).status]).toEqual([other, 201]);
    const [first] = await photosOf(dock, `&${reference}`);
    await dock.must('DELETE', `/photo/${first.uuid}`);
    expect(await outcomes(2)).toEqual([[201, undefined], refused]);
    expect(await photosOf(dock, `&${reference}`)).toHaveLength(most);
    expect([(await objectsOf(dock)).length, await orphansOf(dock)]).toEqual([most + others.length, []]);
    expect(await eventsOf()).toHaveLength(most + 1 + others.length);
  });
});

describe('a public link', () => {
  it('serves the image with headers that let it run nothing, and 304 to a browser that has it', async () => {
    const { body } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', WEBP, { type: 'image/webp' });
    const { status, headers, bytes } = await open(body.link);
    expect(status).toBe(200);
    expect(Buffer.from(bytes)).toEqual(WEBP);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'private, max-age=300',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      etag: `"${body.sha256}"`,
    });
    const known = await open(body.link, { headers: { 'If-None-Match': `"${body.sha256}"` } });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    expect((await open(body.link, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(WEBP.length),
    );
  });

  it('shows no other photo: other tokens, the uuid and the token of a summary are 404', async () => {
    const { body: one } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', JPEG);
    const { body: other } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', png(), { type: 'image/png' });
    expect(other.link).not.toBe(one.link);
    const base = one.link.slice(0, one.link.lastIndexOf('/'));
    const token = one.link.slice(base.length + 1);
    await dock.must('POST', '/shipment/S/status/COMPLETED');
    const summary = (await dock.must('GET', '/shipment/S')).body.summaryUrl ?? '';
    for (const guess of [
      one.uuid,
      `${token.slice(0, 8)}${'A'.repeat(24)}`,
      token.toLowerCase() === token ? token.toUpperCase() : token.toLowerCase(),
      `${token}.jpg`,
      '%25',
      '_'.repeat(32),
      summary.split('/').at(-1)?.split('?')[0] || 'none',
    ]) {
      expect((await open(`${base}/${guess}`)).status, guess).toBe(404);
    }
  });

  it('ends with the photo, and its bytes are gone', async () => {
    const { body } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', JPEG);
    await dock.must('DELETE', `/photo/${body.uuid}`);
    expect((await open(body.link)).status).toBe(404);
    expect(codeOf(await dock.call('GET', `/photo/${body.uuid}`))).toEqual([404, 'photoNotFound']);
    expect(codeOf(await dock.call('DELETE', `/photo/${body.uuid}`))).toEqual([404, 'photoNotFound']);
    expect([await objectsOf(dock), await orphansOf(dock)]).toEqual([[], []]);
  });
});
