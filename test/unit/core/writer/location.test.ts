import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Env, settingsOf } from '../../../../src/core/env.ts';
import { databasesOf } from '../../../../src/core/lib/databases.ts';
import type { WriterEnv } from '../../../../src/core/writer/binding.ts';
import { execute, ofService, placeWriter, writerOf } from '../../../../src/core/writer/client.ts';

const SRC = resolve(import.meta.dirname, '../../../../src');
const EU = { jurisdiction: 'eu' };

/** Bindings of two databases, with objects that record how they were reached. */
function bound(locations: unknown) {
  const reached: unknown[][] = [];
  const namespaceOf = (jurisdiction: string | null): unknown => ({
    idFromName: (name: string) => `${jurisdiction}/${name}`,
    jurisdiction: namespaceOf,
    get: (id: string, ...options: unknown[]) => {
      reached.push([id, ...options]);
      return { scheduleJobs: async () => undefined, execute: async () => ({ kind: 'defect' }) };
    },
  });
  const text = typeof locations === 'string' ? locations : JSON.stringify(locations);
  const env = { DB: {}, DB_1: {}, WRITER: namespaceOf(null), WRITER_LOCATIONS: text };
  return { env: env as unknown as WriterEnv, reached };
}

describe('the location of an object', () => {
  it('an object is created near the last known database of its organization', () => {
    const { env, reached } = bound({ DB: 'eeur', DB_1: 'apac' });
    databasesOf(env).remember('two', 'DB_1');
    writerOf(env, 'one');
    writerOf(env, 'two');
    expect(reached).toEqual([
      ['null/one', { locationHint: 'eeur' }],
      ['null/two', { locationHint: 'apac' }],
    ]);
  });

  it('without a location the first caller decides where an object is created', () => {
    for (const locations of [undefined, {}, { DB_1: 'apac' }]) {
      const { env, reached } = bound(locations);
      writerOf(env, 'one');
      expect(reached).toEqual([['null/one']]);
    }
  });

  it('with a jurisdiction all objects are in it, also after a move to another database', () => {
    const { env, reached } = bound({ DB: EU, DB_1: EU });
    writerOf(env, 'one');
    databasesOf(env).remember('one', 'DB_1');
    writerOf(env, 'one');
    expect(reached).toEqual([['eu/one'], ['eu/one']]);
  });

  it('every attempt of a command reaches the same object', async () => {
    const { env, reached } = bound({ DB: 'weur' });
    await execute(env, 'one', ofService('any', {}));
    expect(reached).toEqual([['null/one', { locationHint: 'weur' }]]);
  });
});

describe('the object of a new organization', () => {
  it('the object of a new organization is created beside its database', async () => {
    const { env, reached } = bound({ DB: 'eeur', DB_1: 'apac' });
    await placeWriter(env, 'new', 'DB_1');
    expect(reached).toEqual([['null/new', { locationHint: 'apac' }]]);
  });

  it('the object of a new organization is not called where its location does not matter', async () => {
    for (const locations of [undefined, { DB: 'eeur' }, { DB: EU, DB_1: EU }]) {
      const { env, reached } = bound(locations);
      await placeWriter(env, 'new', 'DB_1');
      expect(reached).toEqual([]);
    }
  });

  it('a failed call of the new object does not fail the creation of the organization', async () => {
    const { env } = bound({ DB: 'eeur' });
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const failing = { ...env.WRITER, get: () => ({ scheduleJobs: () => Promise.reject(new Error('lost')) }) };
    await placeWriter({ ...env, WRITER: failing as never }, 'new', 'DB');
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });
});

describe('WRITER_LOCATIONS', () => {
  const settings =
    (locations: unknown, ENVIRONMENT = 'production') =>
    () =>
      settingsOf({
        ...bound(locations).env,
        ENVIRONMENT,
        BASE_DOMAIN: 'example.com',
        OPERATOR_KEY: 'k'.repeat(40),
        SEALING_KEY: 's'.repeat(40),
      } as Env);

  it('the service starts with valid locations', () => {
    for (const locations of [undefined, {}, { DB: 'me', DB_1: 'afr' }, { DB: EU, DB_1: EU }]) {
      expect(settings(locations)).not.toThrow();
    }
  });

  it.each([
    ['not JSON', 'weur', /the value is not JSON/],
    ['no object', '"weur"', /the value needs a location hint/],
    ['an unknown region', { DB: 'mars' }, /"DB" needs a location hint \(wnam, .*me\)/],
    [
      'an unknown jurisdiction',
      { DB: { jurisdiction: 'ch' } },
      /"DB" needs .*\(eu, us, fedramp, fedramp-high\)/,
    ],
    ['a jurisdiction and more', { DB: { ...EU, hint: 'weur' } }, /"DB" needs/],
    ['a database that is not bound', { DB_7: 'weur' }, /no database is bound as "DB_7"/],
    ['a database without the jurisdiction', { DB: EU }, /same jurisdiction, and DB_1 has not eu/],
    ['a hint beside a jurisdiction', { DB: EU, DB_1: 'weur' }, /same jurisdiction, and DB_1 has not eu/],
    ['two jurisdictions', { DB: EU, DB_1: { jurisdiction: 'us' } }, /same jurisdiction, and DB_1 has not eu/],
  ])('the service does not start with %s in WRITER_LOCATIONS', (_, locations, message) => {
    expect(settings(locations)).toThrow(message);
    expect(settings(locations)).toThrow(/^not configured: WRITER_LOCATIONS: /);
    expect(() => writerOf(bound(locations).env, 'one')).toThrow(message);
  });

  it('the service starts with location hints on a developer machine, and not with a jurisdiction', () => {
    expect(settings({ DB: 'weur' }, 'development')).not.toThrow();
    expect(settings({ DB: EU, DB_1: EU }, 'development')).toThrow(
      'not configured: WRITER_LOCATIONS: the local runtime has no jurisdictions',
    );
  });
});

it('only the writer client reaches an object, because a call chooses its location', () => {
  const reaching = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) =>
      /\.WRITER\b|\{[^}]*\bWRITER\b[^}]*\} = |\b(idFromName|idFromString|newUniqueId|getByName)\(/.test(
        readFileSync(join(SRC, file), 'utf8'),
      ),
    );
  expect(reaching).toEqual(['core/writer/client.ts']);
});
