import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Measured, Task } from './thread.ts';

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
  return {
    /** Why a read costs too much; undefined if it stays within the limits. */
    async fault({ file, ...rest }: Omit<Task, 'isEmpty' | 'usual'>): Promise<string | undefined> {
      const task = { file: join(folder, file.replace(/\.ts$/, '.mjs')), usual: CPU_MAXIMUM_MS, ...rest };
      const empty = await inThread(script, { ...task, isEmpty: true });
      if (typeof empty === 'string') throw new Error(`The input was not made: ${empty}`);
      const heapMaximum = empty.heap + HEAP_MAXIMUM;
      let fault: string | undefined;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const measured = await inThread(script, { ...task, isEmpty: false }, heapMaximum);
        if (typeof measured === 'string') return measured;
        if (measured.buffers > HEAP_MAXIMUM)
          return `It holds more than ${HEAP_MAXIMUM / MIB} MiB of buffers.`;
        // A slow machine excuses a read. A fast machine does not excuse a limit that nothing needs.
        const isNeeded = rest.without !== undefined;
        const machine = isNeeded ? Math.min(measured.slowness, 1) : Math.max(measured.slowness, 1);
        const isCostly = measured.cpu > CPU_MAXIMUM_MS * machine;
        fault = isCostly ? `It takes ${Math.ceil(measured.cpu)} ms of CPU time.` : undefined;
        if (isCostly === isNeeded) break;
      }
      return fault;
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

/** Run a task in a thread of its own. A text says why it did not end. */
function inThread(script: string, task: Task, heapMaximum?: number): Promise<Measured | string> {
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
    worker.on('message', (message: Measured | number) => {
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
