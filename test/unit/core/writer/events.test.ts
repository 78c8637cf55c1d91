import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { emitsEvents, eventInsert } from '../../../../src/core/writer/command.ts';

const SRC = resolve(import.meta.dirname, '../../../../src');
const event = () => eventInsert(sql`INSERT INTO event`);
const other = sql`DELETE FROM asset_loading`;

it.each([
  ['after its writes', { writes: [other], events: [event()] }, true],
  ['about a thing that it deletes', { writes: [event(), other] }, true],
  ['nowhere', { writes: [other], events: [] }, false],
])('a change with events %s', (_, change, emits) => {
  expect(emitsEvents(change)).toBe(emits);
});

it('every statement that inserts events is marked, so that its commit sends them', () => {
  const inserts = globSync('**/*.ts', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/(\S*)sql`\s*INSERT INTO event\b/g)].map(
      ([, before]) => `${file}: ${before}`,
    ),
  );
  expect(inserts.length).toBeGreaterThan(2);
  expect(inserts.filter((found) => !found.endsWith('eventInsert('))).toEqual([]);
});
