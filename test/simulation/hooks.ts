import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { patched } from './guards.ts';
import type { Guard } from './guards-evidence.ts';

const OWN_UUID = new URL('./uuid.ts', import.meta.url).href;

/**
 * Register module hooks for the service: UUIDs that a seed repeats, the code of one guard removed, and pages, which Node does
 * not read by itself.
 */
export function loadService(guard: Guard | undefined): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'uuid' ? { url: OWN_UUID, shortCircuit: true } : next(specifier, context),
    load(url, context, next) {
      if (url.endsWith('.tsx')) return { format: 'module', source: pageOf(url), shortCircuit: true };
      const loaded = next(url, context);
      if (!guard || !url.endsWith(`/${guard.file}`)) return loaded;
      return { ...loaded, source: patched(guard, String(loaded.source)) };
    },
  });
}

const pageOf = (url: string): string =>
  transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'tsx',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
  }).code;
