/**
 * `node test/e2e/startup/measure.ts SCRIPT` prints the CPU time in milliseconds that a Worker's script takes to load, in
 * the engine that Node and workerd share. The time of other processes does not count.
 */
import { threadCpuUsage } from 'node:process';
import { load } from './load.ts';

const before = threadCpuUsage();
await load(process.argv[2]!);
const { user, system } = threadCpuUsage(before);
console.log((user + system) / 1000);
