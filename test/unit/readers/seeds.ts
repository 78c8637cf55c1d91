import { casesOf } from './case.ts';

const MIB = 1024 * 1024;

/** Reads that cost too much, with the fault that is to be found. */
export default casesOf<string>({
  reader: 'seeds',
  needed: {},
  inputs: {
    time: () => 'It takes more than 1500 ms of CPU time.',
    memory: () => 'It holds more than 32 MiB of heap.',
    buffers: () => 'It holds more than 32 MiB of buffers.',
  },
  read(fault) {
    const kept: unknown[] = [];
    if (fault.includes('time')) for (;;) kept.length = 0;
    if (fault.includes('heap')) for (let at = 0; at < 3 * MIB; at += 1) kept.push({ at });
    if (fault.includes('of buffers')) kept.push(new Uint8Array(40 * MIB));
    return kept;
  },
});
