import { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import { problemItems, validationRefusal } from '../../../../src/core/http/problem-items.ts';
import { flag, several, text } from '../../../../src/core/http/schema.ts';
import { idempotencyKey } from '../../../../src/core/http/write.ts';
import { manifestCreateSchema } from '../../../../src/dispatch/load/manifest/schema.ts';

it('a validation error reports all failing items with their paths', () => {
  const input = { externalIdentifier: '', manifestStatus: 'DONE', assets: ['a', 'b', 'a', 7], colour: 1 };
  const result = manifestCreateSchema.safeParse(input);
  const items = problemItems(result.error!.issues, input);
  expect(items.map(({ field, code }) => [field, code]).sort()).toEqual([
    ['assets[3]', 'validationFailed'],
    ['colour', 'unknownField'],
    ['externalIdentifier', 'validationFailed'],
    ['manifestStatus', 'unknownStatus'],
  ]);
  expect(validationRefusal(items)).toMatchObject({ code: 'validationFailed', errors: items });
});

it('a validation error repeats the sent value as valid JSON of bounded length', () => {
  const input = {
    externalIdentifier: '\ud800',
    manifestStatus: `${'a'.repeat(299)}🚚`,
    ['🚚'.repeat(400)]: 1,
  };
  const items = problemItems(manifestCreateSchema.safeParse(input).error!.issues, input);
  expect(items).toHaveLength(3);
  for (const { field, rejectedValue } of items) {
    expect(field.isWellFormed()).toBe(true);
    expect(field.length).toBeLessThan(310);
    expect((rejectedValue as string | undefined)?.isWellFormed()).not.toBe(false);
  }
});

it('a validation error repeats the value as it was sent: a part of a list, an object, never a secret', () => {
  const schema = z.object({
    name: z.string(),
    many: several(z.enum(['A', 'B'])),
    user: z.string(),
    deep: z.string(),
  });
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const repeated = (input: object) =>
    problemItems(schema.safeParse(input).error!.issues, input).map(({ rejectedValue }) => rejectedValue);
  expect(
    repeated({ name: ['x', { a: 1.5 }], many: 'A,Loading', user: { password: 'secret' }, deep }),
  ).toEqual([['x', { a: 1.5 }], 'Loading', null, null]);
  expect(
    repeated({ name: true, many: ['A', 'b,c'], user: [{ a: [{ url: 'u' }] }], deep: ['a'.repeat(300)] }),
  ).toEqual([true, 'b,c', null, null]);
  expect(JSON.stringify(repeated({ name: ['\ud800'], many: 'A', user: 'u', deep: 'd' }))).not.toContain(
    'ud800',
  );
});

it('length limits count characters, not UTF-16 units', () => {
  const schema = text(1, 3);
  expect(schema.safeParse('🚚🚚🚚').success).toBe(true);
  expect(schema.safeParse('🚚🚚🚚🚚').success).toBe(false);
  expect(schema.safeParse('').success).toBe(false);
  expect(text(2, 3).safeParse('🚚').success).toBe(false);
});

it('a filter splits a single value at its commas and keeps repeated values whole, up to 100', () => {
  const schema = several(z.string());
  expect(schema.parse('a,b')).toEqual(['a', 'b']);
  expect(schema.parse(['a', 'b,c'])).toEqual(['a', 'b,c']);
  expect(schema.parse(['b,c', 'b,c'])).toEqual(['b,c', 'b,c']);
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join(',');
  expect(schema.parse(ids(100))).toHaveLength(100);
  expect(schema.safeParse(ids(101)).success).toBe(false);
});

it('a boolean parameter takes true and false in any case and nothing else', () => {
  expect(['true', 'TRUE', 'False'].map((value) => flag.parse(value))).toEqual([true, true, false]);
  for (const value of ['', '1', 'yes', 'true ', 'tru']) expect(flag.safeParse(value).success).toBe(false);
});

it('an Idempotency-Key has 1 to 255 visible characters, bare or quoted', () => {
  expect(idempotencyKey(undefined)).toBeNull();
  expect(idempotencyKey('abc')).toBe('abc');
  expect(idempotencyKey('"abc"')).toBe('abc');
  expect(idempotencyKey('"a\\"b\\\\"')).toBe('a"b\\');
  expect(idempotencyKey('a'.repeat(255))).toHaveLength(255);
  for (const key of ['', '""', 'a'.repeat(256), 'é', 'a b', '\t']) {
    expect(() => idempotencyKey(key), key).toThrow();
  }
});
