import { registerHooks } from 'node:module';
import { patched } from './guards.ts';
import type { Guard } from './guards-evidence.ts';

const OWN_UUID = new URL('./uuid.ts', import.meta.url).href;

/** Register module hooks for the service: UUIDs that a seed repeats, and the code of one guard removed. */
export function loadService(guard: Guard | undefined): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'uuid' ? { url: OWN_UUID, shortCircuit: true } : next(specifier, context),
    load(url, context, next) {
      const loaded = next(url, context);
      if (!guard || !url.endsWith(`/${guard.file}`)) return loaded;
      return { ...loaded, source: patched(guard, String(loaded.source)) };
    },
  });
}
