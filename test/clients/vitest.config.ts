import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: apart from the other tests, as it installs the generators of clients first. */
export default defineConfig({
  test: { root: import.meta.dirname, include: ['*.test.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
});
