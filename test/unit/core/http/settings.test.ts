import { describe, expect, it } from 'vitest';
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
    { ENVIRONMENT: 'other' },
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
