import { describe, expect, it } from 'vitest';
import { document, isOperator, type Operation, operations } from './document.ts';
import { type Parameter, queryOf } from './fields.ts';
import { exampleOf } from './operations.ts';
import { problemFaults } from './problem.ts';
import { pathOf, send, undocumented } from './request.ts';
import { resolved, typesOf } from './schema.ts';
import { newWorld } from './world.ts';

const isApi = ({ path }: Operation) => /^\/(integration|operator|device)\/rest\//.test(path);
const ofApi = operations.filter(isApi);
const lists = ofApi.filter((operated) => queryOf(operated).length > 0 && operated.method === 'GET');
/** Requests of this file only read it or are refused, so one world is enough. */
const world = await newWorld();

const pathFor = (operated: Operation): string =>
  pathOf(operated, exampleOf(operated, world.names)).split('?')[0]!;

/** The query of the example, if the operation requires one. */
const requiredOf = (operated: Operation): string =>
  document.paths[operated.path][operated.method.toLowerCase()].parameters?.some(
    (parameter: Parameter & { in: string; required?: boolean }) =>
      parameter.in === 'query' && parameter.required,
  )
    ? `&${new URLSearchParams(exampleOf(operated, world.names).query)}`
    : '';

/** Send a request with exactly this query, and the parameters that the operation requires. */
const ask = (operated: Operation, query: string) =>
  send(operated, world, { at: `${pathFor(operated)}?${query}${requiredOf(operated)}` });

describe('a query parameter that an operation does not know', () => {
  it.each(ofApi)(
    '$operationId refuses an unknown query parameter with unknownParameter and names the known ones',
    async (operated) => {
      const known = queryOf(operated)
        .map(({ name }) => name)
        .sort();
      for (const name of ['surprise', 'pagenumber', 'q ', '__proto__', 'constructor', 'a\u0000', '%ff', '']) {
        const answer = await ask(operated, `${name.startsWith('%') ? name : encodeURIComponent(name)}=1`);
        expect([name, problemFaults(answer, 400, 'unknownParameter')]).toEqual([name, []]);
        expect(undocumented(operated, answer)).toEqual([]);
        const { allowedValues, errors } = answer.body;
        expect([name, [...allowedValues].sort(), errors.length]).toEqual([name, known, 1]);
      }
      const several = await ask(operated, 'surprise=1&surprise=2&another');
      expect([several.status, several.body.code, [...several.body.allowedValues].sort()]).toEqual([
        400,
        'unknownParameter',
        known,
      ]);
      expect(several.body.errors.map(({ field }: { field: string }) => field)).toEqual([
        'surprise',
        'another',
      ]);
    },
  );

  it.each(operations.filter((operated) => !isApi(operated)))(
    '$operationId, which people open in a browser, ignores an unknown query parameter',
    async (operated) => {
      const { status } = await ask(operated, 'utm_source=mail');
      expect(status).toBe(200);
    },
  );

  it('a refusal names an unknown query parameter beside all other faults', async () => {
    const operated = ofApi.find(({ operationId }) => operationId === 'listTracks')!;
    const { body } = await ask(operated, 'surprise=1&pageSize=0&trackStatus=NOPE');
    expect([body.code, body.errors.map(({ field }: { field: string }) => field).sort()]).toEqual([
      'validationFailed',
      ['pageSize', 'surprise', 'trackStatus[0]'],
    ]);
  });
});

describe('a query', () => {
  it.each(lists)('$operationId refuses a query that is not UTF-8 where it takes text', async (operated) => {
    const texts = queryOf(operated).filter(({ schema }) => typesOf(schema)[0] !== 'integer');
    for (const { name } of texts) {
      for (const bytes of ['%ff', 'a%c3', '%ed%a0%80', '%c0%80', '%f5%80%80%80', 'key:%ff']) {
        const answer = await ask(operated, `${name}=${bytes}`);
        expect([name, bytes, answer.status]).toEqual([name, bytes, 400]);
        expect(answer.body.errors[0].field.startsWith(name)).toBe(true);
      }
    }
  });

  it('the service reads a lone percent sign in a query as a percent sign', async () => {
    const operated = ofApi.find(({ operationId }) => operationId === 'listManifests')!;
    const { status, body } = await ask(operated, 'q=%25é');
    expect([status, body.totalElements > 0]).toEqual([200, true]);
    expect((await ask(operated, 'q=%')).body.totalElements).toBe(body.totalElements);
  });
});

const VALUES = 100;

/** The maximum number of valid values of maximum length for a parameter. */
function most({ name, schema }: Parameter): string[] {
  const options = (schema.items ?? schema).enum as string[] | undefined;
  const many = (make: (index: number) => string) => Array.from({ length: VALUES }, (_, index) => make(index));
  if (typesOf(schema).includes('array')) {
    if (options) return many((index) => options[index % options.length]!);
    if (/Uuid$/.test(name)) return many(() => crypto.randomUUID());
    if (name === 'customField') return many((index) => `${'k'.repeat(90)}${index}:${'é,'.repeat(490)}`);
    if (schema.items?.format === 'uri') return many((index) => `urn:x:${index},${'x'.repeat(90)}`);
    if (name === 'hardwareId') return many((index) => `${index}:${'x'.repeat(120)}`);
    return many((index) => `${index},${'x'.repeat(90)}`);
  }
  if (options) return [options.at(-1)!];
  if (schema.type === 'boolean') return ['TRUE'];
  if (typesOf(schema).includes('integer')) return [String(schema.maximum ?? 1)];
  if (/(Date(After|Before)|Time)$/.test(name)) return ['9223372036854775807'];
  if (/Uuid$/.test(name)) return [crypto.randomUUID()];
  return [name === 'q' ? '\u{1f4e6}'.repeat(255) : 'x'.repeat(schema.maxLength ?? 100)];
}

describe('the largest filter', () => {
  it.each(lists)(
    '$operationId takes every filter with its maximum number of values, alone and together',
    async (operated) => {
      const asked = queryOf(operated).filter(
        ({ name }) => !['cursor', 'after', 'afterPallet', 'nextPageToken'].includes(name),
      );
      // The first and last code of a sheet must be a range of the batch, so they are left out.
      // A report has required days, not filters.
      const isList = !operated.path.includes('/sheet.') && operated.operationId !== 'getReport';
      const filters = isList ? asked : [];
      const texts = filters.map((filter) =>
        most(filter)
          .map((value) => `${filter.name}=${encodeURIComponent(value)}`)
          .join('&'),
      );
      for (const text of [...texts, texts.join('&')]) {
        const answer = await ask(operated, text);
        expect([text.slice(0, 40), answer.status, answer.body?.errors]).toEqual([
          text.slice(0, 40),
          200,
          undefined,
        ]);
      }
    },
  );

  it.each(
    lists.filter((operated) => queryOf(operated).some(({ schema }) => typesOf(schema).includes('array'))),
  )('$operationId refuses one filter value more than the maximum with 400', async (operated) => {
    for (const filter of queryOf(operated).filter(({ schema }) => typesOf(schema).includes('array'))) {
      expect([filter.name, filter.schema.maxItems]).toEqual([filter.name, VALUES]);
      const values = [...most(filter), most(filter)[0]!];
      const answer = await ask(
        operated,
        values.map((value) => `${filter.name}=${encodeURIComponent(value)}`).join('&'),
      );
      expect([filter.name, problemFaults(answer, 400, 'validationFailed')]).toEqual([filter.name, []]);
    }
  });
});

const paged = lists.filter((operated) => queryOf(operated).some(({ name }) => name === 'pageNumber'));

describe('a paginated list', () => {
  it.each(paged)('the list of $operationId takes every int32 from 1 as its page number', async (operated) => {
    const { minimum, maximum } = queryOf(operated).find(({ name }) => name === 'pageNumber')!.schema;
    expect([minimum, maximum]).toEqual([1, 2_147_483_647]);
    const { status, body } = await ask(operated, 'pageNumber=2147483647&pageSize=100');
    expect([status, body.content, body.pageRequest.pageNumber]).toEqual([200, [], 2_147_483_647]);
    expect(body.totalElements).toBeGreaterThanOrEqual(isOperator(operated) ? 1 : 0);
    for (const bad of ['0', '2147483648', '-1', '1.0', '']) {
      const refused = await ask(operated, `pageNumber=${bad}`);
      expect([bad, problemFaults(refused, 400, 'validationFailed')]).toEqual([bad, []]);
    }
  });

  it.each(paged)(
    'the list of $operationId filters by dates and shows deleted rows on request',
    (operated) => {
      const names = queryOf(operated).map(({ name }) => name);
      const dates = ['createDate', 'updateDate'].flatMap((date) => [`${date}After`, `${date}Before`]);
      expect(names).toEqual(expect.arrayContaining(dates));
      const page = resolved(document, operated.responses['200']!.content!['application/json']!.schema);
      const { properties = {} } = resolved(document, page.properties!['content']!.items!);
      const isKept = ['deleted', 'revokedDate'].some((name) => name in properties);
      expect(names.includes('includeDeleted')).toBe(isKept);
    },
  );

  const INT64 = ['-9223372036854775808', '-8640000000000001', '-62135596800001', '-1', '-0', '0'];
  const LATE = ['8640000000000001', '9007199254740993', '9223372036854775807'];

  it.each(paged)('the list of $operationId takes every int64 as a date', async (operated) => {
    const all = (await ask(operated, '')).body.totalElements;
    const dates = queryOf(operated).filter(({ name }) => /Date(After|Before)$/.test(name));
    expect(dates.length).toBeGreaterThanOrEqual(4);
    for (const { name } of dates) {
      for (const value of [...INT64, ...LATE]) {
        const { status, body } = await ask(operated, `${name}=${value}`);
        const everything = name.endsWith('After') === INT64.includes(value);
        expect([name, value, status]).toEqual([name, value, 200]);
        // Rows without such a date never match a bound.
        if (!everything) expect([name, value, body.totalElements]).toEqual([name, value, 0]);
        else if (/^(create|update)/.test(name)) expect([name, body.totalElements]).toEqual([name, all]);
      }
      for (const bad of ['-9223372036854775809', '9223372036854775808', '1e3', '--1', '+1']) {
        const refused = await ask(operated, `${name}=${encodeURIComponent(bad)}`);
        expect([name, bad, refused.status]).toEqual([name, bad, 400]);
      }
    }
  });

  it.each(lists)(
    'the list of $operationId names the known values when a value is unknown',
    async (operated) => {
      for (const { name, schema } of queryOf(operated)) {
        const options = (schema.items ?? schema).enum as string[] | undefined;
        if (!options) continue;
        for (const query of schema.items ? [`${name}=NOPE`, `${name}=NOPE,OTHER`] : [`${name}=NOPE`]) {
          const { status, body } = await ask(operated, query);
          expect([query, status, body.allowedValues]).toEqual([query, 400, options]);
        }
      }
    },
  );
});
