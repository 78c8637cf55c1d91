import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JsonCheck } from '../lib/json-check.ts';
import { quoted } from '../lib/missing.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { codingOf, isJson, unsupported, unsupportedCoding } from './media-type.ts';
import type { AppContext } from './types.ts';

/** The maximum size of a JSON body in bytes, unless an operation sets another. */
export const JSON_BYTES_MAXIMUM = 1024 * 1024;
/** A body over the limit is read and discarded up to this size, so that its sender can read the answer. */
const DRAINED_BYTES_MAXIMUM = 64 * 1024 * 1024;

/**
 * The JSON body of a request; undefined if it is optional, and empty or `null`. A byte order mark before it is skipped.
 * @throws 415 for another media type, 413 over the limit (measured on arrival, chunked or not), 400 for text that is not
 * UTF-8 (RFC 8259 section 8.1), not JSON, or incomplete
 */
export async function readJson(
  c: AppContext,
  {
    bodyOptional = false,
    bodyBytesMaximum = JSON_BYTES_MAXIMUM,
  }: { bodyOptional?: boolean; bodyBytesMaximum?: number } = {},
): Promise<{ json: unknown; text: string }> {
  const bytes = await readBytes(c, bodyBytesMaximum);
  if (bytes.length > 0 && !isJson(c)) throw unsupported(c);
  const text = textOf(bytes);
  if (text === '') {
    if (bodyOptional) return { json: undefined, text };
    throw malformed('The body is empty.');
  }
  if (text === undefined) throw malformed('The body is not in UTF-8. Send JSON in UTF-8.');
  const json = parse(text);
  if (json === INVALID) throw malformed(faultIn(bytes));
  return { json: json === null && bodyOptional ? undefined : json, text };
}

/** Not JSON. */
const INVALID = Symbol('invalid');

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text!);
  } catch {
    return INVALID;
  }
}

/** The place of the first fault in a body that is not JSON. Columns are counted in characters. */
function faultIn(bytes: Uint8Array): string {
  const check = new JsonCheck();
  check.push(bytes);
  const { wrongAt = bytes.length } = check;
  const lines = new TextDecoder().decode(bytes.subarray(0, wrongAt)).split('\n');
  const place = `line ${lines.length}, column ${[...lines.at(-1)!].length + 1}`;
  const [character] = new TextDecoder().decode(bytes.subarray(wrongAt, wrongAt + 4));
  return character === undefined
    ? `The body is not well-formed JSON. It ends too early, at ${place}.`
    : `The body is not well-formed JSON. ${quoted(character)} is not allowed at ${place}.`;
}

/** The text of a body without its byte order mark; undefined if it is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The maximum size of a body that is read where none is taken. A larger body is not empty. */
const NO_BODY_BYTES_MAXIMUM = 1_024;

/**
 * Refuse a body where the operation takes none. Clients send an empty body, `null` or `{}` if they must send one.
 * @throws 400 `bodyNotAllowed` for any other body, in every media type and encoding
 */
export async function refuseBody(c: AppContext): Promise<void> {
  if (c.req.raw.body === null || c.req.header('Content-Length') === '0') return;
  const text = await readBytes(c, NO_BODY_BYTES_MAXIMUM).then(textOf, () => undefined);
  if (text?.trim() === '') return;
  const json = parse(text);
  if (json === null || (typeof json === 'object' && JSON.stringify(json) === '{}')) return;
  const detail =
    'This operation takes no body. Send the request without one. Its parameters are in the path and query.';
  throw new ProblemError(refusal('bodyNotAllowed', detail));
}

export const malformed = (detail: string): ProblemError => new ProblemError(refusal('malformedJson', detail));

const tooLarge = (maximum: number): ProblemError =>
  new ProblemError(refusal('payloadTooLarge', `A body of this operation has at most ${maximum} bytes.`));

/**
 * The sender disconnected, or the framing is wrong. This is not a defect of the service, so it is not in the error log.
 */
const brokenOff = (): ProblemError => malformed('The body is incomplete.');

/**
 * How much larger than the limit a packed body may be. Gzip makes data larger that it cannot pack, by less than this.
 */
const packedMaximum = (maximum: number): number => maximum + Math.ceil(maximum / 1_000) + 1_024;

/**
 * The parts of a body as they arrive, unpacked. If the reader stops early, or the body is larger than the maximum, the
 * rest is read and discarded, so that the sender can read the answer. @throws 413 if the unpacked body is larger than the
 * maximum, 415 for an unknown Content-Encoding, 400 if it cannot be unpacked
 */
export async function* bodyParts(c: AppContext, maximum: number): AsyncGenerator<Uint8Array> {
  const coding = codingOf(c);
  const sent = sentParts(c, coding === null ? maximum : packedMaximum(maximum));
  try {
    if (coding === 'unknown') {
      for await (const _ of sent) break;
      throw unsupportedCoding(c);
    }
    yield* coding === null ? sent : unpacked(sent, maximum);
  } finally {
    await sent.return(undefined);
  }
}

/** Unpack a body while it arrives, no further than the maximum. An empty body stays empty. */
async function* unpacked(sent: AsyncGenerator<Uint8Array>, maximum: number): AsyncGenerator<Uint8Array> {
  const first = await sent.next();
  if (first.done) return;
  const all = async function* () {
    yield first.value;
    yield* sent;
  };
  const parts = pipeline(Readable.from(all()), createGunzip(), () => undefined);
  let length = 0;
  try {
    for await (const part of parts as AsyncIterable<Uint8Array>) {
      length += part.length;
      if (length > maximum) throw tooLarge(maximum);
      yield part;
    }
  } catch (error) {
    throw error instanceof ProblemError
      ? error
      : malformed('The body is not well-formed gzip, or is incomplete.');
  }
}

/** The parts of a body as the caller sends them. @throws 413 if the body is larger than the maximum */
async function* sentParts(c: AppContext, maximum: number): AsyncGenerator<Uint8Array> {
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

/** Read a complete body, unpacked. @throws as `bodyParts` */
export async function readBytes(c: AppContext, maximum: number): Promise<Buffer> {
  const said = c.req.header('Content-Length');
  // Read a body at once if it cannot be too large. Reading by parts would double the cost of a small body.
  if (said !== undefined && Number(said) <= maximum && codingOf(c) === null) {
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
