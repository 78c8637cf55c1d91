/** Processes of this machine, and the signals that tests send to them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to the remaining processes of a process group. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // No process is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A running process. */
export interface Process {
  pid: number;
  parent: number;
  group: number;
  /** The state in /proc: `T` means stopped. */
  state: string;
  command: string;
}

/** Whether the process is a Workers runtime. */
export const isRuntime = ({ command }: Process): boolean => command.includes('workerd serve');

/** Whether the process is the runtime that listens on this port. */
export const listensAt = ({ command }: Process, port: number): boolean =>
  command.includes(`--socket-addr=entry=127.0.0.1:${port} `);

/**
 * Returns the running processes of /proc. On macOS, which lacks /proc, the list is empty and tests check only the
 * port.
 */
export function living(): Process[] {
  return listOf('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      // The file holds `pid (name) state parent group …`. A zombie counts as ended, even if its parent has not
      // collected it.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (!group || state === 'Z' || state === 'X') return [];
      const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), state: state!, command }];
    });
}

function listOf(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Returns an empty text for a process that ended after it was listed. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
