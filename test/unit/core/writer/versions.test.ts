import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WriterEnv } from '../../../../src/core/writer/binding.ts';
import { execute, ofService } from '../../../../src/core/writer/client.ts';
import { type SentRequest, type Shapes, Versions, versions } from '../../../../src/core/writer/versions.ts';
import { commands } from '../../../../src/features.ts';

const cost = { bookmark: null, roundTrips: 1, rowsRead: 0, rowsWritten: 0 };
const done = (body: unknown, version = 'another') => ({
  kind: 'done' as const,
  body: JSON.stringify(body),
  replayed: false,
  ...cost,
  version,
});

/** Two commands. The shape of requests and outcomes is open here. */
const shapes: Shapes = {
  request: 'any',
  outcome: 'any',
  commands: { put: ['@input', '@answer'], list: ['@input', ['null', '@answer'] as never] },
  types: {
    input: { name: 'string', 'note?': ['null', 'string'], 'lines?': ['@line'], 'labels?': '@labels' },
    line: { code: 'number', kind: ['=IN', '=OUT'] },
    labels: { '*': 'string' },
    answer: { created: ['+0', '+1'], 'of?': ['@one', '@other'], 'open?': 'any' },
    one: { id: 'string' },
    other: { id: 'string', place: 'number' },
  },
};
const known = new Versions(shapes);
const request = (input: unknown, version = 'another', name = 'put') =>
  ({ ...ofService(name, input as object), version }) as SentRequest;

describe('a request of another version', () => {
  it.each([
    [
      'all members',
      { name: 'A', note: 'x', lines: [{ code: 1, kind: 'IN' }], labels: { a: 'b' } },
      undefined,
    ],
    ['only the members that must be there', { name: 'A', note: undefined }, undefined],
    ['an empty value', { name: 'A', note: null }, undefined],
    ['an unknown member', { name: 'A', priority: 'HIGH' }, 'put.priority'],
    ['an unknown member without a value', { name: 'A', priority: undefined }, undefined],
    [
      'an unknown member in a list',
      { name: 'A', lines: [{ code: 1, kind: 'IN', depth: 2 }] },
      'put.lines[].depth',
    ],
    ['an unknown value', { name: 'A', lines: [{ code: 1, kind: 'BACK' }] }, 'put.lines[].kind'],
    ['a value of another type', { name: 1 }, 'put.name'],
    ['a missing member', { note: 'x' }, 'put.name'],
    ['a list that became a value', { name: 'A', lines: { code: 1 } }, 'put.lines'],
    ['a label of another type', { name: 'A', labels: { a: 1 } }, 'put.labels.a'],
  ])('with %s is taken, or refused with the path', (_, input, path) => {
    expect(known.unknownIn(request(input))).toBe(path);
  });

  it('of an unknown command is refused, even if its version is the same', () => {
    expect(known.unknownIn(request({}, known.ofRequest('drop'), 'drop'))).toBe('drop');
  });

  it('of the same version is not checked', () => {
    expect(known.unknownIn(request({ other: 1 }, known.ofRequest('put')))).toBeUndefined();
  });
});

describe('an answer of another version', () => {
  it.each([
    ['loses members that only a newer version knows', { created: 1, more: 2 }, { created: 1 }],
    [
      'keeps the members of the alternative that fits',
      { created: 0, of: { id: 'a', place: 1 } },
      { created: 0, of: { id: 'a', place: 1 } },
    ],
    [
      'loses members in an alternative',
      { created: 0, of: { id: 'a', more: 1 } },
      { created: 0, of: { id: 'a' } },
    ],
    ['keeps a value of any form', { created: 1, open: { a: [1] } }, { created: 1, open: { a: [1] } }],
  ])('%s', (_, body, shown) => {
    expect(known.known('put', done(body))).toMatchObject({ kind: 'done', body: JSON.stringify(shown) });
  });

  it.each([
    ['an unknown value', { created: 2 }, 'put.created'],
    ['a missing member', {}, 'put.created'],
    ['an unknown alternative', { created: 1, of: { name: 'x' } }, 'put.of.id'],
  ])('with %s is unknown', (_, body, unknown) => {
    expect(known.known('put', done(body))).toEqual({ kind: 'unknown', unknown });
  });

  it('of the same version is not read', () => {
    const same = done({ created: 2 }, known.ofOutcome('put'));
    expect(known.known('put', same)).toBe(same);
  });
});

it('every command has recorded shapes', () => {
  expect(versions.commands.toSorted()).toEqual(Object.keys(commands).toSorted());
});

describe('the edge', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Execute a command on an object that gives these outcomes; the last one again and again. */
  async function executed(...outcomes: unknown[]) {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    let calls = 0;
    const stub = {
      execute: async () => {
        calls += 1;
        return outcomes[Math.min(calls, outcomes.length) - 1];
      },
    };
    const env = { DB: {}, WRITER: { idFromName: (name: string) => name, get: () => stub } };
    const outcome = await execute(
      env as unknown as WriterEnv,
      'one',
      ofService('deleteGate', { externalIdentifier: 'G' }),
    );
    return { outcome, calls };
  }

  const unavailable = { kind: 'refused', refusal: { code: 'temporarilyUnavailable' } };
  const unknown = { kind: 'unknown', unknown: 'deleteGate' };

  it('calls an object that does not know a command again, and then gives up with 503', async () => {
    const { outcome, calls } = await executed(unknown);
    expect([outcome, calls]).toEqual([expect.objectContaining({ kind: 'refused' }), 4]);
    expect(outcome).toMatchObject(unavailable);
  });

  it('returns the answer of an object that was replaced in the meantime', async () => {
    const { outcome, calls } = await executed(unknown, done({}));
    expect([outcome.kind, calls]).toEqual(['done', 2]);
  });

  it.each([
    ['kind of outcome', { kind: 'postponed', ...cost, version: 'another' }],
    [
      'code of a refusal',
      {
        kind: 'refused',
        refusal: { code: 'gateLocked', detail: '' },
        replayed: false,
        ...cost,
        version: 'another',
      },
    ],
    ['form of an answer', done(null)],
  ])('answers 503 to an unknown %s, and does not call the object again', async (_, given) => {
    const { outcome, calls } = await executed(given);
    expect(outcome).toMatchObject(unavailable);
    expect(calls).toBe(1);
  });
});
