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
  /** A limit of the reader that does not hold, to see that a case needs it. */
  without?: string | undefined;
}

/** The memory in bytes, and the CPU time of the read in milliseconds. `buffers`: bytes outside of the heap. */
export interface Measured {
  heap: number;
  buffers: number;
  cpu: number;
}

/** Do the task of this thread, and send what was measured. */
async function run({ file, input: name, isEmpty, without }: Task): Promise<void> {
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
    kept: typeof kept,
  });
}

await run(workerData);
