import { Buffer } from 'node:buffer';
import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/** The maximum size of a JSON body in bytes, unless an operation sets another. */
export const JSON_BYTES_MAXIMUM = 1024 * 1024;
/** A body over the limit is read and discarded up to this size, so that its sender can read the answer. */
const DRAINED_BYTES_MAXIMUM = 64 * 1024 * 1024;

/**
 * The JSON body of a request; undefined if it is empty and optional. @throws 415 for another media type, 413 over the
 * limit (measured on arrival, chunked or not), 400 for text that is not UTF-8 (RFC 8259 section 8.1), not JSON, or
 * incomplete
 */
export async function readJson(
  c: AppContext,
  {
    bodyOptional = false,
    bodyBytesMaximum = JSON_BYTES_MAXIMUM,
  }: { bodyOptional?: boolean; bodyBytesMaximum?: number } = {},
): Promise<unknown> {
  const bytes = await readBytes(c, bodyBytesMaximum);
  if (bytes.length === 0) {
    if (bodyOptional) return undefined;
    throw malformed('The body is empty.');
  }
  if (!isJson(c)) throw unsupported();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw malformed('The body is not well-formed JSON in UTF-8.');
  }
}

/** Whether the request declares its body as this media type in UTF-8. */
export function isOfType(c: AppContext, type: string): boolean {
  const [sent, ...parameters] = (c.req.header('Content-Type') ?? '').split(';').map((part) => part.trim());
  return sent!.toLowerCase() === type && parameters.every((parameter) => UTF_8.test(parameter));
}

const UTF_8 = /^charset\s*=\s*"?utf-8"?$/i;

/** Whether the request declares its body as JSON in UTF-8. */
export const isJson = (c: AppContext): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(c.req.header('Content-Type') ?? '');

/** The refusal (415) for another media type. */
export const unsupported = (type = 'application/json'): ProblemError =>
  new ProblemError(refusal('unsupportedMediaType', `Send Content-Type: ${type} in UTF-8.`));

export const malformed = (detail: string): ProblemError => new ProblemError(refusal('malformedJson', detail));

const tooLarge = (maximum: number): ProblemError =>
  new ProblemError(refusal('payloadTooLarge', `A body of this operation has at most ${maximum} bytes.`));

/**
 * The sender disconnected, or the framing is wrong. This is not a defect of the service, so it is not in the error log.
 */
const brokenOff = (): ProblemError => malformed('The body is incomplete.');

/**
 * The parts of a body as they arrive. If the reader stops early, or the body is larger than the maximum, the rest is
 * read and discarded, so that the sender can read the answer. @throws 413 if the body is larger than the maximum
 */
export async function* bodyParts(c: AppContext, maximum: number): AsyncGenerator<Uint8Array> {
  const reader = (c.req.raw.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (!reader) return;
  let length = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await reader.read().catch(() => {
      throw brokenOff();
    });
    length += value?.length ?? 0;
    return done ? undefined : value;
  };
  try {
    for (let part = await next(); part && length <= maximum; part = await next()) yield part;
    if (length > maximum) throw tooLarge(maximum);
  } finally {
    await drain(next, () => length > Math.max(maximum, DRAINED_BYTES_MAXIMUM));
    await reader.cancel().catch(() => undefined);
  }
}

/** Discard the rest of a body, up to a limit. The sender may have disconnected. */
async function drain(next: () => Promise<unknown>, isEnough: () => boolean): Promise<void> {
  try {
    while (!isEnough() && (await next()));
  } catch {
    // The sender has disconnected and does not read the answer.
  }
}

/** Read a complete body. @throws as `bodyParts` */
export async function readBytes(c: AppContext, maximum: number): Promise<Buffer> {
  const said = c.req.header('Content-Length');
  // Read a body at once if it cannot be too large. Reading by parts would double the cost of a small body.
  if (said !== undefined && Number(said) <= maximum) {
    const whole = await c.req.raw.arrayBuffer().catch(() => {
      throw brokenOff();
    });
    if (whole.byteLength > maximum) throw tooLarge(maximum);
    return Buffer.from(whole);
  }
  const parts: Uint8Array[] = [];
  for await (const part of bodyParts(c, maximum)) parts.push(part);
  return Buffer.concat(parts);
}
