import { ProblemError, refusal } from '../lib/problem.ts';
import type { AppContext } from './types.ts';

/** The largest JSON body, in bytes, where an operation says nothing else. */
export const JSON_BYTES_MAXIMUM = 1024 * 1024;
/** A body over the limit is read and thrown away up to here, so that its sender hears the answer. */
const DRAINED_BYTES_MAXIMUM = 64 * 1024 * 1024;

/**
 * The JSON body of a request.
 * @throws 415 for another media type, 413 over the limit (by what arrives, chunked or not), 400 for text that
 *   is not UTF-8 (RFC 8259 section 8.1) or not JSON.
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
    if (bodyOptional) return {};
    throw malformed('The body is empty.');
  }
  const type = c.req.header('Content-Type') ?? '';
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type)) {
    throw new ProblemError(refusal('unsupportedMediaType', 'Send Content-Type: application/json in UTF-8.'));
  }
  try {
    const json: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    c.set('json', json);
    return json;
  } catch {
    throw malformed('The body is not well-formed JSON in UTF-8.');
  }
}

const malformed = (detail: string): ProblemError => new ProblemError(refusal('malformedJson', detail));

async function readBytes(c: AppContext, maximum: number): Promise<Uint8Array> {
  const body = c.req.raw.body;
  if (!body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body as ReadableStream<Uint8Array>) {
    length += part.length;
    if (length <= maximum) parts.push(part);
    else parts.length = 0;
    if (length > DRAINED_BYTES_MAXIMUM) break;
  }
  if (length > maximum) {
    throw new ProblemError(
      refusal('payloadTooLarge', `A body of this operation has at most ${maximum} bytes.`),
    );
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
