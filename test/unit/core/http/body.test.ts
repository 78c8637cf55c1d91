import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bodyParts, readJson } from '../../../../src/core/http/body.ts';
import type { AppContext } from '../../../../src/core/http/types.ts';
import { ProblemError } from '../../../../src/core/lib/problem.ts';

const JSON_TYPE: Record<string, string> = { 'Content-Type': 'application/json' };
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' };

const requestWith = (body: ReadableStream<Uint8Array>, headers: Record<string, string>): AppContext =>
  ({
    req: { raw: { body }, header: (name: string) => headers[name] },
    get: () => undefined,
    set: () => undefined,
  }) as unknown as AppContext;

const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: ProblemError) => error.refusal,
  );

/** A request whose sender disconnects after these bytes. */
function brokenOff(bytes: Uint8Array, headers = JSON_TYPE): AppContext {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) controller.error(new Error('Network connection lost.'));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
  return requestWith(body, headers);
}

it("a request body that breaks off is the sender's fault, not a defect", async () => {
  const reading = readJson(brokenOff(new TextEncoder().encode('{"externalId')));
  const failed = await reading.catch((error: ProblemError) => error);
  expect(failed).toBeInstanceOf(ProblemError);
  expect((failed as ProblemError).refusal).toMatchObject({
    code: 'malformedJson',
    detail: 'The body is incomplete.',
  });
});

it('a body of another media type is refused, and an empty body has no media type', async () => {
  const whole = (text: string) => new Blob(text === '' ? [] : [text]).stream() as ReadableStream<Uint8Array>;
  const plain = { 'Content-Type': 'text/plain' };
  expect(await refusalOf(readJson(requestWith(whole('{}'), plain)))).toMatchObject({
    code: 'unsupportedMediaType',
    detail: 'Content-Type "text/plain" is not supported. Send application/json in UTF-8.',
  });
  expect(await refusalOf(readJson(requestWith(whole('{}'), {})))).toMatchObject({
    detail: 'The request has no Content-Type. Send application/json in UTF-8.',
  });
  const packed = { ...JSON_TYPE, 'Content-Encoding': 'br' };
  expect(await refusalOf(readJson(requestWith(whole('{}'), packed)))).toMatchObject({
    code: 'unsupportedMediaType',
    detail: 'Content-Encoding "br" is not supported. Send the body as it is, or with Content-Encoding: gzip.',
  });
  const empty = readJson(requestWith(whole(''), {}), { bodyOptional: true });
  expect((await empty).json).toBeUndefined();
});

it.each([
  ["{'a': 1}", 'The body is not well-formed JSON. "\'" is not allowed at line 1, column 2.'],
  ['\ufeff{"a": NaN}', 'The body is not well-formed JSON. "N" is not allowed at line 1, column 7.'],
  ['{\n  "é\u{1f4e6}": 1,\r\n}', 'The body is not well-formed JSON. "}" is not allowed at line 3, column 1.'],
  ['{"a": \u201c1\u201d}', 'The body is not well-formed JSON. "\u201c" is not allowed at line 1, column 7.'],
  ['{"a": "\u0000"}', 'The body is not well-formed JSON. "\\u0000" is not allowed at line 1, column 8.'],
  ['{"a": [1', 'The body is not well-formed JSON. It ends too early, at line 1, column 9.'],
])('the refusal of the body %j names the place of the fault', async (text, detail) => {
  const body = new Blob([text]).stream() as ReadableStream<Uint8Array>;
  expect(await refusalOf(readJson(requestWith(body, JSON_TYPE)))).toMatchObject({ detail });
});

it('the refusal of a body in another encoding than UTF-8 names the encoding', async () => {
  const body = new Blob([new Uint8Array([0x22, 0xe9, 0x22])]).stream() as ReadableStream<Uint8Array>;
  expect(await refusalOf(readJson(requestWith(body, JSON_TYPE)))).toMatchObject({
    detail: 'The body is not in UTF-8. Send JSON in UTF-8.',
  });
});

it('a gzip body that breaks off is refused, and does not wait for the rest', async () => {
  const packed = gzipSync('{"externalIdentifier":"M"}');
  const refused = await refusalOf(readJson(brokenOff(packed.subarray(0, 15), GZIP)));
  expect(refused).toMatchObject({ code: 'malformedJson' });
});

it('a gzip bomb is refused while it arrives, before it is unpacked', async () => {
  let unread = 60;
  const part = gzipSync(Buffer.alloc(1024 * 1024));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      unread -= 1;
      if (unread < 0) controller.close();
      else controller.enqueue(part);
    },
  });
  let unpackedBytes = 0;
  const reading = (async () => {
    for await (const unpacked of bodyParts(requestWith(body, GZIP), 3 * 1024 * 1024)) {
      unpackedBytes += unpacked.length;
    }
  })();
  expect(await refusalOf(reading)).toMatchObject({ code: 'payloadTooLarge' });
  expect(unpackedBytes).toBeLessThanOrEqual(3 * 1024 * 1024);
  // The rest was read and discarded, so that the sender can read the answer.
  expect(unread).toBeLessThan(0);
});

it('a gzip body may be a little larger than its limit, because some data cannot be packed', async () => {
  const text = JSON.stringify(randomBytes(12_000).toString('base64'));
  const packed = gzipSync(text, { level: 0 });
  expect(packed.length).toBeGreaterThan(text.length);
  const body = new Response(packed).body as ReadableStream<Uint8Array>;
  const { json } = await readJson(requestWith(body, GZIP), { bodyBytesMaximum: text.length });
  expect(json).toBe(JSON.parse(text));
});

it('a gzip body of empty members has a limit, too', async () => {
  const member = gzipSync('');
  const body = new Response(Buffer.concat(Array.from({ length: 1_000 }, () => member))).body!;
  const request = requestWith(body as ReadableStream<Uint8Array>, GZIP);
  expect(await refusalOf(readJson(request, { bodyBytesMaximum: 100 }))).toMatchObject({
    code: 'payloadTooLarge',
  });
});
