import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { PUBLIC_LIMITS } from '../../../../src/web/pages/quota.ts';

const config = resolve(import.meta.dirname, '../../../../wrangler.toml');

it.each([undefined, 'staging', 'production'])('wrangler.toml configures the public quota of %s', (env) => {
  const { ratelimits } = unstable_readConfig({ config, ...(env === undefined ? {} : { env }) });
  expect(ratelimits.map(({ name, simple }: { name: string; simple: object }) => [name, simple])).toEqual([
    ['PUBLIC_BY_ADDRESS', { limit: PUBLIC_LIMITS.address, period: 60 }],
    ['PUBLIC_BY_LINK', { limit: PUBLIC_LIMITS.link, period: 60 }],
  ]);
});

it('each environment counts its public quota alone', () => {
  const ids = readFileSync(config, 'utf8').match(/^namespace_id = .*$/gm)!;
  expect([ids.length, new Set(ids).size]).toEqual([6, 6]);
});
