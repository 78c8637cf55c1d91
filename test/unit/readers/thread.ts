import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { READERS } from '../../../src/core/lib/reader.ts';
import { cpuMs } from '../../cpu-time.ts';
import type { ReaderCases } from './case.ts';

/** The work of a thread of `measure.ts`. */
export interface Task {
  /** The file with the cases of the reader. */
  file: string;
  input: string;
  /** Only make the input. The heap is then the memory before the read. */
  isEmpty: boolean;
  /** A read that takes more milliseconds than this is compared with the reference. */
  usual: number;
  /** A limit of the reader that does not hold, to see that a case needs it. */
  without?: string | undefined;
}

/** The memory in bytes, and the CPU time of the read in milliseconds. `buffers`: bytes outside of the heap. */
export interface Measured {
  heap: number;
  buffers: number;
  cpu: number;
  /** How many times slower than usual this machine was just after the read: 1 to `SLOWNESS_MAXIMUM`. */
  slowness: number;
}

/** A usual time of the reference. A machine that other work slows down needs more, and reads may then take longer too. */
const REFERENCE_MS = 16;
const SLOWNESS_MAXIMUM = 4;

const REFERENCE_TEXT = JSON.stringify(
  Array.from({ length: 30_000 }, (_, at) => ({ key: `k${at % 50}`, value: `v${at}` })),
);

/** The CPU time of fixed work, in milliseconds. It makes as many objects and texts as readers do. */
function referenceMs(): number {
  const started = cpuMs();
  const values: { value: string }[] = JSON.parse(REFERENCE_TEXT);
  const texts = new Set(values.map(({ value }) => value.replace(/[^\d]/g, '')));
  return texts.size === values.length ? cpuMs() - started : Number.NaN;
}

/** The thread of the read measures this, because another thread may run on a faster core or at another time. */
function slowness(): number {
  const [, , middle] = Array.from({ length: 5 }, referenceMs).toSorted((a, b) => a - b);
  return Math.min(Math.max(middle! / REFERENCE_MS, 1), SLOWNESS_MAXIMUM);
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
    slowness: cpu > usual ? slowness() : 1,
    kept: typeof kept,
  });
}

await run(workerData);
