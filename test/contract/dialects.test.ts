import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { document, type Operation, operations, takesFile } from './document.ts';
import { fieldsOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults, refusals } from './problem.ts';
import { type Change, send } from './request.ts';
import { restoredWorld } from './restored-world.ts';
import { resolved, type Schema, typesOf } from './schema.ts';
import { storedState } from './state.ts';
import type { World } from './world.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const MEBIBYTE = 1024 * 1024;
const ofApi = operations.filter(({ path }) => /^\/(integration|device|operator)\//.test(path));
const isImport = ({ operationId }: Operation): boolean => operationId === 'importOrganization';
const withBody = ofApi.filter((operated) => operated.body !== undefined || isImport(operated));
const withJson = withBody.filter((operated) => !isImport(operated));
const withoutBody = ofApi.filter(({ bodyTypes, method }) => bodyTypes.length === 0 && method !== 'GET');

/** The body of an example as text, and its media type. */
function sentAs(operated: Operation, { names }: World): { text: string; type: string } {
  const { json, raw, type = 'application/json' } = exampleOf(operated, names);
  return { text: raw === undefined ? JSON.stringify(json ?? {}) : String(raw), type };
}

/** Send the example of an operation in another way, in a new world. It must have its usual effect. */
async function expectTaken(operated: Operation, change: (world: World) => Change): Promise<void> {
  const world = await restoredWorld();
  const answer = await send(operated, world, change(world));
  const { status } = exampleOf(operated, world.names);
  expect([answer.status, answer.status === status ? '' : answer.body]).toEqual([status, '']);
}

describe('a body in a dialect', () => {
  it.each(withBody)('$operationId takes a gzip body with a byte order mark', (operated) =>
    expectTaken(operated, (world) => {
      const { text, type } = sentAs(operated, world);
      const headers = { 'Content-Type': `${type};charset="UTF_8"`, 'Content-Encoding': 'X-Gzip' };
      return { raw: gzipSync(`\ufeff${text}`), headers };
    }),
  );

  it.each([
    'application/json;charset=utf8',
    'Application/JSON; Charset=UTF-8',
    'application/json; charset = "utf-8"',
    "application/json; charset='Utf8'",
    'application/json; odata=verbose; charset=utf_8',
    'application/json; odata.metadata=minimal; IEEE754Compatible=true',
    'application/json;',
  ])('every operation takes a body of the type %s', async (type) => {
    const world = await restoredWorld();
    // A fault in the body shows that its type was accepted, and changes nothing.
    const change = () => ({ raw: '{', headers: { 'Content-Type': type } });
    expect(await refusals(withJson, world, change, 400, 'malformedJson')).toEqual([]);
  });

  it.each([
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=ascii',
    'application/json; charset=',
    'application/json; charset=utf-80',
    'application/json; charset',
  ])('every operation refuses a body of the type %s', async (type) => {
    const world = await restoredWorld();
    const change: (operated: Operation) => Change = (operated) => ({
      raw: sentAs(operated, world).text,
      headers: { 'Content-Type': type },
    });
    expect(await refusals(withBody, world, change, 415, 'unsupportedMediaType')).toEqual([]);
  });

  it.each(['br', 'deflate', 'zstd', 'compress', 'gzip, gzip', 'br, gzip', 'gzipped', '*'])(
    'every operation refuses a body in the encoding %s',
    async (coding) => {
      const world = await restoredWorld();
      const before = await storedState(world.tenant);
      const change: (operated: Operation) => Change = (operated) => {
        const { text, type } = sentAs(operated, world);
        return { raw: gzipSync(text), headers: { 'Content-Type': type, 'Content-Encoding': coding } };
      };
      expect(await refusals(withBody, world, change, 415, 'unsupportedMediaType')).toEqual([]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it('every operation refuses a gzip body that is broken, cut or no gzip', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const packed = gzipSync('{"name":"a text that is long enough to be cut"}');
    const damaged = Uint8Array.from(packed);
    damaged[packed.length - 6]! ^= 1;
    for (const raw of ['{}', packed.subarray(0, 20), packed.subarray(0, -1), damaged]) {
      const change = () => ({ raw, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } });
      expect(await refusals(withJson, world, change, 400, 'malformedJson')).toEqual([]);
    }
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it('every operation refuses a gzip body that unpacks to more than its limit', async () => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const bomb = gzipSync(new Uint8Array(64 * MEBIBYTE));
    expect(bomb.length).toBeLessThan(MEBIBYTE);
    const change = () => ({ raw: bomb, headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' } });
    expect(await refusals(withJson, world, change, 413, 'payloadTooLarge')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });
});

describe('an operation without a body', () => {
  it.each([
    ['an object', '{"force":true}', JSON_TYPE],
    ['malformed JSON', '{', JSON_TYPE],
    ['a list', '[]', JSON_TYPE],
    ['an empty text', '""', JSON_TYPE],
    ['a form', 'force=true', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a hidden key', '{"__proto__":{}}', JSON_TYPE],
    ['gzip', gzipSync('{"force":true}'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ['an unknown encoding', '{}', { ...JSON_TYPE, 'Content-Encoding': 'br' }],
    ['2 MiB', 'x'.repeat(2 * MEBIBYTE), JSON_TYPE],
  ] as const)('every operation without a body refuses %s', async (_, raw, headers) => {
    const world = await restoredWorld();
    const before = await storedState(world.tenant);
    const change = () => ({ raw, headers });
    expect(await refusals(withoutBody, world, change, 400, 'bodyNotAllowed')).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });

  it.each(withoutBody)('$operationId takes an empty body, null and {}', async (operated) => {
    for (const raw of ['', ' \n', 'null', '{}', '\ufeff{ }', gzipSync('{}')]) {
      const headers = { ...JSON_TYPE, ...(typeof raw === 'string' ? {} : { 'Content-Encoding': 'gzip' }) };
      await expectTaken(operated, () => ({ raw, headers }));
    }
  });
});

describe('X-HTTP-Method-Override', () => {
  const replacing = ofApi.filter(({ method }) => ['PUT', 'PATCH', 'DELETE'].includes(method));

  it.each(replacing)('a POST with the method in a header is $operationId', (operated) =>
    expectTaken(operated, () => ({
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': operated.method.toLowerCase() },
    })),
  );

  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PATCH, PUT', 'x'])(
    'a POST that names the method %s is refused and changes nothing',
    async (method) => {
      const world = await restoredWorld();
      const before = await storedState(world.tenant);
      const change = () => ({ method: 'POST', headers: { 'X-HTTP-Method-Override': method } });
      const found = await refusals(replacing, world, change, 400, 'validationFailed');
      expect(found).toEqual([]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  it('a method that the path does not have gets 405, and other methods ignore the header', async () => {
    const world = await restoredWorld();
    const create = operations.find(({ operationId }) => operationId === 'createManifest')!;
    const get = operations.find(({ operationId }) => operationId === 'getManifest')!;
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    expect(problemFaults(await send(create, world, { headers }), 405, 'methodNotAllowed')).toEqual([]);
    expect((await send(get, world, { headers })).status).toBe(200);
    expect((await send(create, world, { headers: { 'X-HTTP-Method-Override': 'post' } })).status).toBe(201);
  });

  it('an Idempotency-Key belongs to the method that the header names', async () => {
    const world = await restoredWorld();
    const remove = operations.find(({ operationId }) => operationId === 'deleteManifest')!;
    const key = { 'Idempotency-Key': 'one' };
    const first = await send(remove, world, {
      method: 'POST',
      headers: { ...key, 'X-HTTP-Method-Override': 'DELETE' },
    });
    const repeat = await send(remove, world, { headers: key });
    expect([first.status, repeat.status, repeat.headers.get('Idempotent-Replayed')]).toEqual([
      first.status,
      first.status,
      'true',
    ]);
  });
});

describe('null', () => {
  const strict = withJson.filter((operated) => !takesFile(operated));

  it.each(strict)('$operationId documents null for each optional field of its body', ({ body }) => {
    expect(notNullable(body!)).toEqual([]);
  });

  it.each(strict)(
    'null means the same to $operationId as leaving out an optional field',
    async (operated) => {
      const required = resolved(document, operated.body!).required ?? [];
      const tried = async (edit: (json: unknown) => unknown) => {
        const world = await restoredWorld();
        const { json } = exampleOf(operated, world.names);
        const { status, body } = await send(operated, world, { json: edit(json) });
        return { json, answer: [status, body?.code] };
      };
      /** The example as it is leaves out all fields that it does not have. */
      let plain: Awaited<ReturnType<typeof tried>> | undefined;
      const found: unknown[] = [];
      for (const { name, set, at } of fieldsOf(operated)) {
        if (!/^\w+$/.test(name) || required.includes(name)) continue;
        const { json, answer: empty } = await tried((example) => set(example, null));
        const isLeftOut = at(json) === undefined;
        if (isLeftOut) plain ??= await tried((example) => example);
        const { answer: absent } =
          isLeftOut && plain ? plain : await tried((example) => set(example, undefined));
        if (String(absent) !== String(empty)) found.push([name, absent, empty]);
      }
      expect(found).toEqual([]);
    },
  );
});

/** The optional fields of a body that do not document null, also in its lists and objects. */
function notNullable(given: Schema, name = ''): string[] {
  const { properties = {}, required = [], items } = resolved(document, given);
  const fields = Object.entries(properties).filter(([, field]) => !resolved(document, field).readOnly);
  return [
    ...fields.flatMap(([key, field]) => [
      ...(required.includes(key) || typesOf(resolved(document, field)).includes('null')
        ? []
        : [`${name}.${key}`]),
      ...notNullable(field, `${name}.${key}`),
    ]),
    ...(items ? notNullable(items, `${name}[]`) : []),
  ];
}
