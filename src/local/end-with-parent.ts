/**
 * Loaded into a process (`node --import`), ends it by SIGTERM once its parent is gone. A parent that is killed
 * with SIGKILL cannot end its children, and they would go on holding port and state.
 */
import { isMainThread } from 'node:worker_threads';

const CHECK_MS = 500;
const parent = process.ppid;

if (isMainThread) {
  // An orphan is given to another parent. Where the system does not do so (Windows), nothing happens here.
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS).unref();
}
