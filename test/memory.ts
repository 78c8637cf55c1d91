import { existsSync, statfsSync } from 'node:fs';

const SHARED = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/** The directory that is memory, where there is one with room for what the tests keep in it: else undefined. */
export const MEMORY: string | undefined = hasRoom() ? SHARED : undefined;

function hasRoom(): boolean {
  if (!existsSync(SHARED)) return false;
  const { bavail, bsize } = statfsSync(SHARED);
  return bavail * bsize > ROOM_BYTES;
}
