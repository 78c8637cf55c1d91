/**
 * `node test/e2e/startup/measure.ts SCRIPT` prints the CPU time in milliseconds that a Worker's script takes to load, in
 * the engine that Node and workerd share. The time of other processes does not count.
 */
import { registerHooks } from 'node:module';
import { threadCpuUsage } from 'node:process';
import { pathToFileURL } from 'node:url';

/** The runtime's own module, as far as the script needs it to load. */
const RUNTIME = `data:text/javascript,${encodeURIComponent('export class DurableObject {}; export class WorkerEntrypoint {}; export const env = {}; export const waitUntil = () => {};')}`;

registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('cloudflare:') ? { url: RUNTIME, shortCircuit: true } : next(name, context),
});
const script = pathToFileURL(process.argv[2]!).href;
const before = threadCpuUsage();
await import(script);
const { user, system } = threadCpuUsage(before);
console.log((user + system) / 1000);
