import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, it } from 'vitest';
import { source } from './document.ts';

/** All recommended rules as errors. Each rule that is off has a reason. */
const CONFIG = {
  extends: ['recommended-strict' as const],
  rules: {
    // The reference prescribes these paths: /asset-loading/{recordUuid}/status next to
    // /asset-loading/track/{…}. A literal segment goes before a parameter (OpenAPI 3.1, Path Templating
    // Matching), and no uuid is `track`.
    'no-ambiguous-paths': 'off' as const,
    // Additional rules:
    'operation-description': 'error' as const,
    'parameter-description': 'error' as const,
    'tag-description': 'error' as const,
    'operation-singular-tag': 'error' as const,
    'operation-tag-defined': 'error' as const,
    'no-invalid-schema-examples': 'error' as const,
    'no-invalid-parameter-examples': 'error' as const,
    'no-invalid-media-type-examples': 'error' as const,
  },
};

const faults = async (text: string): Promise<string[]> => {
  const problems = await lintFromString({
    source: text,
    absoluteRef: '/openapi.json',
    config: await createConfig(CONFIG),
  });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
};

it('the document is valid OpenAPI 3.1 without linter faults', async () => {
  expect(await faults(source)).toEqual([]);
});

it('the linter finds a seeded fault', async () => {
  const broken = source.replaceAll('"operationId":"getManifest"', '"operationId":"getTrack"');
  expect(await faults(broken)).not.toEqual([]);
});
