import { defineConfig } from 'vitest/config';

/** `npm run test:clients`: apart from the other tests, as it installs the generators of clients and the identity provider first. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.test.ts'],
    globalSetup: ['../e2e/setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
