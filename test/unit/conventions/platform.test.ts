import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../../src');
/** The only files that use a binding itself. They mark its errors as errors of the platform. */
const BOUNDARY = ['core/lib/bucket.ts', 'core/lib/databases.ts', 'core/writer/client.ts'];
/** Calls of D1, the bucket, the objects or a queue. A queue may be called within `reaching`. */
const CALL = /\benv\.(?:DB|CALIBRATION|WRITER)\b|(?:reaching\(\(\) => )?[\w.]*queue\.send(?:Batch)?\(/gi;

const callsIn = (text: string): string[] =>
  (text.match(CALL) ?? []).filter((call) => !call.startsWith('reaching('));

it('every call of the platform marks its errors, so that only they can be an outage', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SRC, exclude: ['cli/**'] });
  const found = files
    .filter((file) => !BOUNDARY.includes(file))
    .flatMap((file) => callsIn(readFileSync(join(SRC, file), 'utf8')).map((call) => `${file}: ${call}`));
  expect(found).toEqual([]);
});

it('the search finds calls that do not mark their errors', () => {
  const text =
    'await env.DB.batch([]); await env.OPERATION_QUEUE.sendBatch([]); await reaching(() => queue.send(one));';
  expect(callsIn(text)).toEqual(['env.DB', 'env.OPERATION_QUEUE.sendBatch(']);
});
