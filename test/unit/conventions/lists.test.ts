import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import '../../../src/app.ts';
import { DECLARED } from '../../../src/core/http/endpoint.ts';
import { List, list } from '../../../src/core/http/schema.ts';
import { PAGES } from '../../../src/web/ui/page/page.tsx';

type Schema = z.core.$ZodType;
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The schemas that a schema consists of, at any depth. */
function partsOf(schema: Schema, seen = new Set<Schema>()): Set<Schema> {
  if (seen.has(schema)) return seen;
  seen.add(schema);
  const members = Object.values(schema._zod.def).flatMap((member: unknown) =>
    isSchema(member) || typeof member !== 'object' || member === null ? [member] : Object.values(member),
  );
  for (const member of members) if (isSchema(member)) partsOf(member, seen);
  return seen;
}

/** Arrays that are validated before they are counted. */
const bareArrays = (schema: Schema): Schema[] =>
  [...partsOf(schema)].filter((part) => part._zod.def.type === 'array' && !(part instanceof List));

/** The schemas of all requests by their names. */
const requests: [name: string, schema: Schema | undefined][] = [
  ...[...DECLARED.values()].flatMap(
    ({ operationId, params, query, body }): [string, Schema | undefined][] => [
      [`${operationId}, path`, params],
      [`${operationId}, query`, query],
      [`${operationId}, body`, body],
    ],
  ),
  ...PAGES.flatMap((page): [string, Schema | undefined][] => [
    [`${page.path}, query`, (page as { query?: Schema }).query],
    ...Object.entries(page.actions ?? {}).map(([name, { form }]): [string, Schema] => [
      `${page.path}, form ${name}`,
      form,
    ]),
  ]),
];

it('every list of a request is counted before its items are validated', () => {
  const bare = requests.filter(([, schema]) => schema && bareArrays(schema).length > 0);
  expect(bare.map(([name]) => name)).toEqual([]);
  const lists = requests.flatMap(([, schema]) => (schema ? [...partsOf(schema)] : []));
  expect(lists.filter((schema) => schema instanceof List).length).toBeGreaterThan(20);
});

it('a list is counted before an item is validated, and is validated up to 101 faults', () => {
  let validated = 0;
  const item = (isValid: boolean) =>
    list(
      z.number().refine(() => {
        validated += 1;
        return isValid;
      }),
      2,
      500,
    );
  const numbers = (length: number) => Array.from({ length }, () => 1);
  expect(item(true).safeParse(numbers(501)).error!.issues).toMatchObject([{ code: 'too_big', maximum: 500 }]);
  expect(validated).toBe(0);
  expect(item(true).parse(numbers(500))).toEqual(numbers(500));
  expect(item(true).safeParse([1]).error!.issues).toMatchObject([{ code: 'too_small', minimum: 2 }]);
  validated = 0;
  const { issues } = item(false).safeParse(numbers(500)).error!;
  expect([issues.length, issues[7]!.path, validated]).toEqual([101, [7], 101]);
});
