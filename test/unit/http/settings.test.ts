import { describe, expect, it } from 'vitest';
import { type Env, settingsOf } from '../../../src/env.ts';

const env = (values: Partial<Env>): Env =>
  ({ ENVIRONMENT: 'production', BASE_DOMAIN: 'example.com', OPERATOR_KEY: 'k'.repeat(40), ...values }) as Env;

describe('a deployed environment', () => {
  it('serves with a secret of its own', () => {
    expect(settingsOf(env({}))).toMatchObject({ credentialMark: 'live' });
    expect(settingsOf(env({ ENVIRONMENT: 'staging' }))).toMatchObject({ credentialMark: 'test' });
  });

  it.each([
    { OPERATOR_KEY: 'local-operator-key' },
    { OPERATOR_KEY: `local-${'k'.repeat(40)}` },
    { OPERATOR_KEY: 'short-but-not-local' },
    { OPERATOR_KEY: undefined },
    { ENVIRONMENT: undefined },
    { ENVIRONMENT: 'other' },
    { BASE_DOMAIN: '' },
  ] as Partial<Env>[])('refuses %j, and does not say the value', (values) => {
    expect(() => settingsOf(env(values))).toThrow(/^not configured/);
    expect(() => settingsOf(env(values))).not.toThrow(/local-|kkk|short/);
  });
});

it('takes the development key on a developer machine', () => {
  expect(settingsOf(env({ ENVIRONMENT: 'development', OPERATOR_KEY: 'local-operator-key' }))).toBeTruthy();
});
