import type { Database } from '../../core/lib/database.ts';
import { urlFault } from '../../core/lib/outgoing-url.ts';
import { SECOND_MS } from '../../core/lib/time.ts';
import type { StoredEvent } from '../../log/event/present.ts';
import { type Fault, parseRetryAfter } from './rules.ts';
import type { DeliveredType } from './schema.ts';
import type { Attempt } from './store.ts';
import type { WebhookFormat } from './table.ts';

/** The time within which a receiver must answer. */
export const TIMEOUT_MS = 15 * SECOND_MS;
/** The number of bytes that are read of an answer, and of characters that are stored. */
const RESPONSE_BYTES_MAXIMUM = 4_096;
const RESPONSE_CHARACTERS_MAXIMUM = 1_000;
const USER_AGENT = 'warehouse-dispatch-webhook/1';

/** The outcome of an attempt; without an error it succeeded. */
export interface Attempted extends Attempt {
  retryAfterMs: number | null;
}

/** The outcome of an attempt that ends now. It has no answer and no error, unless `said` has one. */
export const attemptEnd = (attemptDate: number, said: Partial<Attempted>): Attempted => ({
  attemptDate,
  statusCode: null,
  durationMs: Math.max(0, Date.now() - attemptDate),
  response: null,
  error: null,
  retryAfterMs: null,
  ...said,
});

/** The outcome if nothing was sent. */
export const notSent = (error: Fault): Attempted => attemptEnd(Date.now(), { error });

/** A request to a receiver. */
interface Sending {
  url: string;
  headers: HeadersInit;
  body: string;
  allowLoopback: boolean;
}

/** POST once. Never throws; faults reveal nothing about the service. */
export async function post({ url, headers, body, allowLoopback }: Sending): Promise<Attempted> {
  // A URL that was accepted before may be refused now, because the rules or the variable for loopback have
  // changed.
  const fault = urlFault(url, { allowLoopback });
  if (fault) return notSent(fault);
  const attemptDate = Date.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = new Headers(headers);
    sent.set('Content-Type', 'application/json');
    sent.set('User-Agent', USER_AGENT);
    const answer = await fetch(url, { method: 'POST', headers: sent, body, redirect: 'manual', signal });
    const response = await readStart(answer, signal);
    return attemptEnd(attemptDate, {
      statusCode: answer.status,
      response,
      error: answer.ok ? null : 'ANSWERED',
      retryAfterMs: answer.ok ? null : parseRetryAfter(answer.headers.get('Retry-After'), Date.now()),
    });
  } catch (error) {
    const late = ['TimeoutError', 'AbortError'].includes((error as Error).name);
    return attemptEnd(attemptDate, { error: late ? 'LATE' : 'UNREACHABLE' });
  }
}

/** The beginning of an answer's text. If time runs out, the text read so far is used, because the status is known. */
async function readStart(answer: Response, signal: AbortSignal): Promise<string> {
  const reader = answer.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const over = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });
  try {
    while (bytes < RESPONSE_BYTES_MAXIMUM) {
      const part = await Promise.race([reader.read(), over]);
      if (part?.value === undefined) break;
      bytes += part.value.byteLength;
      text += decoder.decode(part.value.subarray(0, RESPONSE_BYTES_MAXIMUM), { stream: true });
    }
  } catch {
    // The connection broke after the status.
  }
  reader.cancel().catch(() => undefined);
  return [...text.toWellFormed().replaceAll('\u0000', '\ufffd')]
    .slice(0, RESPONSE_CHARACTERS_MAXIMUM)
    .join('');
}

/** A requested test, or a confirmation e-mail. */
export interface Tested {
  eventIdentifier: string;
  eventType: DeliveredType;
  /** Epoch milliseconds. */
  eventDate: number;
  organizationUuid: string;
  webhook: {
    uuid: string;
    name: string;
    linkOrigin: string;
    /** The name of the organization. */
    sender: string;
  };
}

/** The parts of a webhook that bodies depend on. */
interface Receiver {
  uuid: string;
  /** The origin of links. */
  linkOrigin: string;
}

/** Makes the bodies of deliveries in a format. */
export interface Format {
  /** The bodies of events, by their numbers. They lack events without a counterpart in the format. */
  bodies(
    database: Database,
    receiver: Receiver,
    events: readonly StoredEvent[],
  ): Promise<Map<number, string>>;
  /** The body of a test. */
  test(tested: Tested): string;
}

export type Formats = Readonly<Record<WebhookFormat, Format>>;

/** The test for a delivery without a number. */
export const testOf = (
  organizationUuid: string,
  { uuid, name, linkOrigin, sender }: Tested['webhook'],
  { eventUuid, eventType, createDate }: { eventUuid: string; eventType: DeliveredType; createDate: number },
): Tested => ({
  eventIdentifier: eventUuid,
  eventType,
  eventDate: createDate,
  organizationUuid,
  webhook: { uuid, name, linkOrigin, sender },
});
