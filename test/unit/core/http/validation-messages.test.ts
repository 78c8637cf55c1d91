import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { problemItems } from '../../../../src/core/http/problem-items.ts';

const isNumber = (text: string): boolean => /^\d+$/.test(text);

it.each<[string, z.ZodType, unknown, string]>([
  ['a missing field', z.object({ a: z.string() }), {}, 'This is required.'],
  ['another type', z.object({ a: z.string() }), { a: 7 }, 'This must be text.'],
  ['a fraction', z.object({ a: z.int() }), { a: 1.5 }, 'This must be a whole number.'],
  ['a list instead of an object', z.object({ a: z.string() }), [], 'This must be an object.'],
  ['a small number', z.object({ a: z.int().min(1) }), { a: 0 }, 'The number must be at least 1.'],
  ['an exclusive minimum', z.object({ a: z.int().positive() }), { a: 0 }, 'The number must be more than 0.'],
  ['an exclusive maximum', z.object({ a: z.int().lt(9) }), { a: 9 }, 'The number must be less than 9.'],
  ['a large number', z.object({ a: z.int().max(9) }), { a: 10 }, 'The number must be at most 9.'],
  [
    'an empty list',
    z.object({ a: z.array(z.int()).min(1) }),
    { a: [] },
    'The list must have at least 1 item.',
  ],
  [
    'a long text',
    z.object({ a: z.string().max(2) }),
    { a: 'abc' },
    'The text must have at most 2 characters.',
  ],
  ['an unknown value', z.object({ a: z.enum(['A', 'B']) }), { a: 'C' }, 'Use one of: A, B.'],
  ['another constant', z.object({ a: z.literal('A') }), { a: 'C' }, 'Use A.'],
  ['no UUID', z.object({ a: z.uuid() }), { a: 'x' }, 'This is not a UUID.'],
  ['no e-mail address', z.object({ a: z.email() }), { a: 'x' }, 'This is not an e-mail address.'],
  ['another pattern', z.object({ a: z.string().regex(/^\d$/) }), { a: 'x' }, 'This has the wrong format.'],
  [
    'no member of a union',
    z.object({ a: z.union([z.int(), z.boolean()]) }),
    { a: 'x' },
    'This value has a type or format that is not allowed here.',
  ],
  ['a message of the schema', z.object({ a: z.string('Name the gate.') }), {}, 'Name the gate.'],
])('validation explains %s in plain words', (_, schema, input, message) => {
  const [item] = problemItems(schema.safeParse(input).error!.issues, input);
  expect(item?.message).toBe(message);
});

it.each(['password', 'customHeaders', 'url'])('a refused value of %s is not repeated', (field) => {
  const input = { [field]: 'https://user:secret@example.com' };
  const [item] = problemItems(z.object({ [field]: z.int() }).safeParse(input).error!.issues, input);
  expect(item).toMatchObject({ field, rejectedValue: null });
});

it.each<[string, z.ZodType, unknown, string[]]>([
  ['a text for a list', z.array(z.int()).min(1), '', ['a']],
  ['a long text for a list', z.array(z.int()).max(2), 'abc', ['a']],
  ['an empty text with a form', z.string().min(1).refine(isNumber), '', ['a']],
  ['two empty items', z.array(z.string().min(1).refine(isNumber)), ['', ''], ['a[0]', 'a[1]']],
  ['unknown fields', z.strictObject({}), { b: 1, c: 2 }, ['a.b', 'a.c']],
])('a fault appears once: %s', (_, schema, value, fields) => {
  const input = { a: value };
  const items = problemItems(z.object({ a: schema }).safeParse(input).error!.issues, input);
  expect(items.map(({ field }) => field)).toEqual(fields);
});

it('faults of the whole body are all listed', () => {
  const body = z
    .object({})
    .refine(() => false, 'One.')
    .refine(() => false, 'Two.');
  const items = problemItems(body.safeParse({}).error!.issues, {});
  expect(items.map(({ message }) => message)).toEqual(['One.', 'Two.']);
});
