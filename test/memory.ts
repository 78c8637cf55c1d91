import { existsSync, statfsSync } from 'node:fs';

const SHARED = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/** The directory in memory, or undefined without enough space for the tests. */
export const MEMORY: string | undefined = hasRoom() ? SHARED : undefined;

function hasRoom(): boolean {
  if (!existsSync(SHARED)) return false;
  const { bavail, bsize } = statfsSync(SHARED);
  return bavail * bsize > ROOM_BYTES;
}
