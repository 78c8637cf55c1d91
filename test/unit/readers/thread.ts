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
  /** The input to read. Without one, only make each input, and send the memory before its read: `Heaps`. */
  input?: string;
  /** The most CPU time on a usual machine, in milliseconds. A read that breaks this is compared with the reference. */
  usual: number;
  /** A limit of the reader that does not hold, to see that a case needs it. */
  without?: string | undefined;
}

/** The bytes of the heap with each input, before it is read. */
export type Heaps = Record<string, number>;

/** What a read needs. `buffers`: the bytes outside of the heap. `cpu`: the CPU time in milliseconds. */
export interface Measured {
  buffers: number;
  cpu: number;
  /**
   * How many times slower than usual this machine was just after the read, at most `SLOWNESS_MAXIMUM`. It is less than 1
   * on a fast machine. It is 1 if a usual machine would decide the same.
   */
  slowness: number;
  /** The type of the result, which is kept until the memory is measured. */
  kept: string;
}

/** Most slowness that excuses a read. */
const SLOWNESS_MAXIMUM = 4;

/** The thread of the read measures this, because another thread may run on a faster core or at another time. */
function slowness(): number {
  const [, , middle] = Array.from({ length: 5 }, referenceMs).toSorted((a, b) => a - b);
  return Math.min(middle! / REFERENCE_MS, SLOWNESS_MAXIMUM);
}

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

/** Make each input. One thread makes all of them, because a thread takes longer than most inputs. */
function heaps({ inputs }: ReaderCases): Heaps {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, make]) => {
      const input: unknown = make();
      gc();
      const { heapUsed } = process.memoryUsage();
      return [name, input === undefined ? 0 : heapUsed];
    }),
  );
}

/** Read one input. */
async function measured(
  { inputs, read }: ReaderCases,
  { input: name, usual, without }: Task,
): Promise<Measured> {
  const input = inputs[name!]!();
  gc();
  const { arrayBuffers } = process.memoryUsage();
  const started = cpuMs();
  parentPort!.postMessage(started);
  const kept = await read(input as never);
  const cpu = cpuMs() - started;
  const buffers = process.memoryUsage().arrayBuffers - arrayBuffers;
  const isNeeded = without !== undefined;
  return { buffers, cpu, slowness: cpu > usual === isNeeded ? 1 : slowness(), kept: typeof kept };
}

const task: Task = workerData;
const { default: cases }: { default: ReaderCases } = await import(task.file);
if (task.without !== undefined)
  (READERS.get(cases.reader)!.limits as Record<string, number>)[task.without] = Number.POSITIVE_INFINITY;
parentPort!.postMessage(task.input === undefined ? heaps(cases) : await measured(cases, task));
