/** Processes of this machine, as a test sees and signals them. */
import { readdirSync, readFileSync } from 'node:fs';

/** Send a signal to whoever is left of a process group. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    // Nobody left to receive it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process that runs. */
export interface Process {
  pid: number;
  parent: number;
  group: number;
  /** As /proc says it: `T` is stopped. */
  state: string;
  /** Its command line. */
  command: string;
}

/** Whether it is a Workers runtime. */
export const isRuntime = ({ command }: Process): boolean => command.includes('workerd serve');

/** Whether it is the runtime that listens on a port. */
export const listensAt = ({ command }: Process, port: number): boolean =>
  command.includes(`--socket-addr=entry=127.0.0.1:${port} `);

/** Processes that run, read from /proc: without it (macOS), the port alone has to tell. */
export function living(): Process[] {
  return listOf('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      // `pid (name) state parent group …`; a zombie has died, whoever may still have to collect it.
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

/** A process may end between being listed and being read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
