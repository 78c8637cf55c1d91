import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestInPortions, parseInPortions } from '../../../../src/core/http/portions.ts';
import { list } from '../../../../src/core/http/schema.ts';
import { canonicalJson, sha256Hex } from '../../../../src/core/lib/hash.ts';

const MAXIMUM = 5_000;
const schema = z.strictObject({
  items: list(z.strictObject({ name: z.string() }), 1, MAXIMUM),
  mode: z.string(),
});

/** The result of a body, and how many pieces of work it took. */
async function parsed(body: unknown) {
  let pieces = 0;
  const turn = async <T>(piece: () => T): Promise<T> => {
    pieces += 1;
    return piece();
  };
  const member = { name: 'items', maximum: MAXIMUM };
  const { data, issues } = await parseInPortions((part) => schema.safeParse(part), body, member, turn);
  return { data, issues: issues.map(({ path, code }) => [path.join('.'), code]), pieces };
}

const items = (length: number): object[] => Array.from({ length }, (_, at) => ({ name: `n${at}` }));

describe('a body with a long list', () => {
  it.each([
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [5_000, 5],
  ])('a list of %i items is checked in %i pieces, and nothing is lost', async (length, pieces) => {
    const body = { items: items(length), mode: 'm' };
    expect(await parsed(body)).toEqual({ data: body, issues: [], pieces });
  });

  it('a fault names the place of its item in the whole list', async () => {
    const body = { items: items(2_500) as unknown[], mode: 1, extra: true };
    body.items[0] = {};
    body.items[2_400] = { name: 7 };
    expect((await parsed(body)).issues).toEqual([
      ['items.0.name', 'invalid_type'],
      ['mode', 'invalid_type'],
      ['', 'unrecognized_keys'],
      ['items.2400.name', 'invalid_type'],
    ]);
  });

  it('a list that is too long is counted before its items are checked', async () => {
    const body = { items: Array.from({ length: MAXIMUM + 1 }, () => 1), mode: 'm' };
    expect(await parsed(body)).toMatchObject({ issues: [['items', 'too_big']], pieces: 1 });
  });

  it.each([null, [], 'x', 7, {}, { items: 1, mode: 'm' }])(
    '%j has the faults of the schema',
    async (body) => {
      const { error } = schema.safeParse(body);
      expect((await parsed(body)).issues).toEqual(
        error!.issues.map(({ path, code }) => [path.join('.'), code]),
      );
    },
  );
});

it('the digest in portions is the digest of the canonical JSON', async () => {
  const turn = async <T>(piece: () => T): Promise<T> => piece();
  const long = fc
    .tuple(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(1_001, 2_000, 2_345))
    .map(([value, length]) => Array.from({ length }, () => value));
  await fc.assert(
    fc.asyncProperty(
      fc.string(),
      fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), long))),
      async (text, body) => {
        expect(await digestInPortions(text, body, turn)).toBe(sha256Hex(text + canonicalJson(body)));
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
