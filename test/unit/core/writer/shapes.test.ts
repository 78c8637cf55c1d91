import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { compact, crossingOfSource } from '../../../shapes.ts';

const FILE = resolve(import.meta.dirname, '../../../../src/core/writer/shapes.json');

/** One line for each command and each shape, so that a change is easy to read. */
const linesOf = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n');

it('the recorded shapes of commands are the types of their inputs and answers: record them with -u', async () => {
  const { request, outcome, commands, types } = compact(crossingOfSource());
  const text = `{
  "request": ${JSON.stringify(request)},
  "outcome": ${JSON.stringify(outcome)},
  "commands": {\n${linesOf(commands)}\n  },
  "types": {\n${linesOf(types)}\n  }
}
`;
  await expect(text).toMatchFileSnapshot(FILE);
});
