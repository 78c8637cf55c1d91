import { describe, expect, it } from 'vitest';
import { document, type Operation, operations, takesFile } from './document.ts';
import { badValues, fieldsOf, queryOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { type Change, send, undocumented } from './request.ts';
import { resolved, type Schema, typesOf } from './schema.ts';
import { storedState } from './state.ts';
import { newWorld } from './world.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const withBody = operations.filter((operated) => operated.body !== undefined && !takesFile(operated));
const withQuery = operations.filter((operated) => queryOf(operated).length > 0);
const withNames = operations.filter(({ path }) => path.includes('{'));

interface Case {
  /** The field that the error must name. */
  field: string;
  what: string;
  change: Change;
}
/** No request of this file may change it, so one world is enough. */
const world = await newWorld();

/** Send bad requests one after the other. Each must get a 400 that names its field, and nothing may change. */
async function expectRefused(operated: Operation, casesOf: (names: Names) => Case[]): Promise<void> {
  const before = await storedState(world.tenant);
  const found: string[] = [];
  const cases = casesOf(world.names);
  expect(cases.length).toBeGreaterThan(0);
  for (const { field, what, change } of cases) {
    const answer = await send(operated, world, change);
    const code = ['validationFailed', 'unknownStatus', 'manifestsEmpty'].includes(answer.body?.code)
      ? answer.body.code
      : 'validationFailed';
    const faults = [...problemFaults(answer, 400, code), ...undocumented(operated, answer)];
    const fields: string[] = (answer.body?.errors ?? []).map((item: { field: string }) => item.field);
    if (answer.status === 400 && !fields.some((name) => name.startsWith(field.replace(/\[0\].*/, '')))) {
      faults.push(`names ${fields} instead`);
    }
    found.push(...faults.map((fault) => `${field} ${what}: ${fault.slice(0, 300)}`));
  }
  expect(found).toEqual([]);
  expect(await storedState(world.tenant)).toEqual(before);
}

type Names = Parameters<typeof exampleOf>[1];

describe('a field of a body', () => {
  const WRONG: [string, unknown][] = [
    ['string', 'text'],
    ['integer', 7],
    ['number', 1.5],
    ['boolean', true],
    ['object', {}],
    ['array', []],
    ['null', null],
  ];

  it.each(withBody)('$operationId refuses a body field of another type', async (operated) => {
    await expectRefused(operated, (names) => {
      const { json } = exampleOf(operated, names);
      return fieldsOf(operated).flatMap(({ name, types, set }) =>
        WRONG.filter(
          ([type]) => !types.includes(type) && !(type === 'integer' && types.includes('number')),
        ).map(([type, value]) => ({ field: name, what: type, change: { json: set(json, value) } })),
      );
    });
  });

  it.each(withBody)('$operationId refuses a body field outside its documented range', async (operated) => {
    const ranged = fieldsOf(operated).filter(
      ({ schema, types }) => types.includes('integer') || bounds(schema) || schema.enum,
    );
    if (ranged.length === 0) return;
    await expectRefused(operated, (names) => {
      const { json } = exampleOf(operated, names);
      const cases = (
        name: string,
        values: unknown[],
        set: (json: unknown, value: unknown) => unknown,
      ): Case[] =>
        values.map((value) => ({
          field: name,
          what: JSON.stringify(value).slice(0, 50),
          change: { json: set(json, value) },
        }));
      return ranged.flatMap(({ name, schema, types, set }) => {
        if (schema.enum)
          return cases(name, ['', 'NOPE', String(schema.enum[0]).toLowerCase(), `${schema.enum[0]} `], set);
        if (types.includes('integer')) {
          const { minimum, maximum } = schema;
          const beyond = [...(minimum ? [minimum - 1] : []), ...(maximum === undefined ? [] : [maximum + 1])];
          return cases(name, [1.5, -1, 1e300, '1', ...beyond], set);
        }
        if (schema.maxItems !== undefined) {
          return cases(
            name,
            [Array.from({ length: schema.maxItems + 1 }, (_, index) => itemOf(json, name, index))],
            set,
          );
        }
        const { minLength = 0, maxLength } = schema;
        return cases(
          name,
          ['é'.repeat(maxLength! + 1), ...(minLength > 0 ? ['x'.repeat(minLength - 1)] : [])],
          set,
        );
      });
    });
  });

  it.each(withBody)('$operationId refuses a body field with NUL or a lone surrogate', async (operated) => {
    const texts = fieldsOf(operated).filter(({ types, schema }) => types.includes('string') && !schema.enum);
    if (texts.length === 0) return;
    await expectRefused(operated, (names) =>
      texts.flatMap(({ name, set }) =>
        ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00', 'a\\ud800b', '\\udc00\\ud800'].map((escaped) => {
          const raw = JSON.stringify(set(exampleOf(operated, names).json, 'HERE')).replace(
            'HERE',
            () => escaped,
          );
          return { field: name, what: escaped, change: { raw, headers: JSON_TYPE } };
        }),
      ),
    );
  });

  it.each(withBody)('$operationId refuses a body without a required field', async (operated) => {
    const { required = [] } = operated.body ? resolvedBody(operated) : {};
    if (required.length === 0) return;
    await expectRefused(operated, (names) =>
      required.map((name) => {
        const { [name]: _, ...json } = exampleOf(operated, names).json as Record<string, unknown>;
        return { field: name, what: 'missing', change: { json } };
      }),
    );
  });
});

describe('a query parameter', () => {
  it.each(withQuery)('$operationId refuses an invalid query parameter', async (operated) => {
    await expectRefused(operated, () =>
      queryOf(operated).flatMap(({ name, schema }) =>
        badValues(name, schema).map((value) => ({
          field: name,
          what: value,
          change: { query: { [name]: value } },
        })),
      ),
    );
  });

  it.each(withQuery)(
    '$operationId refuses a single-valued query parameter that is sent twice',
    async (operated) => {
      await expectRefused(operated, (names) => {
        const single = queryOf(operated).filter(({ schema }) => !typesOf(schema).includes('array'));
        const path = operated.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(exampleOf(operated, names).params![name]!),
        );
        return single.map(({ name, schema }) => {
          const value = schema.enum?.[0] ?? (typesOf(schema).includes('integer') ? 1 : 'a');
          return { field: name, what: 'twice', change: { at: `${path}?${name}=${value}&${name}=${value}` } };
        });
      });
    },
  );
});

describe('a name in a path', () => {
  const BAD = ['\u0000', 'a\u0000b', 'x'.repeat(256), '\u{1f4e6}'.repeat(256)];

  it.each(withNames)(
    '$operationId refuses an impossible name in the path and changes nothing',
    async (operated) => {
      const before = await storedState(world.tenant);
      const { params = {} } = exampleOf(operated, world.names);
      const found: string[] = [];
      for (const name of Object.keys(params)) {
        for (const value of BAD) {
          const answer = await send(operated, world, { params: { ...params, [name]: value } });
          const status = answer.status === 404 ? 404 : 400;
          // For pages, the answer is an HTML page, not a problem.
          const isPage =
            answer.status === 404 && /^text\/html/.test(answer.headers.get('Content-Type') ?? '');
          const faults = [
            ...(isPage ? [] : problemFaults(answer, status, answer.body?.code)),
            ...undocumented(operated, answer),
          ];
          const shown = JSON.stringify(value).slice(0, 20).toWellFormed();
          found.push(...faults.map((fault) => `${name} ${shown}: ${fault.slice(0, 300)}`));
        }
      }
      expect(found).toEqual([]);
      expect(await storedState(world.tenant)).toEqual(before);
    },
  );

  const UUID_NAME = /^uuid$|Uuid$|^operationId$/;
  const withUuids = withNames.filter(({ path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => UUID_NAME.test(name!)),
  );

  it.each(withUuids)('$operationId answers 404 for an unknown uuid in the path', async (operated) => {
    const before = await storedState(world.tenant);
    const { params = {} } = exampleOf(operated, world.names);
    const found: string[] = [];
    // The second one has no variant of RFC 9562. People often try such uuids.
    for (const value of [
      '01890a5d-ac96-774b-bcce-b302099a8057',
      '11111111-1111-1111-1111-111111111111',
      'not-a-uuid',
    ]) {
      for (const name of Object.keys(params).filter((key) => UUID_NAME.test(key))) {
        const answer = await send(operated, world, { params: { ...params, [name]: value } });
        const faults = [...problemFaults(answer, 404, answer.body?.code), ...undocumented(operated, answer)];
        found.push(...faults.map((fault) => `${name} ${value}: ${fault.slice(0, 300)}`));
      }
    }
    expect(found).toEqual([]);
    expect(await storedState(world.tenant)).toEqual(before);
  });
});

const resolvedBody = ({ body }: Operation) => resolved(document, body!);

const bounds = ({ maxLength, maxItems }: Schema): boolean =>
  maxLength !== undefined || maxItems !== undefined;

/** Another item for a list of the example. Its index makes it different. */
function itemOf(json: unknown, name: string, index: number): unknown {
  const item = (json as Record<string, unknown[]>)[name]?.[0];
  if (typeof item === 'string') return item.length > 5 ? item : `${item}${index}`;
  return item && 'fieldKey' in (item as object) ? { ...(item as object), fieldKey: `k${index}` } : item;
}
