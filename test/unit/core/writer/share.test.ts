import { expect, it } from 'vitest';
import { SHARED_BYTES_MAXIMUM, together, type Waiting } from '../../../../src/core/writer/waiting.ts';

const [SCAN, CREATE] = ['scan', 'create'].map((name) => ({ name }));
const HALF = SHARED_BYTES_MAXIMUM / 2;
/** A queued command, with its conflict keys. */
const queued = (conflictKeys: string[] | undefined, more: object = {}): Waiting =>
  ({ command: SCAN, conflictKeys, isRetry: false, bytes: 100, ...more }) as unknown as Waiting;

it.each<[string, Waiting[], number]>([
  ['no command', [], 0],
  ['one command', [queued(['A'])], 1],
  ['commands without a common key', [queued(['A']), queued(['B']), queued(['C'])], 3],
  ['a command with the key of an earlier one', [queued(['A']), queued(['B']), queued(['A'])], 2],
  ['a first command that must run alone', [queued(undefined), queued(['B'])], 1],
  ['a first command that has failed before', [queued(['A'], { isRetry: true }), queued(['B'])], 1],
  ['a later command that has failed before', [queued(['A']), queued(['B'], { isRetry: true })], 1],
  ['another command', [queued(['A']), queued(['B'], { command: CREATE })], 1],
  ['50 commands', Array.from({ length: 60 }, () => queued([])), 50],
  ['40 conflict keys', Array.from({ length: 45 }, (_, key) => queued([`${key}`])), 40],
  [
    'inputs that fill the memory',
    [queued(['A'], { bytes: HALF }), queued(['B'], { bytes: HALF }), queued(['C'])],
    2,
  ],
  ['an input that alone fills the memory', [queued(['A'], { bytes: 5 * HALF }), queued(['B'])], 1],
  ['a large input behind a small one', [queued(['A']), queued(['B'], { bytes: 5 * HALF })], 1],
])('the writer reads together for %s', (_, queue, count) => {
  expect(together(queue)).toEqual(queue.slice(0, count));
});
