import { gzipSync } from 'node:zlib';
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import { BASE_PATH, endpoint } from '../../../src/core/http/endpoint.ts';
import { handleError } from '../../../src/core/http/problem.ts';
import type { AppEnv } from '../../../src/core/http/types.ts';
import { manifestCreateSchema } from '../../../src/dispatch/load/manifest/schema.ts';
import { signatureCreateSchema } from '../../../src/dispatch/load/shared/signature-schema.ts';
import { shipmentBulkUpsertSchema } from '../../../src/dispatch/load/shipment/schema.ts';
import { scansSchema } from '../../../src/dispatch/loading/schema.ts';
import { casesOf } from './case.ts';

const MIB = 1024 * 1024;
const LARGEST = 5 * MIB;

/** Operations with the largest lists, and the size of their bodies in bytes. */
const OPERATIONS = {
  bulkUpsert: [shipmentBulkUpsertSchema, LARGEST],
  createManifest: [manifestCreateSchema, MIB],
  sign: [signatureCreateSchema, MIB],
  scan: [scansSchema, MIB],
} as const satisfies Record<string, [z.ZodType, number]>;
type OperationName = keyof typeof OPERATIONS;

/** A request: its operation, and its body in JSON. */
interface Input {
  operation: OperationName;
  body: Uint8Array<ArrayBuffer>;
  isPacked?: true;
  /** The status of the answer; 400 by default. */
  status?: number;
}

const app = new OpenAPIHono<AppEnv>();
for (const [name, [body, bodyBytesMaximum]] of Object.entries(OPERATIONS)) {
  endpoint(app, {
    method: 'post',
    path: `${BASE_PATH}/${name}`,
    operationId: name,
    tag: '',
    summary: '',
    access: { security: [], errors: [], check: () => undefined },
    body,
    bodyBytesMaximum,
    responses: {},
    handler: (c) => c.json({}),
  });
}
app.onError((error, c) => handleError(error, c as never));

const of =
  (operation: OperationName) =>
  (text: string): Input => ({ operation, body: Buffer.from(text) });
const [bulk, create, sign, scan] = [of('bulkUpsert'), of('createManifest'), of('sign'), of('scan')];
const packed = (input: Input): Input => ({
  ...input,
  body: Buffer.from(gzipSync(input.body)),
  isPacked: true,
});

/** A text of a size in bytes: as many parts as fit, between a beginning and an end. */
function filled(
  bytes: number,
  begin: string,
  part: string | ((index: number) => string),
  end: string,
): string {
  const parts: string[] = [];
  let left = bytes - Buffer.byteLength(begin) - Buffer.byteLength(end);
  for (let index = 0; ; index += 1) {
    const next = typeof part === 'string' ? part : part(index);
    left -= Buffer.byteLength(next) + 1;
    if (left < 0) return `${begin}${parts.join(',')}${end}`;
    parts.push(next);
  }
}
const items = (part: string | ((index: number) => string), bytes = LARGEST): string =>
  filled(bytes, '{"items":[', part, ']}');
const nested = (open: string, close: string, levels = 110_000): string =>
  `{"externalIdentifier":"x","x":${open.repeat(levels)}1${close.repeat(levels)}}`;
const TOWER = `${'['.repeat(62)}${']'.repeat(62)}`;
const count = (index: number): string => index.toString(36);
const arrayOf = (length: number, item: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => item(index)).join()}]`;

/** Items with 50 fields each, as many as the limit of values allows. */
const withFields = (
  item: (index: number) => string,
  field: (item: number, index: number) => string,
): string => {
  const whole = (at: number) =>
    `{"shipmentExternalId":${item(at)},"customFields":${arrayOf(50, (index) => field(at, index))}}`;
  return `{"items":${arrayOf(2_200, whole)}}`;
};
/** The valid body that needs the most work. */
const densest = (): Input => {
  const field = (at: number, index: number) => `{"fieldKey":"${index}","fieldValue":"${at}"}`;
  return { ...bulk(withFields((at) => `"${at}"`, field)), status: 200 };
};

export default casesOf<Input>({
  reader: 'json-body',
  needed: {
    levels: 'objects in objects',
    values: 'many values at 64 levels',
    names: 'different names in one object',
  },
  inputs: {
    // The largest inputs come first, so that a limit that is missing is found soon.
    'arrays in arrays': () => create(nested('[1e400,[', ']]', 55_000)),
    'different names in one object': () => bulk(filled(LARGEST, '{', (index) => `"${count(index)}":0`, '}')),
    'different texts': () => bulk(items((index) => `"${count(index)}"`)),
    'different names in many objects': () => bulk(items((index) => `{"${count(index)}":{}}`)),
    'different texts of two-byte characters': () => bulk(items((index) => `"€${count(index)}"`)),
    'different texts, as many as the limit': () => bulk(items((index) => `"${count(index)}"`, 2_200_000)),
    'arrays in arrays, packed': () => packed(create(nested('[1e400,', ']'))),
    'objects in objects': () => create(nested(String.raw`{"\ud800":`, '}', 90_000)),
    'objects in arrays': () => create(nested('[{"a":', '}]', 100_000)),
    'open arrays': () => bulk('['.repeat(LARGEST)),
    'many values at 64 levels': () => bulk(items(TOWER)),
    'many values at 64 levels, as many as the limit': () => bulk(items(TOWER, 330_000 * 2)),
    'many faults at 64 levels': () => bulk(items(TOWER.replace('[]', String.raw`[1e400,"\u0000"]`))),
    'empty objects': () => bulk(items('{}')),
    'empty objects, packed': () => packed(bulk(items('{}'))),
    'empty objects, as many as the limit': () => bulk(items('{}', 169_000 * 3)),
    'empty objects in 1 MiB': () => create(filled(MIB, '{"x":[', '{}', ']}')),
    'infinite numbers': () => bulk(items('1e400')),
    'infinite numbers in 1 MiB': () => create(filled(MIB, '{"x":[', '1e400', ']}')),
    'lone surrogates': () => create(filled(MIB, '{"x":[', String.raw`"\ud800"`, ']}')),
    'unknown fields': () => create(filled(MIB, '{', (index) => `"${count(index % 990)}":0`, '}')),
    'too many items': () => bulk(items('1')),
    'too many items, as many as the limit': () => bulk(items('1', 339_000 * 2)),
    'the densest valid body': () => densest(),
    'the densest valid body, packed': () => packed(densest()),
    'a fault in each field': () =>
      bulk(
        withFields(
          () => '1',
          () => '{"fieldKey":"","fieldValue":0.50}',
        ),
      ),
    'a fault in each item': () => bulk(items('{}', 9_999 * 3)),
    'too many fields in one item': () =>
      bulk(filled(LARGEST, '{"items":[{"customFields":[', '{"fieldKey":"","fieldValue":1}', ']}]}')),
    'a long text': () => bulk(`{"items":[{"shipmentExternalId":"${'x'.repeat(LARGEST - 50)}"}]}`),
    'long texts of blanks': () =>
      sign(`{"name":"${' '.repeat(MIB / 2)}","signDate":"${' '.repeat(MIB / 2 - 100)}"}`),
    'the same asset many times': () => create(`{"assets":${arrayOf(5_000, () => '"x"')}}`),
    'too many assets': () => create(filled(MIB, '{"assets":[', '""', ']}')),
    'too many strokes': () => sign(filled(MIB, '{"strokes":[', '[[1]]', ']}')),
    'too many points': () => sign(filled(MIB, '{"strokes":[[', '[1,1]', ']]}')),
    'wrong points': () => sign(`{"strokes":${arrayOf(100, () => arrayOf(2_000, () => '[]'))}}`),
    'wrong scans': () =>
      scan(`{"scans":${arrayOf(100, () => `{"scanDate":"${'1'.repeat(10_000)}","x":1e400}`)}}`),
    'numbers that are repeated in refusals': () =>
      create(`{"assets":${arrayOf(4_900, () => `{"x":[${arrayOf(18, () => '0.10')}]}`)}}`),
    'a fault after many lines': () => bulk(`${'\n'.repeat(LARGEST - 1)}x`),
    'a fault at the end of a long line': () => bulk(`"${'é'.repeat(LARGEST / 2 - 2)}"x`),
  },
  async read({ operation, body, isPacked, status = 400 }) {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    const answer = await app.request(`${BASE_PATH}/${operation}`, {
      method: 'POST',
      body,
      headers: isPacked ? { ...headers, 'Content-Encoding': 'gzip' } : headers,
    });
    if (answer.status !== status) throw new Error(`The status is ${answer.status}.`);
    return answer.text();
  },
});
