import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Heaps, Measured, Task } from './thread.ts';

const MIB = 1024 * 1024;
/** The most CPU time of one read in milliseconds on a usual machine, and the most memory that it may hold, in bytes. */
const CPU_MAXIMUM_MS = 300;
const HEAP_MAXIMUM = 32 * MIB;
/** A read is ended after this CPU time. */
const END_MS = 1_500;
const LOOK_MS = 50;
/** A measurement that fails its test is repeated, because compilers and garbage collection vary. */
const ATTEMPTS = 5;
/** Young objects that are not collected yet. */
const YOUNG_MIB = 8;

/** Files with cases, as scripts that threads run. Call `dispose` at the end. */
export async function bundled(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'readers-'));
  await build({
    entryPoints: [...files, 'thread.ts'].map((file) => join(import.meta.dirname, file)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A thread loads only the modules of its reader.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'error',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const script = join(folder, 'thread.mjs');
  const heaps = new Map<string, Promise<Heaps | string>>();
  return {
    /** Why a read costs too much; undefined if it stays within the limits. */
    async fault(of: {
      file: string;
      input: string;
      without?: string | undefined;
    }): Promise<string | undefined> {
      const file = join(folder, of.file.replace(/\.ts$/, '.mjs'));
      const task = { ...of, file, usual: CPU_MAXIMUM_MS };
      if (!heaps.has(file)) heaps.set(file, inThread<Heaps>(script, { file, usual: CPU_MAXIMUM_MS }));
      const before = await heaps.get(file)!;
      if (typeof before === 'string') throw new Error(`The inputs were not made: ${before}`);
      const heapMaximum = before[of.input]! + HEAP_MAXIMUM;
      const isNeeded = of.without !== undefined;
      let fault: string | undefined;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const measured = await inThread<Measured>(script, task, heapMaximum);
        if (typeof measured === 'string') return measured;
        fault = costOf(measured, isNeeded);
        if ((fault !== undefined) === isNeeded) break;
      }
      return fault;
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

/** Why a read that ended costs too much. */
function costOf({ buffers, cpu, slowness }: Measured, isNeeded: boolean): string | undefined {
  if (buffers > HEAP_MAXIMUM) return `It holds more than ${HEAP_MAXIMUM / MIB} MiB of buffers.`;
  // A slow machine excuses a read. A fast machine does not excuse a limit that nothing needs.
  const machine = isNeeded ? Math.min(slowness, 1) : Math.max(slowness, 1);
  return cpu > CPU_MAXIMUM_MS * machine ? `It takes ${Math.ceil(cpu)} ms of CPU time.` : undefined;
}

/** Run a task in a thread of its own. A text says why it did not end. */
function inThread<T>(script: string, task: Task, heapMaximum?: number): Promise<T | string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, {
      workerData: task,
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: YOUNG_MIB,
        ...(heapMaximum === undefined ? {} : { maxOldGenerationSizeMb: Math.ceil(heapMaximum / MIB) }),
      },
    });
    /** The CPU time of the thread when the read began. */
    let started = Number.POSITIVE_INFINITY;
    const timer = setInterval(async () => {
      const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
      if ((user + system) / 1_000 - started < END_MS) return;
      resolve(`It takes more than ${END_MS} ms of CPU time.`);
      await worker.terminate();
    }, LOOK_MS);
    worker.on('message', (message: T | number) => {
      if (typeof message === 'number') started = message;
      else resolve(message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (started === Number.POSITIVE_INFINITY) reject(error);
      else if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        resolve(`It holds more than ${HEAP_MAXIMUM / MIB} MiB of heap.`);
      else resolve(`It throws an error: ${error.message}`);
    });
    worker.on('exit', () => clearInterval(timer));
  });
}
