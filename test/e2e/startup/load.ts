import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/** The runtime's own module, as far as a Worker's script needs it to load. */
const RUNTIME = `data:text/javascript,${encodeURIComponent('export class DurableObject {}; export class WorkerEntrypoint {}; export const env = {}; export const waitUntil = () => {};')}`;

registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('cloudflare:') ? { url: RUNTIME, shortCircuit: true } : next(name, context),
});

/** Loads a Worker's script as the runtime does before the first request. */
export const load = (script: string): Promise<unknown> => import(pathToFileURL(script).href);
