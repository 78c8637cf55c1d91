import { expect, it } from 'vitest';
import { sayOfNode } from '../../../src/cli/installed.ts';

const agent = (version: string) => `npm/11.19.1 node/${version} linux x64 workspaces/false`;

it('says on which Node scripts run, where npm runs on an earlier one', () => {
  expect(sayOfNode(agent('v20.20.2'), 'v24.21.0')).toBe(
    'npm runs on Node v20.20.2. Scripts of this project run on Node v24.21.0, which is installed with it.',
  );
  expect(sayOfNode(agent('v22.12.0'), 'v24.21.0')).toContain('v22.12.0');
});

it('says nothing where there is nothing to say', () => {
  for (const version of ['v24.0.0', 'v24.21.0', 'v26.1.0', 'v100.0.0']) {
    expect(sayOfNode(agent(version), 'v24.21.0')).toBeUndefined();
  }
  expect(sayOfNode('pnpm/10.0.0', 'v24.21.0')).toBeUndefined();
  expect(sayOfNode(undefined, 'v24.21.0')).toBeUndefined();
});
