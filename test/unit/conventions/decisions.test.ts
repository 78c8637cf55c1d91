import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');

/** The decisions of a README: the bold sentence with which each paragraph begins. */
const decisionsOf = (text: string): string[] =>
  [...text.matchAll(/(?<=\n\n)\*\*([^*]+)\*\*/g)].map(([, sentence]) =>
    sentence!.replace(/\s+/g, ' ').replace(/[^.:?]$/, '$&.'),
  );

it('the list of decisions has every decision of the folders', async () => {
  const folders = globSync('**/README.md', { cwd: SRC })
    .map(dirname)
    .filter((folder) => folder !== '.')
    .sort()
    .map((folder) => ({
      folder,
      decisions: decisionsOf(readFileSync(join(SRC, folder, 'README.md'), 'utf8')),
    }))
    .filter(({ decisions }) => decisions.length > 0);
  expect(folders.length).toBeGreaterThan(30);
  const text = `# Decisions

Each folder explains its decisions, with the rejected alternatives. This list has one line for each. A test writes it:
\`npm run test:unit -- test/unit/conventions/decisions -u\`.
${folders
  .map(
    ({ folder, decisions }) =>
      `\n## [${folder}](${folder}/README.md)\n\n${decisions.map((decision) => `- ${decision}`).join('\n')}\n`,
  )
  .join('')}`;
  await expect(text).toMatchFileSnapshot(join(SRC, 'DECISIONS.md'));
});
