import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { newTenant, type Tenant } from '../../client.ts';
import {
  BYTES_MAXIMUM,
  bucket,
  bucketWith,
  bytesOf,
  chunked,
  download,
  fetchWith,
  file,
  keysOf,
  objectKeys,
  pathOf,
  remove,
  tagOf,
  upload,
} from './files.ts';

const PART_BYTES = 5 * 1024 * 1024;
const MIB = 1024 * 1024;
const ONE = bytesOf('{"a": 1}');

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

/** Checks that an upload is refused and changes nothing. */
async function expectRefused(
  body: () => BodyInit,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Promise<void> {
  await upload(tenant, ONE);
  const [before, objects] = [await keysOf(tenant), await objectKeys()];
  const answer = await upload(tenant, body(), { headers });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect([await keysOf(tenant), await objectKeys()]).toEqual([before, objects]);
  expect((await download(tenant)).bytes).toEqual(ONE);
}

/** A bucket that records the calls of multipart uploads. */
function recorded() {
  const calls: string[] = [];
  const recording = bucketWith({
    async createMultipartUpload(key: string) {
      calls.push('begin');
      const real = await bucket.createMultipartUpload(key);
      return {
        uploadPart: (number: number, bytes: Uint8Array) => {
          calls.push(`part ${number}: ${bytes.length}`);
          return real.uploadPart(number, bytes);
        },
        complete: (parts: R2UploadedPart[]) => {
          calls.push('complete');
          return real.complete(parts);
        },
        abort: () => {
          calls.push('abort');
          return real.abort();
        },
      };
    },
    put: (key: string, bytes: Uint8Array) => {
      calls.push(`put: ${bytes.length}`);
      return bucket.put(key, bytes);
    },
  });
  return { calls, recording };
}

describe('a body', () => {
  const sizes = [2, 3, 65_536, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 2 * PART_BYTES, 12_345_678];

  it.each([...sizes, BYTES_MAXIMUM - 1, BYTES_MAXIMUM])(
    'a calibration body of %i bytes is stored and returned, announced and in chunks',
    async (sizeBytes) => {
      const bytes = file(sizeBytes);
      for (const [index, body] of [bytes, chunked(bytes), chunked(bytes, 999_983)].entries()) {
        const path = pathOf(`cam-${index}`);
        const answer = await upload(tenant, body, { path });
        expect([answer.status, answer.body.sizeBytes]).toEqual([201, sizeBytes]);
        const got = await download(tenant, { path });
        expect([got.status, got.headers.get('ETag')]).toEqual([200, tagOf(bytes)]);
        expect(got.headers.get('Content-Length')).toBe(String(sizeBytes));
        expect(Buffer.compare(got.bytes, bytes)).toBe(0);
        await remove(tenant, { path });
      }
    },
  );

  it.each([BYTES_MAXIMUM + 1, BYTES_MAXIMUM + PART_BYTES, 40 * MIB])(
    'a calibration body of %i bytes is 413, announced and in chunks, with any content',
    async (sizeBytes) => {
      const bytes = file(sizeBytes);
      await expectRefused(() => bytes, 413, 'payloadTooLarge');
      await expectRefused(() => chunked(bytes), 413, 'payloadTooLarge');
      await expectRefused(() => chunked(new Uint8Array(sizeBytes).fill(0x7b)), 413, 'payloadTooLarge');
      await expectRefused(() => chunked(new Uint8Array(sizeBytes)), 413, 'payloadTooLarge');
    },
  );

  it.each([
    ...[
      '',
      ' ',
      '{',
      '{"a":1,}',
      '[1] [2]',
      '{"a":\u0000}',
      "{'a':1}",
      'NaN',
      '[01]',
      '\ufeff\ufeff{}',
      '{"a":"\t"}',
    ],
    ...['[1]x', '{"a":1}}', '["\\x"]', '["\\ud80"]'],
  ])('a calibration body that is not JSON (%j) is 400 malformedJson', async (text) => {
    await expectRefused(() => bytesOf(text), 400, 'malformedJson');
    await expectRefused(() => chunked(bytesOf(text), 1), 400, 'malformedJson');
  });

  it('a calibration file with a byte order mark, sent packed, is returned unpacked and byte for byte', async () => {
    const bytes = bytesOf('\ufeff{"a": 1e400}\n');
    const headers = { 'Content-Encoding': 'gzip' };
    const { status, body } = await upload(tenant, gzipSync(bytes), { headers });
    expect([status, body.sizeBytes, body.eTag]).toEqual([201, bytes.length, tagOf(bytes)]);
    const got = await download(tenant);
    expect([got.bytes, got.headers.get('Content-Encoding')]).toEqual([bytes, null]);
  });

  it('a packed calibration file is limited by its unpacked size, and leaves no object', async () => {
    const bomb = gzipSync(new Uint8Array(BYTES_MAXIMUM + 1).fill(0x20));
    await expectRefused(() => bomb, 413, 'payloadTooLarge', { 'Content-Encoding': 'gzip' });
    await expectRefused(() => gzipSync(ONE).subarray(0, -3), 400, 'malformedJson', {
      'Content-Encoding': 'gzip',
    });
    await expectRefused(() => ONE, 415, 'unsupportedMediaType', { 'Content-Encoding': 'br' });
  });

  it.each([[[0xff]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]], [[0xe2, 0x82]], [[0xe9]]])(
    'a calibration body that is not UTF-8 (%j) is 400 malformedJson',
    async (bytes) => {
      const body = Uint8Array.from([0x5b, 0x22, ...bytes, 0x22, 0x5d]);
      await expectRefused(() => body, 400, 'malformedJson');
      await expectRefused(() => chunked(body, 1), 400, 'malformedJson');
    },
  );

  it.each(['null', 'true', '12', '"text"', ' -0.5e1 '])(
    'a calibration body that is a scalar (%s) is 400',
    async (text) => {
      await expectRefused(() => bytesOf(text), 400, 'validationFailed');
    },
  );

  it.each([
    'text/plain',
    'application/octet-stream',
    'application/json; charset=utf-16',
    'application/problem+json',
    'application/jsonp',
    '',
  ])('a calibration body of the type %j is 415', async (type) => {
    await expectRefused(() => ONE, 415, 'unsupportedMediaType', { 'Content-Type': type });
  });

  it.each(['application/json', 'Application/JSON;charset=UTF-8', 'application/json; charset="utf-8"'])(
    'a calibration body of the type %j is accepted and returned as application/json',
    async (type) => {
      expect((await upload(tenant, ONE, { headers: { 'Content-Type': type } })).status).toBe(201);
      expect((await download(tenant)).headers.get('Content-Type')).toBe('application/json');
    },
  );

  it('a calibration body of 64 levels is accepted, and refused if one closes wrongly', async () => {
    const levels = 64;
    const deep = new Uint8Array(2 * levels).fill(0x5b, 0, levels).fill(0x5d, levels);
    expect((await upload(tenant, chunked(deep, 7))).status).toBe(201);
    expect((await download(tenant)).headers.get('ETag')).toBe(tagOf(deep));
    deep[levels + 7] = 0x7d;
    const answer = await upload(tenant, chunked(deep, 7));
    expect([answer.status, answer.body.code]).toEqual([400, 'malformedJson']);
  });

  it('a calibration body of 12 million levels is refused', async () => {
    const levels = 12 * MIB;
    const deep = new Uint8Array(2 * levels).fill(0x5b, 0, levels).fill(0x5d, levels);
    await expectRefused(() => chunked(deep), 400, 'malformedJson');
  });

  it('a calibration body that breaks off leaves nothing', async () => {
    await upload(tenant, ONE);
    const [before, objects] = [await keysOf(tenant), await objectKeys()];
    const { calls, recording } = recorded();
    let sent = 0;
    const broken = new ReadableStream({
      pull(controller) {
        sent += MIB;
        if (sent > 7 * MIB) controller.error(new Error('gone'));
        else controller.enqueue(new Uint8Array(MIB).fill(0x31).fill(sent === MIB ? 0x5b : 0x31, 0, 1));
      },
    });
    const answer = await fetchWith({ CALIBRATION: recording }, 'POST', tenant, broken).catch(() => undefined);
    expect(answer?.status ?? 500).toBeGreaterThanOrEqual(400);
    expect(calls).toEqual(['begin', `part 1: ${PART_BYTES}`, 'abort']);
    expect([await keysOf(tenant), await objectKeys()]).toEqual([before, objects]);
  });
});

describe('an upload holds one part at a time', () => {
  it('an upload puts a small calibration file at once', async () => {
    const { calls, recording } = recorded();
    expect(
      (await fetchWith({ CALIBRATION: recording }, 'POST', tenant, chunked(file(PART_BYTES)))).status,
    ).toBe(201);
    expect(calls).toEqual([`put: ${PART_BYTES}`]);
  });

  it('an upload holds one part of a large file at a time and completes it when all is checked', async () => {
    const { calls, recording } = recorded();
    const bytes = file(2 * PART_BYTES + 1);
    expect((await fetchWith({ CALIBRATION: recording }, 'POST', tenant, chunked(bytes))).status).toBe(201);
    const parts = ['begin', `part 1: ${PART_BYTES}`, `part 2: ${PART_BYTES}`];
    expect(calls).toEqual([...parts, 'part 3: 1', 'complete']);
    bytes[bytes.length - 1] = 0x2c;
    calls.length = 0;
    const refused = await fetchWith(
      { CALIBRATION: recording },
      'POST',
      tenant,
      chunked(bytes),
      pathOf('cam-2'),
    );
    expect(refused.status).toBe(400);
    expect(calls).toEqual([...parts.slice(0, 3), 'abort']);
  });

  it.each([
    [413, 'too large', file(BYTES_MAXIMUM + 1), 4],
    // Once the text is invalid, no further part is sent.
    [400, 'wrong after 9 MiB', file(20 * MIB).fill(0x7d, 9 * MIB, 9 * MIB + 1), 1],
  ])('an upload drops its parts with a %i when the body turns out %s', async (status, _, bytes, parts) => {
    const { calls, recording } = recorded();
    const answer = await fetchWith({ CALIBRATION: recording }, 'POST', tenant, chunked(bytes));
    expect(answer.status).toBe(status);
    const sent = Array.from({ length: parts }, (__, index) => `part ${index + 1}: ${PART_BYTES}`);
    expect(calls).toEqual(['begin', ...sent, 'abort']);
    expect(await keysOf(tenant)).toEqual({ files: [], orphans: [] });
  });
});
