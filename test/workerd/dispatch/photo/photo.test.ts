import { beforeEach, describe, expect, it } from 'vitest';
import {
  JPEG,
  jpegFrame,
  jpegOf,
  jpegScan,
  jpegWith,
  LOCATION,
  noisyJpeg,
  phoneJpeg,
  phoneWebp,
  png,
  pngChunk,
  pngHeader,
  pngOf,
  segment,
  WEBP,
  webp,
  webpChunk,
} from '../../../images.ts';
import { signIn } from '../../delivery/live/listener.ts';
import { type Dock, loadingDock } from '../load/shipment/dock.ts';
import {
  addAtPage,
  addPhoto,
  bucket,
  objectsOf,
  open,
  orphansOf,
  photosOf,
  sendPhoto,
  sha256,
} from './photos.ts';

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
    const takenDate = new Date(Date.now() - 60_000).toISOString();
    const query = `kind=LOAD&trackIdentifier=A&takenDate=${takenDate}`;
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
      takenDate,
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

  it('takes image/jpg as image/jpeg, and drops what a phone appends to the image', async () => {
    const rest = Buffer.from('a gain map, a film or a trailer <script>');
    const type = 'image/jpg; name=IMG_1.jpg';
    const { status, body } = await addPhoto(
      dock,
      'kind=LOAD&trackIdentifier=A',
      Buffer.concat([JPEG, rest]),
      { type },
    );
    expect([status, body.contentType, body.sizeBytes]).toEqual([201, 'image/jpeg', JPEG.length]);
    const { headers, bytes } = await open(body.link);
    expect([headers.get('Content-Type'), Buffer.from(bytes)]).toEqual(['image/jpeg', JPEG]);
  });

  it.each([
    ['image/jpg', JPEG, 'image/jpeg'],
    ['IMAGE/JPEG; charset=binary', JPEG, 'image/jpeg'],
    ['image/pjpeg', JPEG, 'image/jpeg'],
    ['image/x-png', png(), 'image/png'],
  ])('takes a photo that its sender calls %s', async (type, image, contentType) => {
    const { status, body } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', image, { type });
    expect([status, body.contentType]).toEqual([201, contentType]);
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
    [
      'a polyglot',
      'image/png',
      png(16, 8, [pngChunk('tEXt', Buffer.from('<script>'))]),
      [400, 'imageInvalid'],
    ],
    [
      '100 megapixels',
      'image/png',
      pngOf(pngHeader(10_000, 10_000), pngChunk('IDAT', Buffer.alloc(300_000))),
      [400, 'imageInvalid'],
    ],
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

  const LARGEST = 5 * 1024 * 1024 - 1_000;
  const repeated = (part: Buffer): Buffer => Buffer.alloc(LARGEST - (LARGEST % part.length), part);
  const IDAT = pngChunk('IDAT', Buffer.alloc(0));

  // Each of these was stored once, and cost seconds or broke a proof.
  it.each([
    [
      'pixels of 60,000 zero bytes for 25 megapixels',
      'image/jpeg',
      jpegOf([jpegFrame(5_000, 5_000), jpegScan()], Buffer.alloc(60_000)),
      'The photo is truncated.',
    ],
    [
      'tables without end',
      'image/jpeg',
      jpegWith(repeated(segment(0xdb, Buffer.alloc(0)))),
      'The photo has more than 2,000 parts.',
    ],
    [
      'scans without end',
      'image/jpeg',
      jpegWith(repeated(jpegScan([[1, 0]], [1, 63, 0]))),
      'The photo is damaged: a scan comes before the frame header.',
    ],
    ['chunks without end', 'image/png', png(16, 8, [repeated(IDAT)]), 'The photo has more than 2,000 parts.'],
    [
      'WebP chunks without end',
      'image/webp',
      webp(WEBP.subarray(12), repeated(webpChunk('XXXX', Buffer.alloc(0)))),
      'The photo has more than 2,000 parts.',
    ],
    [
      'a frame of 0 × 0 pixels before its frame',
      'image/jpeg',
      jpegWith(jpegFrame(0, 0)),
      'The photo has no pixels.',
    ],
    ['a second frame', 'image/jpeg', jpegWith(jpegFrame(8, 8)), 'The photo has more than one frame header.'],
    [
      '16 bits',
      'image/jpeg',
      jpegOf([jpegFrame(16, 16, { precision: 16 }), jpegScan()]),
      'The photo has 16 bits in each colour channel. Browsers show 8.',
    ],
    ...[0, 2, 255].map(
      (count) =>
        [
          `${count} colour channels`,
          'image/jpeg',
          jpegOf([jpegFrame(16, 16, { components: Array(count).fill([1, 0x11, 0]) }), jpegScan()]),
          `The photo has ${count} colour channels. Browsers show 1, 3 or 4.`,
        ] as [string, string, Buffer, string],
    ),
    [
      'pixels that are no zlib stream',
      'image/png',
      pngOf(pngHeader(4, 4), pngChunk('IDAT', Buffer.from('This is no zlib stream.'))),
      'The photo is damaged: its pixels are not compressed as PNG needs it.',
    ],
    [
      'a depth and a colour type that PNG does not have',
      'image/png',
      pngOf(pngHeader(4, 4, { bits: 99, colourType: 77 }), pngChunk('IDAT', Buffer.alloc(99))),
      'The photo has 99 bits of colour type 77, which PNG does not have.',
    ],
  ])('leaves nothing for %s, and says why', async (_, type, bytes, detail) => {
    const { status, body } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', bytes, { type });
    expect([status, body.code, body.detail]).toEqual([400, 'imageInvalid', detail]);
    const atGate = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', bytes, { type, gate: 'G' });
    expect([atGate.status, atGate.body.detail]).toEqual([400, detail]);
    expect([await photosOf(dock), await objectsOf(dock), await orphansOf(dock)]).toEqual([[], [], []]);
  });

  it.each([
    ['', 400, 'validationFailed'],
    ['kind=LOAD', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&manifestExternalId=M', 400, 'validationFailed'],
    ['kind=load&trackIdentifier=A', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&takenDate=yesterday', 400, 'validationFailed'],
    ['kind=LOAD&trackIdentifier=A&takenDate=2036-01-01T00:00:00Z', 400, 'validationFailed'],
    ['kind=LOAD&shipmentExternalId=S&takenDate=2001-01-01T00:00:00Z', 400, 'validationFailed'],
    ['kind=LOAD&manifestExternalId=M&takenDate=0', 400, 'validationFailed'],
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

describe('a thumbnail', () => {
  const [LARGE, SMALL] = [noisyJpeg(800, 600), noisyJpeg(400, 300, 4)];
  const thumbnailOf = (link: string) => open(`${link}?thumbnail=true`);

  it('a thumbnail is stored with its photo, which keeps its bytes and its SHA-256', async () => {
    const photo = await addAtPage(dock, ['track', 'A'], LARGE, SMALL);
    expect([photo.sizeBytes, photo.sha256]).toEqual([LARGE.length, sha256(LARGE)]);
    const [whole, small] = [await open(photo.link), await thumbnailOf(photo.link)];
    expect([Buffer.from(whole.bytes), Buffer.from(small.bytes)]).toEqual([LARGE, SMALL]);
    for (const [{ headers }, bytes] of [
      [whole, LARGE],
      [small, SMALL],
    ] as const) {
      expect(headers.get('Content-Type')).toBe('image/jpeg');
      expect(headers.get('Content-Length')).toBe(String(bytes.length));
    }
    expect(small.headers.get('ETag')).toBe(`"${photo.sha256}-thumbnail"`);
    expect(await objectsOf(dock)).toHaveLength(1);
  });

  it('a thumbnail has no location, and is deleted with its photo', async () => {
    const photo = await addAtPage(dock, ['shipment', 'S'], phoneJpeg(1), phoneJpeg(1));
    const [key] = await objectsOf(dock);
    const stored = Buffer.from(await (await bucket.get(key!))!.arrayBuffer());
    expect(stored).toEqual(Buffer.concat([JPEG, JPEG]));
    await dock.must('DELETE', `/photo/${photo.uuid}`);
    expect((await thumbnailOf(photo.link)).status).toBe(404);
    expect([await objectsOf(dock), await orphansOf(dock)]).toEqual([[], []]);
  });

  it.each([
    ['none', undefined],
    ['one that is no JPEG', png()],
    ['one of another picture', noisyJpeg(300, 400, 4)],
    ['one of 401 pixels', noisyJpeg(401, 301, 4)],
    ['one of more than 48 KiB', Buffer.concat([SMALL, Buffer.alloc(48 * 1024)])],
    ['one that is damaged', jpegWith(jpegFrame(0, 0))],
    ['an empty one', Buffer.alloc(0)],
  ])('a wrong thumbnail is dropped and the photo is stored: %s', async (_, thumbnail) => {
    const photo = await addAtPage(dock, ['manifest', 'M'], LARGE, thumbnail);
    expect(Buffer.from((await thumbnailOf(photo.link)).bytes)).toEqual(LARGE);
  });

  it('the thumbnail of a photo from the API is the photo itself', async () => {
    for (const [type, bytes] of [
      ['image/jpeg', LARGE],
      ['image/png', png()],
      ['image/webp', WEBP],
    ] as const) {
      const { body } = await addPhoto(dock, 'kind=LOAD&trackIdentifier=A', bytes, { type });
      const { headers, bytes: shown } = await thumbnailOf(body.link);
      expect([headers.get('Content-Type'), Buffer.from(shown)]).toEqual([type, bytes]);
    }
  });

  it('the form of a photo takes 48 KiB more than the largest photo', async () => {
    const { cookie } = await signIn(dock);
    const { uuid } = (await dock.must('GET', '/track/A')).body;
    const form = (thumbnail: Uint8Array) =>
      sendPhoto(
        cookie,
        `/app/track/${uuid}`,
        { action: 'addPhoto', kind: 'LOAD' },
        { photo: LARGE, thumbnail },
      );
    expect((await form(Buffer.alloc(4 * 1024 * 1024))).status).toBe(303);
    expect((await form(Buffer.alloc(6 * 1024 * 1024))).status).toBe(413);
  });
});
