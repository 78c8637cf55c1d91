import { SECOND_MS } from './time.ts';

/**
 * The kinds of failures of a call to the platform: to D1, R2, a queue or a Durable Object. `collision`: a constraint
 * refused a write, because another write came first. `passing`: the platform was unreachable or busy, or the answer was
 * lost. It is unknown whether a write took effect. `lasting`: the call will soon fail again, for example in a full store or
 * beyond a limit of the invocation. `defect`: a bug of the service, or an error that no call to the platform threw.
 */
export type StoreFailure = 'collision' | 'passing' | 'lasting' | 'defect';

/** The messages of an error and its causes. D1 reports SQLite's message in either. */
export const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messagesOf(error.cause ?? '')}` : String(error);

/** Errors that calls to the platform threw. Only they can be an outage. The text of another error does not matter. */
const ofPlatform = new WeakSet<Error>();

/** The message of the platform if an object of another version does not have the method that was called. */
const NO_METHOD = /RPC receiver does not implement/;

/** Errors that only wrong code throws. The platform throws a plain `Error`, also across the calls of Durable Objects. */
const isBug = (error: Error): boolean =>
  !NO_METHOD.test(error.message) &&
  ([TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind) ||
    error.name === 'DataCloneError');

/** Mark an error as thrown by the platform, and return it. */
export function fromPlatform(error: unknown): unknown {
  if (error instanceof Error && !isBug(error)) ofPlatform.add(error);
  return error;
}

/** An error that counts as an unavailable platform. */
export function outage(message: string): Error {
  const error = new Error(message);
  ofPlatform.add(error);
  return error;
}

/** Call the platform. An error is marked as its error. */
export async function reaching<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw fromPlatform(error);
  }
}

const isOfPlatform = (error: unknown): boolean =>
  error instanceof Error && (ofPlatform.has(error) || isOfPlatform(error.cause));

const COLLISION = /SQLITE_CONSTRAINT|constraint failed/i;
/** Messages for invalid statements. */
const OWN_FAULT =
  /SQLITE_(ERROR|MISMATCH|MISUSE|RANGE|TOOBIG|AUTH)\b|D1_(TYPE|COLUMN|EXEC)\w*ERROR|parameter bindings|depth limit/i;
/** Messages for failures that last longer than a second. Retries make them worse. */
const LASTING =
  /SQLITE_(FULL|READONLY|CORRUPT|NOTADB|PERM)|(maximum|exceeded)\b.*\b(size|storage)|overloaded|too many requests/i;
/** Messages for a limit of one invocation, isolate, object or account. Only a later invocation can succeed. */
const OVER_LIMIT =
  /too many (api requests|subrequests)\b|exceeded (its )?(cpu|memory|resource|allowed)|memory limit (would be )?exceeded|too much load|concurrent request rate|concurrent storage operations|exceeded D1's/i;
/** Classify a failure. Only this module knows the wording of D1 and the platform. An unknown message is passing. */
export function failureOf(error: unknown): StoreFailure {
  if (!isOfPlatform(error)) return 'defect';
  const text = messagesOf(error);
  if (COLLISION.test(text)) return 'collision';
  if (OVER_LIMIT.test(text)) return 'lasting';
  if (OWN_FAULT.test(text)) return 'defect';
  return LASTING.test(text) ? 'lasting' : 'passing';
}

/** Whether the store is unavailable. The request was valid, and the caller can repeat it later. */
export const isUnavailable = (error: unknown): boolean => ['passing', 'lasting'].includes(failureOf(error));

/** Whether a commit failed because the id of the answer of a command without a key is taken. */
export const isAnswerTaken = (error: unknown): boolean =>
  /UNIQUE constraint failed: recent_answer\./i.test(messagesOf(error));

/**
 * Whether a commit failed only because its idempotency key or the id of a scan is taken. Nothing before it in the batch
 * failed, so the writer's memory is current.
 */
export const isRepeat = (error: unknown): boolean =>
  /UNIQUE constraint failed: (idempotency|scan)\./i.test(messagesOf(error));

/**
 * Options for retrying a queue message if the store was not available. The delay keeps an outage of half a minute from
 * turning messages into dead letters.
 */
export const LATER = { delaySeconds: 10 } as const;

/** How long a read is retried, not counting the duration of the calls. */
const PATIENCE_MS = SECOND_MS;
const FIRST_PAUSE_MS = 50;

/**
 * Make a repeatable call to the store. If its failure may pass, retry with full jitter for about a second. Not for the
 * writer, which retries commands itself.
 */
export async function retried<T>(ask: () => Promise<T>): Promise<T> {
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
