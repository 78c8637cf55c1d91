import { Buffer } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { JsonCheck } from '../lib/json-check.ts';
import { quoted } from '../lib/missing.ts';
import { ProblemError, refusal } from '../lib/problem.ts';
import { declareReader, OverBudget } from '../lib/reader.ts';
import { withSentNumbers } from './exact-numbers.ts';
import { codingOf, isJson, unsupported, unsupportedCoding } from './media-type.ts';
import { enter, inTurn, SMALL_BYTES } from './permit.ts';
import { validationRefusal } from './problem-items.ts';
import type { AppContext } from './types.ts';

/** The maximum size of a JSON body in bytes, unless an operation sets another. */
export const JSON_BYTES_MAXIMUM = 1024 * 1024;
/** The maximum number of levels of a JSON text. The outermost object or array is level 1. */
export const LEVELS_MAXIMUM = 64;
/** Refusals repeat the numbers of a body with at most this many values exactly. A larger body would be parsed slowly. */
const EXACT_VALUES_MAXIMUM = 100_000;
/** A body over the limit is read and discarded up to this size, so that its sender can read the answer. */
const DRAINED_BYTES_MAXIMUM = 64 * 1024 * 1024;

/**
 * The reader of JSON bodies. `values` are objects, arrays, texts, numbers, true, false and null; an empty object or array
 * may count as two. `names` are different names of members. The largest body, a bulk upsert of 5 MiB, has 330,000 values
 * for 10,000 items with ten custom fields each. It would have more only if keys and values had less than four characters.
 */
const JSON_BODY = declareReader('json-body', {
  levels: LEVELS_MAXIMUM,
  values: 340_000,
  names: 1_000,
});

/** The length of a body with the maximum number of names, such as `"a":0,`, at least. */
const NAMES_TEXT_MINIMUM = JSON_BODY.limits.names * '"":0,'.length;

/** The body of a request as JSON. */
export interface JsonBody {
  /** The parsed body; undefined if it is optional, and empty or `null`. */
  json: unknown;
  /** The body with its numbers as they were sent, for refusals. The same as `json` if the body has many values. */
  sent: () => unknown;
}

/**
 * The JSON body of a request. A byte order mark before it is skipped.
 * @throws 415 for another media type, and 413 over the limit (measured on arrival, chunked or not). 400 if it is not JSON
 * in UTF-8 (RFC 8259 section 8.1), is incomplete, or is beyond a limit of `JSON_BODY`
 */
export async function readJson(
  c: AppContext,
  {
    bodyOptional = false,
    bodyBytesMaximum = JSON_BYTES_MAXIMUM,
  }: { bodyOptional?: boolean; bodyBytesMaximum?: number } = {},
): Promise<JsonBody> {
  const bytes = await readBytes(c, bodyBytesMaximum);
  if (bytes.length > 0 && !isJson(c)) throw unsupported(c);
  return inTurn(c, () => jsonOf(bytes, bodyOptional));
}

/** The JSON of a body. @throws 400 as `readJson` */
function jsonOf(bytes: Buffer, bodyOptional: boolean): JsonBody {
  const text = textOf(bytes);
  if (text === '') {
    if (bodyOptional) return { json: undefined, sent: () => undefined };
    throw malformed('The body is empty.');
  }
  if (text === undefined) throw notUtf8();
  const values = checked(text);
  const json: unknown = JSON.parse(text);
  return {
    json: json === null && bodyOptional ? undefined : json,
    sent: values > EXACT_VALUES_MAXIMUM ? () => json : once(() => withSentNumbers(text)),
  };
}

/** The work of a function, done once and only if needed. */
function once<T>(work: () => T): () => T {
  let done: { result: T } | undefined;
  return () => {
    done ??= { result: work() };
    return done.result;
  };
}

/** Check a body before it is parsed. Returns how many values it has. @throws 400 */
function checked(text: string): number {
  const budget = JSON_BODY.budget();
  const names = new Set<string>();
  const name = (one: string) => {
    if (names.has(one)) return;
    budget.charge('names');
    names.add(one);
  };
  const level = () => budget.charge('levels');
  // Most bodies are so short that they cannot have too many names.
  const check = new JsonCheck(text.length < NAMES_TEXT_MINIMUM ? { level } : { level, name });
  try {
    check.push(text);
    if (check.end() === null) throw malformed(faultIn(text, check.wrongAt));
    budget.charge('values', check.values);
  } catch (error) {
    throw error instanceof OverBudget ? tooMuch(error) : error;
  }
  return check.values;
}

/** The refusal of a body whose bytes are not UTF-8. */
export const notUtf8 = (): ProblemError => malformed('The body is not in UTF-8. Send JSON in UTF-8.');

/** The refusal of a JSON text that is nested too deep. */
export const tooDeep = (): ProblemError =>
  malformed(
    `The body is nested deeper than ${LEVELS_MAXIMUM} levels. The outermost object or array is level 1.`,
  );

const WORK: Readonly<Record<string, string>> = {
  values: 'values',
  names: 'different names of fields',
};

function tooMuch({ kind, maximum }: OverBudget): ProblemError {
  if (kind === 'levels') return tooDeep();
  const message = `This must have at most ${maximum} ${WORK[kind]}.`;
  return new ProblemError(validationRefusal([{ field: '', code: 'validationFailed', message }]));
}

/** The place of the first fault in a body that is not JSON. Columns are counted in characters. */
function faultIn(text: string, wrongAt = text.length): string {
  let [line, start] = [1, 0];
  for (let end = text.indexOf('\n'); end >= 0 && end < wrongAt; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  let column = 1;
  for (const _ of text.slice(start, wrongAt)) column += 1;
  const place = `line ${line}, column ${column}`;
  const character = text.codePointAt(wrongAt);
  return character === undefined
    ? `The body is not well-formed JSON. It ends too early, at ${place}.`
    : `The body is not well-formed JSON. ${quoted(String.fromCodePoint(character))} is not allowed at ${place}.`;
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
  if (text !== undefined && /^(null|\{\s*\})?$/.test(text.trim())) return;
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

/** The memory that a request takes for each byte of its body: the text, its values, the checked values, the command. */
const MEMORY_FACTOR = 6;

/**
 * Read a complete body, unpacked. A request with a large body gets a permit for its memory first.
 * @throws as `bodyParts`, and 503 if too many large requests wait
 */
export async function readBytes(c: AppContext, maximum: number): Promise<Buffer> {
  const said = c.req.header('Content-Length');
  // Read a body at once if it cannot be too large. Reading by parts would double the cost of a small body.
  if (said !== undefined && Number(said) <= maximum && codingOf(c) === null) {
    await admit(c, Number(said), maximum);
    const whole = await c.req.raw.arrayBuffer().catch(() => {
      throw brokenOff();
    });
    if (whole.byteLength > maximum) throw tooLarge(maximum);
    return Buffer.from(whole);
  }
  // One buffer, because a sender may send each byte as a part of its own.
  let bytes = Buffer.alloc(0);
  let length = 0;
  for await (const part of bodyParts(c, maximum)) {
    if (length + part.length > SMALL_BYTES) await enter(c, maximum * MEMORY_FACTOR);
    if (length + part.length > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, length + part.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(part, length);
    length += part.length;
  }
  return bytes.subarray(0, length);
}

/** Get a permit for a large body before it is read. Without a permit, discard the body, so that its sender can read the answer. */
async function admit(c: AppContext, length: number, maximum: number): Promise<void> {
  if (length <= SMALL_BYTES) return;
  try {
    await enter(c, length * MEMORY_FACTOR);
  } catch (error) {
    for await (const _ of sentParts(c, maximum)) break;
    throw error;
  }
}
