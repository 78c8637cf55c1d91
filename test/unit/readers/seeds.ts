import { declareReader } from '../../../src/core/lib/reader.ts';
import { casesOf } from './case.ts';
import { REFERENCE_MS, referenceMs } from './reference.ts';

const MIB = 1024 * 1024;

declareReader('seeds', { items: 1 });

/** What a read does, and the fault that is to be found. */
interface Seed {
  fault: RegExp | undefined;
  /** The CPU time on a usual machine, in milliseconds. */
  ms?: number;
  /** Whether the read is measured as one without its limit. */
  isWithout?: boolean;
  keeps?: 'objects' | 'buffers';
}

/** Reads that cost too much, and reads that do not. Their CPU time depends on the machine as that of readers does. */
export default casesOf<Seed>({
  reader: 'seeds',
  needed: {},
  inputs: {
    'endless work': () => ({
      fault: /^It takes more than 1500 ms of CPU time\.$/,
      ms: Number.POSITIVE_INFINITY,
    }),
    memory: () => ({ fault: /^It holds more than 32 MiB of heap\.$/, keeps: 'objects' }),
    buffers: () => ({ fault: /^It holds more than 32 MiB of buffers\.$/, keeps: 'buffers' }),
    'cheap work': () => ({ fault: undefined, ms: 50 }),
    'cheap work without a limit': () => ({ fault: undefined, ms: 50, isWithout: true }),
    'dear work without a limit': () => ({ fault: /^It takes/, ms: 800, isWithout: true }),
  },
  read({ ms = 0, keeps }) {
    for (let done = 0; done < ms; done += REFERENCE_MS) referenceMs();
    const kept: unknown[] = [];
    if (keeps === 'objects') for (let at = 0; at < 3 * MIB; at += 1) kept.push({ at });
    if (keeps === 'buffers') kept.push(new Uint8Array(40 * MIB));
    return kept;
  },
});
