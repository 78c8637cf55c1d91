import type { World } from './world.ts';

/** Answers deliveries to a webhook. */
export type Fetch = (url: string, request: { body: string; signal: AbortSignal }) => Promise<Response>;

/**
 * Let all code use the history's time, random numbers and network. Nothing else comes from outside, so a
 * seed always gives the same history. @returns a function that undoes this.
 */
export function install(world: World, fetch: Fetch): () => void {
  const { clock, random, logged } = world;
  const bytes = <T extends ArrayBufferView>(array: T): T => {
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let index = 0; index < view.length; index += 1) view[index] = random.service.below(256);
    return array;
  };
  const note = (...parts: unknown[]) => {
    logged.push(parts.join(' '));
    if (logged.length > 50) logged.shift();
  };
  // No check reads sealed data, so sealing need not hide it. The real functions would answer from another
  // thread.
  const subtle = {
    importKey: async () => ({}),
    encrypt: async (_: unknown, __: unknown, data: Uint8Array) => data.slice().buffer,
    decrypt: async (_: unknown, __: unknown, data: Uint8Array) => data.slice().buffer,
  };
  const replaced: [object, string, unknown][] = [
    [Date, 'now', () => clock.now()],
    [Math, 'random', () => random.service.below(2 ** 32) / 2 ** 32],
    [globalThis, 'setTimeout', (callback: () => void, wait = 0) => clock.set(callback, wait)],
    [globalThis, 'setInterval', (callback: () => void, wait = 0) => clock.set(callback, wait, true)],
    [globalThis, 'clearTimeout', (id: number) => clock.clear(id)],
    [globalThis, 'clearInterval', (id: number) => clock.clear(id)],
    [globalThis, 'fetch', fetch],
    [globalThis, 'crypto', { getRandomValues: bytes, subtle }],
    [AbortSignal, 'timeout', (wait: number) => timeout(world, wait)],
    [console, 'error', note],
    [console, 'warn', note],
  ];
  const before = replaced.map(([holder, name]) => Object.getOwnPropertyDescriptor(holder, name));
  for (const [holder, name, value] of replaced) {
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  }
  return () => {
    replaced.forEach(([holder, name], index) => {
      const descriptor = before[index];
      if (descriptor) Object.defineProperty(holder, name, descriptor);
      else delete (holder as Record<string, unknown>)[name];
    });
  };
}

function timeout({ clock }: World, wait: number): AbortSignal {
  const controller = new AbortController();
  clock.set(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')), wait);
  return controller.signal;
}
