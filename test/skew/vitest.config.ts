import { resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import config, { onRuntime } from '../vitest.config.ts';
import { bundled } from './bundle.ts';
import { olderText } from './old.ts';

const root = resolve(import.meta.dirname, '../..');

const workerd = config.test!.projects!.find(
  (project): project is TestProjectInlineConfiguration =>
    (project as TestProjectInlineConfiguration).test?.name === 'workerd',
)!;

/** Plays every operation of the contract, and repeats every write. */
const CONTRACT = ['test/contract/operations.test.ts', 'test/contract/idempotency.test.ts'];

/** Loads the files of the version before. */
const older = {
  name: 'older',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => olderText(id, code),
};

/** A project with the edge of one version and the objects of the other. */
async function project(name: string, old: 'edge' | 'objects'): Promise<TestProjectInlineConfiguration> {
  const other = await bundled(old === 'edge' ? 'this' : 'before');
  const { alias } = workerd.resolve as { alias: { find: RegExp; replacement: string }[] };
  return {
    ...workerd,
    resolve: { alias: [...alias, { find: /^#other$/, replacement: other }] },
    plugins: [
      ...(old === 'edge' ? [older] : []),
      workerd.plugins![0]!,
      onRuntime('./test/skew/worker.ts', { OLD: old }),
    ],
    test: {
      ...workerd.test!,
      name,
      include: [...CONTRACT, `test/skew/old-${old}.test.ts`],
      setupFiles: ['test/workerd/migrate.ts', 'test/skew/setup.ts'],
    },
  };
}

/**
 * The service while a release is rolled out: each project has the older version on another side. `npm run test:skew` runs one
 * after the other, because the runner loses one of two runtimes with such large scripts.
 */
export default defineConfig({
  root,
  test: {
    sequence: config.test!.sequence!,
    projects: [await project('old objects', 'objects'), await project('old edge', 'edge')],
  },
});
