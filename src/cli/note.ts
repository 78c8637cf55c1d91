/** Who serves a state, noted in its directory: a start may be killed without what it started, and meet it again. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './watch.ts';
import { isAlive, killGroup } from './wrangler.ts';

const POLL_MS = 50;
const ASK_MAXIMUM_MS = 2_000;
/** How long the killed may take to leave the port. */
const DEATH_MAXIMUM_MS = 10_000;

export interface Note {
  /** The start. */
  pid: number;
  /** Process group of what it started. */
  group: number;
  origin: string;
}

const fileIn = (state: string): string => join(state, 'serving.json');

/** Write down who serves; what is returned takes it back. */
export function writeNote(state: string, note: Note): () => void {
  writeFileSync(fileIn(state), JSON.stringify(note));
  return () => rmSync(fileIn(state), { force: true });
}

/** The start that serves this state and still runs. */
export function readNote(state: string): Note | undefined {
  const note = lastNote(state);
  return note && isRunning(note.pid) ? note : undefined;
}

/**
 * End what serves this state without its start; whether there was anything. It is ours where it answers as this
 * service does: the number of its group alone could be another's by now.
 */
export async function endLeftovers(state: string): Promise<boolean> {
  const note = lastNote(state);
  if (!note || isRunning(note.pid) || !isAlive(note.group)) return false;
  if ((await ask(note.origin, ASK_MAXIMUM_MS)) !== 'up') return false;
  killGroup(note.group);
  const deadline = performance.now() + DEATH_MAXIMUM_MS;
  while (performance.now() < deadline && (await ask(note.origin, ASK_MAXIMUM_MS)) !== 'refused')
    await sleep(POLL_MS);
  return true;
}

function lastNote(state: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(state), 'utf8')) as Note;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether there is such a process.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
