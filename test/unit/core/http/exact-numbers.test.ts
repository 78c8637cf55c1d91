import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { withSentNumbers } from '../../../../src/core/http/exact-numbers.ts';
import { problemItems } from '../../../../src/core/http/problem-items.ts';

/** The problem items of a body as JSON text, as the service sends them. */
function refused(schema: z.ZodType, text: string): string {
  const json: unknown = JSON.parse(text);
  const { error } = schema.safeParse(json);
  return JSON.stringify(problemItems(error!.issues, json, () => withSentNumbers(text)));
}
const code = z.object({ code: z.int().min(1).max(9_007_199_254_740_991) });

it.each([
  '9007199254740993',
  '-9007199254740993',
  '1e400',
  '-1E+400',
  '1.50',
  '100000000000000000000000',
  '0',
])('a refusal repeats the number %s as it was sent, in one item', (digits) => {
  const text = refused(code, `{"code":${digits}}`);
  expect(text).toContain(`"rejectedValue":${digits}`);
  expect(JSON.parse(text)).toHaveLength(1);
});

it('a refusal names the limit of the field, not the limit of exact integers', () => {
  const items = JSON.parse(refused(z.object({ code: z.int().max(10) }), '{"code":9007199254740993}'));
  expect(items).toMatchObject([{ field: 'code', message: 'The number must be at most 10.' }]);
});

it('a refusal keeps the faults of different fields and of different kinds', () => {
  const schema = z.object({ list: z.array(z.int().max(5)), text: z.string().min(3).regex(/^a/) });
  const items = JSON.parse(refused(schema, '{"list":[6,7],"text":"b"}'));
  expect(items.map(({ field }: { field: string }) => field)).toEqual(['list[0]', 'list[1]', 'text', 'text']);
});

it('a refusal repeats the beginning of a long number as a text', () => {
  const text = refused(code, `{"code":${'9'.repeat(5_000)}}`);
  expect(JSON.parse(text)[0].rejectedValue).toBe(`${'9'.repeat(300)}…`);
});
