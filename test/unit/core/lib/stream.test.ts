import { afterEach, expect, it, vi } from 'vitest';
import { type StreamOptions, streamOf } from '../../../../src/core/lib/stream.ts';

afterEach(() => vi.useRealTimers());

/** A stream of parts that counts the parts made, and notes whether it was cancelled. */
async function counted(count: number, options?: StreamOptions) {
  const seen = { made: 0, stopped: false };
  async function* parts(): AsyncGenerator<string | Uint8Array> {
    try {
      for (let index = 0; index < count; index += 1) {
        seen.made += 1;
        yield index % 2 === 0 ? `é${index};` : new TextEncoder().encode(`b${index};`);
      }
    } finally {
      seen.stopped = true;
    }
  }
  return { seen, stream: await streamOf(parts(), options) };
}

it('a streamed response passes text and bytes in order to the end', async () => {
  const { seen, stream } = await counted(5);
  expect(await new Response(stream).text()).toBe('é0;b1;é2;b3;é4;');
  expect(seen).toEqual({ made: 5, stopped: true });
});

it('a streamed response is empty without parts', async () => {
  expect(await new Response((await counted(0)).stream).text()).toBe('');
});

it('a streamed response makes a part on demand and one ahead at most', async () => {
  const { seen, stream } = await counted(1_000);
  const reader = stream.getReader();
  for (let read = 1; read <= 10; read += 1) {
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(seen.made).toBeLessThanOrEqual(read + 1);
  }
});

it('a streamed response stops when its reader is gone', async () => {
  const { seen, stream } = await counted(1_000);
  const reader = stream.getReader();
  await reader.read();
  await reader.cancel();
  expect(seen.stopped).toBe(true);
  expect(seen.made).toBeLessThanOrEqual(2);
});

it('a streamed response ends if its reader reads nothing for longer than its patience', async () => {
  vi.useFakeTimers();
  const { seen, stream } = await counted(1_000, { patienceMs: 30_000 });
  const reader = stream.getReader();
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(29_000);
    await reader.read();
  }
  expect(seen.stopped).toBe(false);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(seen.stopped).toBe(true);
  await expect(reader.read().then(() => reader.read())).rejects.toThrow(
    'The reader of the body has stopped.',
  );
});

it('a streamed response lets other work run between two parts', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await new Response((await counted(50)).stream).text();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

it('a streamed response fails with the error of its parts', async () => {
  async function* parts(): AsyncGenerator<string> {
    yield 'a';
    throw new Error('the source failed');
  }
  await expect(new Response(await streamOf(parts())).text()).rejects.toThrow('the source failed');
});

it('a streamed response that fails before its first part is refused before it begins', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first part
  async function* parts(): AsyncGenerator<string> {
    throw new Error('the source failed');
  }
  await expect(streamOf(parts())).rejects.toThrow('the source failed');
});
