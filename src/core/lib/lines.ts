import { Buffer } from 'node:buffer';

const NEWLINE = 0x0a;

/** A line was too long, or the last line has no newline at its end. */
export class LineError extends Error {
  override name = 'LineError';
}

/** Split a byte stream into lines. Each line includes its newline. @throws `LineError` */
export async function* linesOf(parts: AsyncIterable<Uint8Array>, maximum: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const part of parts) {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...held, part.subarray(from, end + 1)]);
      held = [];
      length = 0;
      from = end + 1;
    }
    const rest = part.subarray(from);
    length += rest.length;
    if (length > maximum) throw new LineError('a line is too long');
    if (rest.length > 0) held.push(rest);
  }
  if (held.length > 0) throw new LineError('the last line does not end with a line break');
}
