import { SECOND_MS } from './time.ts';

/**
 * What a failure of the store means. `collision`: a constraint refused a write, somebody else was first. `passing`: D1
 * was not reached, was busy or was lost on the way; whether a write took effect is not known. `lasting`: it will fail
 * again soon, such as a full or read-only store. `defect`: the fault is our own, or it is no failure of the store.
 */
export type StoreFailure = 'collision' | 'passing' | 'lasting' | 'defect';

/** The text of an error and of what caused it: D1 reports SQLite's message in either. */
export const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messagesOf(error.cause ?? '')}` : String(error);

const COLLISION = /SQLITE_CONSTRAINT|constraint failed/i;
/** Statements that SQLite or D1 does not take. */
const OWN_FAULT =
  /SQLITE_(ERROR|MISMATCH|MISUSE|RANGE|TOOBIG|AUTH)\b|D1_(TYPE|COLUMN|EXEC)\w*ERROR|parameter bindings/i;
/** What does not mend itself within a second, and what asking again makes worse. */
const LASTING =
  /SQLITE_(FULL|READONLY|CORRUPT|NOTADB|PERM)|(maximum|exceeded)\b.*\b(size|storage)|overloaded|too many requests/i;
/** All else that D1 says of itself; the words are those of errors that do not name it. */
const FROM_STORE =
  /\bD1_|\bD1 DB\b|SQLITE_|network connection lost|reset|transient|timed? ?out|internal error/i;

/** Tell failures of the store apart, by what D1 and the platform say: the one place that knows their words. */
export function failureOf(error: unknown): StoreFailure {
  const text = messagesOf(error);
  if (COLLISION.test(text)) return 'collision';
  if (OWN_FAULT.test(text)) return 'defect';
  if (LASTING.test(text)) return 'lasting';
  return FROM_STORE.test(text) ? 'passing' : 'defect';
}

/** Whether the store did not answer: nothing is wrong with what was asked, and it can be asked again later. */
export const isUnavailable = (error: unknown): boolean => ['passing', 'lasting'].includes(failureOf(error));

/** The caller's key is taken, and nothing before it in the batch was: what the writer knows is current. */
export const isRepeat = (error: unknown): boolean =>
  /UNIQUE constraint failed: idempotency\./i.test(messagesOf(error));

/**
 * When a message is to be tried again whose consumer could not ask the store: one that fails for half a minute must not
 * make dead letters of what is under way.
 */
export const LATER = { delaySeconds: 10 } as const;

/** How long what only reads is asked again, besides what the asking itself takes. */
const PATIENCE_MS = SECOND_MS;
const FIRST_PAUSE_MS = 50;

/**
 * Ask the store for something that may be asked twice, and ask again, with full jitter, where the failure may pass:
 * for a second or so. Not for what the writer asks, which begins anew itself.
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let longest = FIRST_PAUSE_MS; ; longest *= 2) {
    try {
      return await ask();
    } catch (error) {
      const wait = Math.random() * longest;
      if (failureOf(error) !== 'passing' || Date.now() + wait > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
