import { expect, it } from 'vitest';
import { API, newTenant, OPERATOR_API, ORIGIN } from '../../client.ts';
import { fetchOver } from '../../failing.ts';
import { bindings } from '../database/places.ts';

const OPERATOR_KEY = 'o'.repeat(40);
const production = {
  ...bindings,
  ENVIRONMENT: 'production',
  BASE_DOMAIN: 'dispatch.example.com',
  OPERATOR_KEY,
  SEALING_KEY: 's'.repeat(40),
  WEBHOOK_ALLOW_LOOPBACK: 'false',
  WEBHOOK_RETRY_DIVISOR: '1',
} as typeof bindings;

it.each([
  ['an organization', false, 'live'],
  ['a sandbox', true, 'test'],
])(
  'a secret of %s names the production environment and opens its own resources',
  async (_, sandbox, mark) => {
    const { uuid } = await newTenant({ sandbox });
    const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      fetchOver(production, new Request(`${ORIGIN}${path}`, { method, headers, ...(body ? { body } : {}) }));
    const asOperator = { 'X-OPERATOR-KEY': OPERATOR_KEY, 'Content-Type': 'application/json' };
    const path = `${OPERATOR_API}/organization/${uuid}/api-key`;
    const made = await ask('POST', path, asOperator, '{"name":"WMS"}');
    const renewed = await ask('POST', `${path}/${made.body.uuid}/rotate`, asOperator, '{}');
    for (const { status, body } of [made, renewed]) {
      expect(body.secret).toMatch(new RegExp(`^wdk_${mark}_`));
      expect(body.secret.startsWith(body.prefix)).toBe(true);
      expect([status, (await ask('GET', `${API}/manifest`, { 'X-AUTH-KEY': body.secret })).status]).toEqual([
        status,
        200,
      ]);
    }
  },
);
