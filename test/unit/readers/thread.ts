import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { READERS } from '../../../src/core/lib/reader.ts';
import { cpuMs } from '../../cpu-time.ts';
import type { ReaderCases } from './case.ts';
import { REFERENCE_MS, referenceMs } from './reference.ts';

/** The work of a thread of `measure.ts`. */
export interface Task {
  /** The file with the cases of the reader. */
  file: string;
  input: string;
  /** Only make the input. The heap is then the memory before the read. */
  isEmpty: boolean;
  /** The most CPU time on a usual machine, in milliseconds. A read that breaks this is compared with the reference. */
  usual: number;
  /** A limit of the reader that does not hold, to see that a case needs it. */
  without?: string | undefined;
}

/** The memory in bytes, and the CPU time of the read in milliseconds. `buffers`: bytes outside of the heap. */
export interface Measured {
  heap: number;
  buffers: number;
  cpu: number;
  /**
   * How many times slower than usual this machine was just after the read, at most `SLOWNESS_MAXIMUM`. It is less than 1
   * on a fast machine. It is 1 if a usual machine would decide the same.
   */
  slowness: number;
}

/** Most slowness that excuses a read. */
const SLOWNESS_MAXIMUM = 4;

/** The thread of the read measures this, because another thread may run on a faster core or at another time. */
function slowness(): number {
  const [, , middle] = Array.from({ length: 5 }, referenceMs).toSorted((a, b) => a - b);
  return Math.min(middle! / REFERENCE_MS, SLOWNESS_MAXIMUM);
}

/** Do the task of this thread, and send what was measured. */
async function run({ file, input: name, isEmpty, usual, without }: Task): Promise<void> {
  const { default: cases }: { default: ReaderCases } = await import(file);
  const { reader, inputs, read } = cases;
  if (without !== undefined) {
    (READERS.get(reader)!.limits as Record<string, number>)[without] = Number.POSITIVE_INFINITY;
  }
  const input = inputs[name]!();
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const start = process.memoryUsage();
  const started = cpuMs();
  parentPort!.postMessage(started);
  const kept = isEmpty ? input : await read(input as never);
  const cpu = cpuMs() - started;
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  parentPort!.postMessage({
    heap: heapUsed,
    buffers: arrayBuffers - start.arrayBuffers,
    cpu,
    slowness: cpu > usual === (without === undefined) ? slowness() : 1,
    kept: typeof kept,
  });
}

await run(workerData);
