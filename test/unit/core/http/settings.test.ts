import { describe, expect, it } from 'vitest';
import { developmentVariables } from '../../../../src/cli/variables.ts';
import { type Env, settingsOf } from '../../../../src/core/env.ts';

const env = (values: Partial<Env>): Env =>
  ({
    ENVIRONMENT: 'production',
    BASE_DOMAIN: 'example.com',
    OPERATOR_KEY: 'k'.repeat(40),
    SEALING_KEY: 's'.repeat(40),
    ...values,
  }) as Env;

describe('a deployed environment', () => {
  it('a deployed service starts with a secret of its own', () => {
    expect(settingsOf(env({}))).toMatchObject({ credentialEnvironment: 'live' });
    expect(settingsOf(env({ ENVIRONMENT: 'staging' }))).toMatchObject({ credentialEnvironment: 'test' });
  });

  it.each([
    ['eu', undefined, 'live'],
    ['eu', 'test', 'test'],
    ['Europe_2-west', undefined, 'live'],
    ['Development', undefined, 'live'],
    ['production', 'test', 'test'],
    ['staging', 'live', 'live'],
    ['x'.repeat(40), undefined, 'live'],
  ])(
    'an environment may be called %s; with CREDENTIAL_ENVIRONMENT %s its secrets are %s',
    (ENVIRONMENT, CREDENTIAL_ENVIRONMENT, made) => {
      const variables = CREDENTIAL_ENVIRONMENT === undefined ? {} : { CREDENTIAL_ENVIRONMENT };
      expect(settingsOf(env({ ENVIRONMENT, ...variables }))).toMatchObject({ credentialEnvironment: made });
    },
  );

  it.each([
    [{ WEBHOOK_RETRY_DIVISOR: '1000' }, 'WEBHOOK_RETRY_DIVISOR'],
    [{ WEBHOOK_ALLOW_LOOPBACK: 'true' }, 'WEBHOOK_ALLOW_LOOPBACK'],
    [{ BASE_DOMAIN: 'localhost' }, 'BASE_DOMAIN'],
    [{ BASE_DOMAIN: 'dispatch.localhost' }, 'BASE_DOMAIN'],
    [{ EMAIL_FROM: 'dispatch@warehouse.localhost' }, 'EMAIL_FROM'],
    [{ EMAIL_FROM: 'Dispatch <dispatch@example.com>' }, 'EMAIL_FROM'],
    [{ OPERATOR_KEY: `local-${'k'.repeat(40)}` }, 'OPERATOR_KEY'],
  ] as [Partial<Env>, string][])(
    'every deployed environment refuses the development value %j and names the variable',
    (values, name) => {
      for (const ENVIRONMENT of ['production', 'staging', 'eu', 'Development', 'development2'])
        expect(() => settingsOf(env({ ENVIRONMENT, ...values }))).toThrow(`not configured: ${name}: `);
    },
  );

  it.each([
    { OPERATOR_KEY: 'local-operator-key' },
    { OPERATOR_KEY: `local-${'k'.repeat(40)}` },
    { OPERATOR_KEY: 'short-but-not-local' },
    { OPERATOR_KEY: undefined },
    { SEALING_KEY: 'local-sealing-key' },
    { SEALING_KEY: undefined },
    { SEALING_KEY_PREVIOUS: 'local-sealing-key' },
    { SEALING_KEY_PREVIOUS: 'short-but-not-local' },
    { WEBHOOK_ALLOW_LOOPBACK: 'true' },
    { WEBHOOK_RETRY_DIVISOR: '0' },
    { WEBHOOK_RETRY_DIVISOR: 'x' },
    { ENVIRONMENT: undefined },
    { ENVIRONMENT: '' },
    { ENVIRONMENT: 'dead' },
    { ENVIRONMENT: 'dead-sea' },
    { ENVIRONMENT: 'a b' },
    { ENVIRONMENT: 'x'.repeat(41) },
    { CREDENTIAL_ENVIRONMENT: 'production' },
    { CREDENTIAL_ENVIRONMENT: '' },
    { WEBHOOK_RETRY_DIVISOR: '1.5' },
    { BASE_DOMAIN: '' },
  ] as Partial<Env>[])('a deployed service refuses the secret %j and does not print it', (values) => {
    expect(() => settingsOf(env(values))).toThrow(/^not configured/);
    expect(() => settingsOf(env(values))).not.toThrow(/local-|kkk|short/);
  });
});

it('the service seals with SEALING_KEY and opens with the previous key too', () => {
  const [key, previous] = ['s'.repeat(40), 'p'.repeat(40)];
  expect(settingsOf(env({})).sealingKeys).toEqual([key]);
  expect(settingsOf(env({ SEALING_KEY_PREVIOUS: previous })).sealingKeys).toEqual([key, previous]);
});

/** Variables whose values on a developer's machine are also right in a deployed environment. */
const HARMLESS = ['ENVIRONMENT', 'REQUEST_LOG', 'WEBHOOK_RETRY_DIVISOR'];

it.each(Object.entries(developmentVariables({})).filter(([name]) => !HARMLESS.includes(name)))(
  'a deployed service refuses the value that npm start gives to %s',
  (name, value) => {
    expect(() => settingsOf(env({ [name]: value }))).toThrow(`not configured: ${name}: `);
  },
);

it('the service takes the development key on a developer machine', () => {
  const local = {
    ENVIRONMENT: 'development',
    OPERATOR_KEY: 'local-operator-key',
    SEALING_KEY: 'local-sealing-key',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_RETRY_DIVISOR: '1000',
  };
  expect(settingsOf(env(local))).toMatchObject({ WEBHOOK_ALLOW_LOOPBACK: true, WEBHOOK_RETRY_DIVISOR: 1000 });
  expect(settingsOf(env({}))).toMatchObject({ WEBHOOK_ALLOW_LOOPBACK: false, WEBHOOK_RETRY_DIVISOR: 1 });
});
