import { registerHooks } from 'node:module';
import { type Guard, patched } from './guards.ts';

const OWN_UUID = new URL('./uuid.ts', import.meta.url).href;

/** Load the service as a history needs it: with UUIDs that a seed repeats, and without a guard that is to be missed. */
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
